# What the referee refuses, and why.
problem-line-too-long = This request is longer than { $limit } bytes.
problem-missing-field = The request has no "{ $field }".
problem-too-many-moves = A line has at most { $limit } moves.
problem-unknown-question = "{ $question }" cannot be asked. Known: { $known }.
problem-perft-too-deep = Depth { $depth } would take too long to count; depth { $counted } was counted. Use “qiguan perft” for more.
problem-no-engine = There is no engine for { $game } yet.
problem-best-without-limit = “best” needs a limit: "ms", "nodes", "depth" or "level".
problem-best-too-much = The engine thinks for at most { $ms } ms and tells at most { $lines } lines.
problem-no-such-level = There is no level { $level }; levels go from 1 to 10.
