# Programs that sit down with people, and what they do there.
problem-unknown-level = There is no level { $level }. They are 1 to 10.
problem-no-such-engine = No program called "{ $name }" plays here. The list is at /api/engines.
problem-engine-plays-not = { $name } does not play this game.
problem-engine-on-screen = On one screen one person plays both sides. Choose another way to play against a program.
reason-engine-hangs = the program does not answer any more
reason-engine-died = the program has stopped working
reason-engine-illegal = the program wanted to make a move that is not legal
reason-engine-no-move = the program found no move
reason-engine-not-started = the program could not be started

# Levels: what they are called, and for whom they are.
how-engine = Computer
start-engine = Play
map-play-engine = Against the computer
level = Opponent
level-named = Level { $level } · { $name }
level-1 = Newcomer
level-1-for = For children, and for a very first game.
level-2 = Beginner
level-2-for = For whoever has just learned the rules.
level-3 = Companion
level-3-for = A friendly game; overlooks things now and then.
level-4 = Neighbour
level-4-for = Looks a few moves ahead and still errs.
level-5 = Regular
level-5-for = For people who play from time to time.
level-6 = Student
level-6-for = For people who have thought about the game.
level-7 = Club player
level-7-for = Seldom gives anything away.
level-8 = Expert
level-8-for = For strong players; punishes mistakes.
level-9 = Master
level-9-for = Few people beat it.
level-10 = Everything
level-10-for = All it has; thinks about each move for some seconds.
engine-foreign = An engine that the keeper of this hall has added.
thinking = thinking

# Hints, analysis, reports.
problem-study-not-now = This game is being played. It can be analysed when it is over.
problem-position-in-play = Two people are playing this very position now. It can be analysed when their game is over.
problem-study-too-long = A line beside the game may have { $limit } moves.
problem-no-hints-here = There are hints only against the computer and on one screen.
problem-report-length = There is a report about games of 1 to { $limit } moves.

# Help at the table.
hint = Hint
hint-is = Try { $move }.
hint-then = { $hint } It may go on { $line }.
study = Analyse
study-open = Analyse
study-close = Close the analysis
aside = A line that was not played.
aside-back = Back to the game
looking-over = You are looking back at the game.
