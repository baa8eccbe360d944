# Competitions: pairing, ranking, and the files of federations.

problem-competition-too-many = A Swiss system has at most { $most } entrants here.
problem-competition-too-few = A round needs two entrants who are there; { $there ->
    [0] nobody is
    *[other] only one is
}.
problem-competition-open = Round { $round } is not over: board { $board } has no result. Enter it, then pair the next round.
problem-competition-apart = Those who must not meet leave no pairing for this round. Take one of these conditions back.
problem-competition-robin = A round robin has 2 to { $most } entrants; here are { $found }.
problem-competition-over = All { $rounds } rounds of this round robin are in the report already.
problem-competition-criterion = “{ $found }” separates nobody: known are PTS, DE, WIN, WON, BPG, BWG, BH, BH/C1, BH/C2, BH/M1, BH/M2, SB, PS, PS/C1, ARO and NR.
problem-trf-size = The report is too large: at most { $most } MiB are read.
problem-trf-empty = The report has no entrants: none of its lines begins with 001.
problem-trf-short-line = Line { $line }: the line of an entrant has at least 84 signs, up to the points; this one has { $length }.
problem-trf-number = Line { $line }, column { $column }: “{ $found }” is not a number that can stand here.
problem-trf-twice = Line { $line }: number { $number } is there twice.
problem-trf-cell = Line { $line }, column { $column }: “{ $found }” is not a result. Round { $round } of number { $number } is the number of the opponent, w or b, and 1, =, 0, +, -, W, D, L, or for a bye 0000 - and U, H, F or Z.
problem-trf-opponent = Line { $line }, column { $column }: in round { $round } number { $number } meets { $opponent }, who is not in the report.
problem-trf-self = Line { $line }, column { $column }: in round { $round } number { $number } meets themselves.
problem-trf-disagrees = Line { $line }, column { $column }: round { $round } of number { $number } and of number { $opponent } contradict each other.
problem-trf-points = Line { $line }, column { $column }: number { $number } has { $found } points here, and the results make { $sum }. If a win is worth something else, say so by a line such as “XXS W=2.0 D=1.0 L=0.0”.
problem-trf-setting = Line { $line }: “{ $found }” is not understood.
problem-paired-again = Round { $round }: numbers { $entrant } and { $opponent } meet again.
problem-paired-apart = Round { $round }: numbers { $entrant } and { $opponent } meet, and are to be kept apart.
problem-bye-again = Round { $round }: number { $entrant } has a bye, and has had points without a game before.
problem-seats-uneven = Round { $round }: number { $entrant } has had one side { $more } times more often than the other.
