### Locked chess.

family-locked = Locked chess
game-locked = Locked chess
called-locked = Locked chess
brief-locked = all stones move at once
about-locked = All your stones move at once, in five steps a turn. Whoever cannot move is locked, and loses.
rules-locked =
    A turn has five steps: all your stones move one square together, then one square across that; then you choose a stone, move it one square, and move it one square across that.
    Your stones may not leave the board.
    Moving together they may not land on an enemy stone, and a single stone may not land on any stone.
    Nothing is ever captured.
    If you cannot take your next step, you have lost.
    Neither side can force a win from the start. This is proved: whoever keeps their stones within six columns and six rows, and chooses well, can always finish the next turn.

prompt-locked-1 = Move all your stones one square
prompt-locked-2 = Move them all one square across the first move
prompt-locked-3 = Choose one of your stones
prompt-locked-4 = Move the chosen stone one square, or take the choice back
prompt-locked-5 = Move it one square across its last move

button-up = Up
button-down = Down
button-left = Left
button-right = Right
button-withdraw = Take the choice back

reason-no-moves = no step left to take
reason-turn-limit = the turn limit was reached
reason-threefold-repetition = the same position for the third time
warning-no-moves = This leaves you without a next step, and you lose.

locked-mover = To move
locked-step = Step { $step } of 5
locked-chosen = Chosen stone
locked-black-stones = Black stones
locked-white-stones = White stones

problem-locked-fen-length = The position has { $found } letters; { $most } is the most it can have.
problem-locked-fen-fields = The position has { $found } parts; write board, side, step, axis and chosen stone, with one space between them.
problem-locked-fen-rows = The board has { $found ->
    [one] one row
   *[other] { $found } rows
 }; it needs 12, with / between them.
problem-locked-fen-run = Row { $row }: { $found } is not a number of empty squares; write 1 to 12.
problem-locked-fen-row-width = Row { $row }, { $found }, is not 12 squares wide.
problem-locked-fen-letter = Row { $row }: { $found } is not a stone; write b, w or a number.
problem-locked-fen-turns = { $found } is not a number of turns; write 0 to 65535.
problem-locked-move-unknown = { $move } is neither a direction nor a square; write u, d, l, r or a square such as d9 or 4 9.
problem-locked-set-up-piece = “{ $found }” is not a piece of locked chess; there are only black and white stones.
problem-locked-stone-wanted = Choose a stone at this step, not a direction; { $move } is a direction.
problem-locked-direction-wanted = Step { $step } takes a direction; { $move } is a square.
problem-locked-not-your-stone = The stone on { $square } is your opponent's.
problem-locked-no-stone-there = There is no stone on { $square }.
problem-locked-not-across = Step { $step } must go across the step before it.
problem-locked-blocked-by-edge = The edge of the board is in the way of { $stones }.
problem-locked-blocked-by-stones = The way is blocked by { $stones }.
problem-locked-not-started = The game has not started: { $missing } is missing.
problem-locked-stones-not-set = The stones must be a set; found { $found }.
problem-locked-stone-not-tuple = A stone must be column, row and colour in round brackets; found { $found }.
problem-locked-stone-not-triple = A stone must have three parts: column, row and colour; found { $found }.
problem-locked-coordinate-not-int = Column and row must be whole numbers; found { $found }.
problem-locked-off-board = { $found } is off the board; columns and rows go from 1 to 12.
problem-locked-unknown-colour = { $found } is neither black (黑) nor white (白).
problem-locked-shared-square = Square { $at } holds more than one stone: { $stones }.
problem-locked-too-few-stones = Each side needs at least three stones; Black has { $black } and White { $white }.
problem-locked-bad-step = The step must be 1 to 5; found { $found }.
problem-locked-bad-side = { $found } is not a side; it must be black or white.
problem-locked-axis-misfit = The last direction { $found } does not fit step { $step }.
problem-locked-chosen-misfit = The chosen stone { $found } does not fit step { $step }; at steps 4 and 5 it must be a stone of the side to move.
problem-locked-illegal-operation = { $found } is not possible now.
problem-locked-game-over = The game is over; { $loser ->
    [black] Black
   *[white] White
} has lost.
problem-locked-unreadable = { $what } cannot be read: { $detail }.
problem-locked-no-board = The saved game has no board; it needs all_locate or game.
problem-locked-two-boards = The saved game has two boards; it needs all_locate or game, not both.
problem-locked-board-not-twelve-rows = The board in all_locate must have 12 rows.
problem-locked-row-not-twelve = Each row in all_locate must have 12 numbers.
problem-locked-bad-cell = { $found } is not a square's content; write 1, 0 or -1.
