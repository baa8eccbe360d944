# What the program says in a terminal.
cli-hall-is-open = The hall is open: { $url }
cli-press-to-close = Press Ctrl-C to close it.
cli-hall-closes = The hall closes; clocks are written down.
cli-console-is-gomoku = The classic console plays gomoku, not { $game }.

# qiguan convert
cli-convert-game = Game { $number }: { $problem }
cli-convert-failed = { $failed } of { $read } games could not be converted; the others are there.
cli-convert-nothing = There is no game in the input.
cli-convert-unknown = The input is like no format that can be read. Name one with --from.
cli-convert-one = A file of the format { $format } holds one game; the input has more. The first is there.
cli-convert-same = { $file } cannot be input and output at once.

# qiguan learn
cli-learn-games = { $games } games are in { $file }.
cli-learn-packed = { $taken } of { $seen } positions are in { $file }.
cli-learn-found = { $learned } positions to learn from, { $aside } kept aside.
cli-learn-loss = after { $epochs } times: { $learned } learned, { $aside } aside
cli-learn-written = { $file } is written: { $count } weights, { $scale } hundredths a logit; loss aside { $before }, now { $after }.
