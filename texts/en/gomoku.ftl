family-gomoku = Gomoku
game-gomoku-freestyle = Gomoku, freestyle
game-gomoku-standard = Gomoku, standard
game-gomoku-renju = Renju
game-gomoku-caro = Caro
game-gomoku-caro-exact = Caro, exactly five
called-gomoku-freestyle = Gomoku
called-gomoku-standard = Standard gomoku
called-gomoku-renju = Renju
called-gomoku-caro = Caro
called-gomoku-caro-exact = Caro, exactly five
brief-gomoku-freestyle = five or more in a row
brief-gomoku-standard = exactly five
brief-gomoku-renju = forbidden moves for Black
brief-gomoku-caro = no five blocked at both ends
brief-gomoku-caro-exact = exactly five, not blocked

about-gomoku-freestyle = Five or more in a row win, and nothing is forbidden.
about-gomoku-standard = Exactly five in a row win. With six or more, play goes on.
about-gomoku-renju = Black wins with exactly five and may not make two open threes, two fours or six in a row. White has no such limits.
about-gomoku-caro = Five or more in a row win, but not five with an opponent’s stone at both ends.
about-gomoku-caro-exact = Exactly five in a row win, but not with an opponent’s stone at both ends.

side-black = Black
side-white = White
piece-stone = stone

reason-five-in-a-row = five in a row
reason-board-full = the board is full
reason-forbidden-overline = Black made an overline, which is forbidden
reason-forbidden-double-four = Black made a double four, which is forbidden
reason-forbidden-double-three = Black made a double three, which is forbidden
reason-two-passes = both sides passed
reason-stone-count = the agreed number of stones is on the board

counter-stone-count = Stones until the draw
mark-four = four
mark-open-three = open three

option-ranks = Ranks, where the board is not square (0: as many as files)
option-passes = A side may pass
option-draw-at = Draw at so many stones (0: at the full board)
button-pass = Pass

rules-gomoku =
    Black and White take turns to put one stone on any empty point. Stones never move.
    Make an unbroken row of five along a file, a rank or a diagonal, and you win.
    In freestyle a longer row wins too. In standard only exactly five wins: with six or more, play goes on.
    In caro five with an opponent's stone at both ends do not win; a longer row does, but not in caro with exactly five.
    In renju Black wins with exactly five and loses by a row of six or more, by two fours or by two open threes made with one stone; five goes before all of these. White has no such limits.
    When the board is full and nobody has won, the game is drawn.

problem-point-occupied = { $point } already has a { $side ->
        [black] black
       *[white] white
    } stone. Choose an empty point.
problem-point-off-board = { $point } is not on this board: its points run from a1 to { $corner }.
problem-not-a-point = “{ $text }” is not a point. Write a letter and a number, from a1 to { $corner }, or two numbers from the top left such as 07 12.
problem-gomoku-size = A gomoku board has { $least } to { $most } files and ranks; this one would have { $files } files and { $ranks } ranks.
problem-gomoku-fen-too-long = The position text is { $found } bytes long; the longest there can be has { $most }.
problem-gomoku-fen-fields = The position text has { $found } parts, expected two: the rows, a space, then b or w for the side to move.
problem-gomoku-fen-character = Position text, row { $row } from the top: “{ $found }” is not b, w or a number.
problem-gomoku-fen-run = Position text, row { $row } from the top: { $found } empty points are not possible, a row has 1 to { $most }.
problem-gomoku-fen-row-too-long = Position text, row { $row } from the top: “{ $found }” has more than { $most } points.
problem-gomoku-fen-width = Position text, row { $row } from the top: it has { $found ->
    [one] one point
   *[other] { $found } points
 }, and the first row has { $expected }.
problem-gomoku-fen-side = Position text: the side to move is “{ $found }”, expected b or w.
problem-gomoku-two-winners = Both sides have a winning row, Black at { $black } and White at { $white }; only one side can have won.
problem-gomoku-fen-last = Position text: the third part is “{ $found }”, which does not fit here. It is p after a pass, pp after two, or ! and the point of the forbidden stone by which Black lost.
problem-no-passes = Nobody may pass in this game. Choose an empty point.
problem-gomoku-set-up-piece = “{ $found }” is not a piece of gomoku; there are only black and white stones.
problem-gomoku-set-up-cell = Cell { $cell } is not on this board.
