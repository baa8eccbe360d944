# What links show of themselves, where no script runs: heads of pages, cards, embedded boards.

hall-line = A quiet hall with good boards
link-hall = Play xiangqi, draughts, gomoku, locked chess and games of your own, against people or engines. No account needed.
link-versus = { $first } – { $second }
link-table = { $game }: { $players }
link-invite = { $game }: an invitation
link-invite-text = Open the link to sit down and play. No account needed.
link-room-text = A room at Qiguan: open the link to sit down and play.
link-watch-text = { $side } to move after { $moves ->
        [one] one move
       *[other] { $moves } moves
    }. Open the link to watch.
link-over-text = { $end } { $moves ->
        [one] One move
       *[other] { $moves } moves
    }. Open the link to replay the game.
link-to-move = { $side } to move
link-move = After move { $move } of { $of }
link-picture = { $game }: the board after move { $move }
link-rules = { $game }: the rules
link-rules-text = The rules with pictures, and the variants that are played here.
link-game-text = { $about } Play { $game } against people or the computer: no account needed.
link-game-card = Play it at Qiguan, no account needed
link-place-games = All games
link-place-games-text = Every game and variant that can be played here, with its board: against people, the computer, or on one screen.
link-place-learn = Learn
link-place-learn-text = The rules of every game, with pictures, and positions to practise.
link-place-make = Make
link-place-make-text = Draw a board, make up pieces and rules, and play your own game with others.
link-place-watch = Watch
link-place-watch-text = The games that are being played just now, the best ones first.
link-library = Library
link-library-text = Collections of games: search by player, event and position, and see what was played from there.
link-maps = Maps
link-maps-text = Games for Jingbanqi that people made: play them, read their rules, make your own.
link-map-text = A game for Jingbanqi: { $rows } × { $files } places. Open the link to read its rules and to play.
link-person = { $name } at Qiguan
link-person-text = Ratings and finished games of { $name }.
link-embed-first = First
link-embed-back = Back
link-embed-on = Next
link-embed-last = Last
link-embed-open = Open at Qiguan

problem-picture-query = There is no picture with { $name }={ $found }. It may be: { $may }.
problem-oembed-format = oEmbed is answered as JSON only: leave “format” out.
