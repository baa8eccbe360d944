# All games, the page of each, and the pages that the frame leads to
find-wish = A game, a page, a person
find-none = Nothing of that name. Games, pages and people can be found here.
find-games = Games
find-pages = Pages
find-person = The page of “{ $name }”
find-room = The room “{ $name }”
find-count = { $count ->
    [one] { $count } result
   *[other] { $count } results
}
games-title = All games
games-filter = Name of a game
games-none = No game has “{ $wanted }” in its names.
games-green = Green figures: people who play or wait there just now.
games-here = { $count ->
    [one] { $count } person plays or waits
   *[other] { $count } people play or wait
}
game-page-engine = Play the computer
game-page-friend = Invite a friend
game-page-friend-hint = Send a link, no account needed
game-page-screen = One screen
game-page-screen-hint = Two people, one board
game-page-now = Find an opponent
game-page-rules = Rules
game-page-puzzles = Puzzles
game-page-library = Games and openings
game-page-watch = Games just now
game-page-quiet = Nobody is playing it just now. Begin, and others will see you.
game-page-more = More options
game-page-others = Other games of this kind
game-page-known-as = Also called { $names }
game-page-maps = Choose a map
learn-title = Learn
learn-line = Rules with pictures for every game, and positions to practise. Nothing is asked of you.
learn-read = Read the rules
learn-practise = Solve puzzles
watch-title = Watch
watch-line = The games that are being played just now.
watch-all = All games
watch-quiet = No game is being played just now. The last good ones are in the library.
watch-quiet-game = Nobody is playing { $game } just now.
watch-count = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
make-title = Make
make-line = Draw a board, make up the pieces and their rules, and play your own game with others.
make-maps = Maps
make-maps-line = Games that people have made: play them, rate them, take one as a start.
make-workshop = Workshop
make-workshop-line = Begin a map of your own: board, pieces, rules, and a few test games by the computer.
make-studies = Studies
make-studies-line = Comment on games, explain openings, make lessons with tasks.
make-new = Begin a map
home-daily = Puzzle of the day
home-daily-task = { $side } to move, { $turns ->
    [one] one turn
   *[other] { $turns } turns
}
home-map = Map of the day
home-map-example = A game to try
home-map-by = by { $name }
