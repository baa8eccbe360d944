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
