# Somebody's page: ratings and finished games.
profile-kind-guest = Guest
profile-kind-account = Member
profile-kind-program = Program
profile-kind-closed = Closed account
profile-since = here since { $date }
profile-playing = Playing now
profile-ratings = Ratings
profile-no-ratings = No rated games yet.
profile-provisional = provisional: after a few more rated games this will be surer
profile-rated-games = { $count ->
    [one] { $count } rated game
   *[other] { $count } rated games
  }
profile-curve = The rating over time, from { $from } to { $to }
profile-tally = Results
profile-game = Game
profile-games = Games
profile-wins = Won
profile-draws = Drawn
profile-losses = Lost
profile-finished = Finished games
profile-result = Result
profile-result-win = Won
profile-result-draw = Drawn
profile-result-loss = Lost
profile-result-void = Called off
profile-speed = Speed
profile-counts = Rated or casual
profile-rated = Rated
profile-casual = Casual
profile-opponent = Opponent
profile-any = Any
profile-search = Search
profile-no-games = No such games.
profile-against = as { $side } against { $name }
profile-moves = { $count ->
    [one] { $count } move
   *[other] { $count } moves
  }
profile-more = More games
profile-download = Download all games
profile-download-hint = JSON Lines holds every game; the other files hold the games that are kept in their format.
profile-file-jsonl = JSON Lines
profile-file-pgn = PGN
profile-file-pdn = PDN
profile-file-sgf = SGF
speed-bullet = Bullet
speed-blitz = Blitz
speed-rapid = Rapid
speed-classical = Classical
speed-correspondence = Correspondence
