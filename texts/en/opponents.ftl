# Programs that sit down with people, and what they do there.
problem-no-such-level = There is no level { $level }. They are 1 to 10.
problem-no-such-engine = No program called "{ $name }" plays here. The list is at /api/engines.
problem-engine-plays-not = { $name } does not play this game.
problem-engine-on-screen = On one screen one person plays both sides. Choose another way to play against a program.
reason-engine-hangs = the program does not answer any more
reason-engine-died = the program has stopped working
reason-engine-illegal = the program wanted to make a move that is not legal
reason-engine-no-move = the program found no move
reason-engine-not-started = the program could not be started
