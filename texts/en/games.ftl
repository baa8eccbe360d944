# Rated games, and games that are remembered.
problem-not-in-a-rated-game = The result of this game counts for ratings: nothing is taken back, and sides are not exchanged.
problem-rated-needs-account = Rated games are played between two accounts. Make yourself an account, or play a casual game.
problem-rated-not-usual = This game cannot be rated: a rated game is between two people, from the usual start, by the game's usual options, with a clock. Change that, or play a casual game.
problem-rated-game-runs = You are playing a rated game of this kind. Finish it first; until then, programs of the hall neither play this kind with you nor help you with it.
problem-no-such-person = Nobody here is called { $name }.
problem-too-many-queues = You wait for { $limit } kinds of games already. Leave one of them first.
