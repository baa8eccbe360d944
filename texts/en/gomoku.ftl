family-gomoku = Gomoku
game-gomoku-freestyle = Gomoku, freestyle
game-gomoku-standard = Gomoku, standard

side-black = Black
side-white = White
piece-stone = stone

reason-five-in-a-row = five in a row
reason-board-full = the board is full

rules-gomoku =
    Black and White take turns to put one stone on any empty point. Stones never move.
    Make an unbroken row of five along a file, a rank or a diagonal, and you win.
    In freestyle a longer row wins too. In standard only exactly five wins: with six or more, play goes on.
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
problem-gomoku-fen-width = Position text, row { $row } from the top: it has { $found } points, and the first row has { $expected }.
problem-gomoku-fen-side = Position text: the side to move is “{ $found }”, expected b or w.
problem-gomoku-two-winners = Both sides have a winning row, Black at { $black } and White at { $white }; only one side can have won.
