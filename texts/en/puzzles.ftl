# Puzzles: positions in which exactly one turn keeps the result.
problem-puzzle-format = This is no puzzle: { $detail }.
problem-puzzle-storage = The puzzles cannot be read or written: { $detail }.
problem-puzzle-newer = The puzzles were written by a newer version of this program (version { $version }). Use that version.
problem-puzzles-full = There are { $most } puzzles already, and no more are kept.
problem-puzzles-closed = This hall has no puzzles.
problem-unknown-puzzle = There is no puzzle { $puzzle }.
problem-unknown-map = There is no map “{ $map }” among those that come along.
problem-no-puzzle = There is no such puzzle yet. Choose another theme or another game.
puzzle-daily = Puzzle of the day
puzzle-next = Next puzzle
puzzle-mine = From your own mistakes
puzzle-theme = Theme
puzzle-theme-any = Any theme
puzzle-level = Difficulty
puzzle-level-own = Near your rating
puzzle-level-easy = Easy
puzzle-level-middle = Middle
puzzle-level-hard = Hard
puzzle-about = Exactly one turn keeps the result; every other lets it go. Find it.
puzzle-goal-win = { $side } to move and win.
puzzle-goal-hold = { $side } to move. Only one turn does not lose.
puzzle-on = Right. Go on.
puzzle-answered = Right. This was the answer; find the next turn.
puzzle-solved = Solved!
puzzle-wrong = That lets it go. This is what follows.
puzzle-shown = This is the line.
puzzle-again = Try again
puzzle-show = Show the answer
puzzle-at-turn = Turn { $at } of { $of }
puzzle-rating = Rating { $rating }
puzzle-tries = { $tries ->
    [0] nobody tried it yet
    [one] tried once
   *[other] tried { $tries } times
}
puzzle-change = { $before } → { $after }
puzzle-run = { $run } in a row
puzzle-days = { $days ->
    [one] 1 day in a row
   *[other] { $days } days in a row
}
puzzle-standing = { $rating }, { $solved } of { $tries } solved at the first try
puzzle-guests = Answers of guests are judged but not rated. With an account you get a rating.
puzzle-table = The game it comes from
puzzle-step-back = Back
puzzle-step-on = Forward
puzzle-step = { $at } of { $of }
puzzle-theme-win = Win
puzzle-theme-hold = Defence
puzzle-theme-finish = Ends the game
puzzle-theme-check = Check
puzzle-theme-capture = Capture
puzzle-theme-multi-capture = Several captures at once
puzzle-theme-sacrifice = Sacrifice
puzzle-theme-fork = Fork
puzzle-theme-quiet = Quiet turn
puzzle-theme-breakthrough = Breakthrough
puzzle-theme-double-four = Double four
puzzle-theme-four-three = Four-three
puzzle-theme-four = Four
puzzle-theme-open-three = Open three
puzzle-theme-locked-side = Locked side
puzzle-theme-one-turn = One turn
puzzle-theme-two-turns = Two turns
puzzle-theme-long = Three turns or more
puzzle-theme-endgame = Endgame
puzzle-line-help = Type a move. “show” shows the answer, “quit” leaves.
puzzle-line-question = { $side }:
puzzle-line-wrong = That lets it go: { $line }. Once more.
puzzle-line-end = { $solved } of { $tried } solved.
puzzle-rating-now = Your rating: { $rating }.

## Puzzles that people set on maps.
puzzle-goal-set-win = { $side } to move and win within { $within ->
    [one] one move
   *[other] { $within } moves
}.
puzzle-goal-set-take = { $side } to move and take { $piece } on { $cell } within { $within ->
    [one] one move
   *[other] { $within } moves
}.
puzzle-goal-take = { $side } to move and take a piece.
puzzle-theme-take = Takes a piece
puzzle-set-win = Win within { $within ->
    [one] one move
   *[other] { $within } moves
}
puzzle-set-take = Take a piece within { $within ->
    [one] one move
   *[other] { $within } moves
}
puzzle-set-solved = { $solved } of { $tries } solved it at once
puzzle-set-none = Nobody has set a puzzle on this map yet.
puzzle-set-new = Set a puzzle
puzzle-set-close = Close
puzzle-set-remove = Delete
puzzle-set-remove-sure = Delete it for good
puzzle-set-raise = Promote
puzzle-set-aim = Target
puzzle-set-aim-hint = Choose the piece that has to be taken.
puzzle-set-aimed = To be taken: { $piece } on { $cell }.
puzzle-set-goal = Goal
puzzle-set-goal-win = Win
puzzle-set-goal-take = Take a piece
puzzle-set-within = In at most so many moves
puzzle-set-prove = Prove it
puzzle-set-keep = Keep it
puzzle-set-open = Open it
puzzle-set-proving = Every answer is being tried …
puzzle-set-proved = Proved: { $within ->
    [one] one move
   *[other] { $within } moves
}, { $line }. { $firsts ->
    [one] One first move is right.
   *[other] { $firsts } first moves are right.
}
puzzle-set-kept = Kept among the puzzles of this map.
problem-puzzle-set-refuted = It is prevented within { $within ->
    [one] one move
   *[other] { $within } moves
}: { $line }. Change the position, or allow more moves.
problem-puzzle-set-every = Whatever is moved first reaches the goal, so there is nothing to find. Change the position.
problem-puzzle-set-long = There are too many positions to try all of them. Use fewer pieces or fewer moves.
problem-puzzle-chance = Something is drawn by chance on the way to that aim. A puzzle is proved, and nobody can count on a draw: choose a position and an aim that need none.
problem-puzzle-set-game = Puzzles are set on maps only.
problem-puzzle-set-over = The game is over in this position, or nobody can move.
problem-puzzle-set-within = A puzzle takes one to { $most } moves.
problem-puzzle-set-target = None of the opponent's pieces stands on that square. Choose the piece that has to be taken.
problem-puzzle-set-trial = This map is only being tried. Put it on the shelf first.
problem-puzzle-set-known = This puzzle is there already.
problem-puzzle-set-full = { $of ->
    [person] You have set { $most } puzzles. Delete one first.
    [map] This map has { $most } puzzles already, and no more are kept.
   *[other] People have set { $most } puzzles in this hall, and no more are kept.
}
