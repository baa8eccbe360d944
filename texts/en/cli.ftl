# What the program says in a terminal.
cli-hall-is-open = The hall is open: { $url }
cli-press-to-close = Press Ctrl-C to close it.
cli-hall-closes = The hall closes; clocks are written down.
cli-console-is-gomoku = The classic console plays gomoku, not { $game }.
