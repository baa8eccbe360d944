# A game line by line in a terminal.
line-help = Type a move, or: moves, undo, fen, help, quit.
line-to-move = { $side } to move:
line-asked = { $side }: { $prompt }:
line-over = The game is over (undo, fen, quit):
line-won = { $side } wins: { $reason }.
line-drawn = A draw: { $reason }.
line-void = The game does not count: { $reason }.
line-nothing-to-undo = There is nothing to take back.
line-warned = { $move } loses at once: { $reason }. Type it again to play it all the same.
