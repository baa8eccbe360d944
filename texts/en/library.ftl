# Collections of games: the library.
problem-library-storage = The library cannot be read or written: { $detail }.
problem-library-newer = The library was written by a newer version of this program (version { $version }). Use that version.
problem-library-no-collection = There is no collection “{ $name }”. `qiguan library info` lists them.
problem-library-name = The name of a collection has 1 to { $limit } letters.
problem-library-name-taken = There is a collection “{ $name }” already. Choose another name.
problem-library-no-game = There is no game { $game } in the library.
problem-library-pattern-large = A pattern has at most { $limit } pieces.
problem-library-piece = “{ $found }” is no piece on a cell. Write SIDE:PIECE@CELL, such as red:cannon@e3 or black:stone@h8.
problem-library-count = “{ $found }” is no number of pieces. Write SIDE:PIECE=NUMBER, such as red:rook=2 or black:cannon=0, up to { $most }.
problem-library-closed = This hall has no library.
problem-library-access = “{ $found }” says nobody who may see the collection: private, link or public.
problem-library-many-collections = You have { $most } collections already. Delete one first.
problem-library-needs-account = Collections belong to accounts. Make one first.
problem-library-not-yours = That collection is somebody else's.
problem-library-full = Your collections have { $most } games already. Delete some first.
problem-library-no-maps = Games on maps are not in the library.
problem-archive-broken = The archive cannot be read: { $detail }.
problem-archive-many-files = The archive has { $found } files; { $most } are read at most. Split it.
problem-archive-bomb = A file of the archive unpacks to more than { $most } bytes, far more than records of games do. It was not read further.
problem-archive-overlaps = Files of the archive lie in each other, which no packer does. Pack it anew.
problem-archive-large = The files of the archive unpack to more than { $most } bytes, which is read at once at most. Split it.
problem-archive-in-archive = Archives in archives are not read. Unpack the outer one first.
problem-rif-none = There is no game in this database of RenjuNet.
problem-rif-markup = The XML of the database is broken: { $detail }.
problem-rif-end = The database ends in the middle of a game.
problem-rif-open = The game is not closed before the next one begins.

# qiguan library
cli-library-none = There is no library in { $folder }. `qiguan library import FILE --into NAME --data { $folder }` makes one.
cli-library-refused = { $file }, game { $number }, line { $line }: { $problem }
cli-library-cut = { $file }, game { $number }, line { $line }, kept up to this point: { $problem }
cli-library-doubted = { $file }, game { $number }, line { $line }, is kept whole: { $problem }
cli-library-imported = { $name }: { $read ->
    [one] one game
   *[other] { $read } games
 } read, { $added } added, { $doubles } there already, { $refused } refused, { $cut } kept in part, in { $seconds } s.
cli-library-pipe = An archive or an opening book cannot be read through a pipe: name the file itself.
cli-library-stopped = The import was stopped. The same command continues it.
cli-library-files-failed = Some files could not be read; the others were.
cli-library-some-refused = Some games were refused or kept only in part; the others are in the library.
cli-library-nothing = Nothing was found.
cli-library-hits = { $games ->
    [one] one game has
   *[other] { $games } games have
 } this.
cli-library-collection = { $name }: { $games ->
    [one] one game
   *[other] { $games } games
 }, { $access ->
    [public] public
    [link] for whoever has the link
   *[private] private
 }
cli-library-sizes = { $entries } pairs of position and move in { $runs } runs: positions { $positions } KiB, patterns { $patterns } KiB, { $each } bytes a pair; the file has { $file } KiB.

# The page.
library-about = Finished games of this hall and of files: by player, event, day, by a position or a pattern.
library-game = Game
library-any = Any
library-all = All collections
library-collection = Collection
library-player = Player
library-event = Event
library-since = From
library-until = To
library-result = Result
library-rating = Average rating from
library-sort = Order
library-sort-added = Latest here first
library-sort-day = Latest day first
library-sort-rating = Strongest first
library-sort-length = Longest first
library-search = Search
library-pattern = Pattern on a board
library-pattern-hint = Put pieces where they are to stand, all at the same time; every other point may be anything.
library-pattern-remove = Remove
library-material = Material
library-material-hint = How many pieces of a kind a side has at some moment; what is left empty may be any number.
library-hits = { $count ->
    [one] One game has this.
   *[other] { $count } games have this.
 }
library-shown = { $count ->
    [one] One game
   *[other] { $count } games
 }
library-none = No game fits. Ask for less.
library-more = More
library-more-collections = More collections
library-nobody = Unknown
library-moves = { $count ->
    [one] one move
   *[other] { $count } moves
 }
library-count = { $count ->
    [one] one game
   *[other] { $count } games
 }
library-hall = Games of this hall
library-own = Your collections
library-own-account = With an account you can bring files of games: PGN, PDN, SGF, XQF, CBL, LIB, RIF, JSON, opening books (OBK, XQB), or a zip of them.
library-sign-in = Sign in
library-name = Name
library-access = Who may see it
library-access-private = only me
library-access-link = whoever has the link
library-access-public = everybody
library-make = Make a collection
library-into = Into
library-bring = Bring a file
library-brought = { $read ->
    [one] one game
   *[other] { $read } games
 } read: { $added } new, { $doubles } there already, { $refused } refused, { $cut } kept in part.
library-refused = Game { $number }, line { $line }: { $why }
library-delete = Delete
library-delete-sure = Delete this collection with all its games?
library-first = To the start
library-back = One move back
library-on = One move on
library-last = To the end
library-at = Move { $at } of { $of }
library-open = Open as a board
library-table = To its table
explorer = Played here
explorer-none = Nobody in the library went on from here.
explorer-move = Move
explorer-games = Games
explorer-results = Results
explorer-last = Rating, year
library-brought-book = { $added ->
    [one] one move
   *[other] { $added } moves
 } of the opening book taken in, { $refused } refused.
library-has-book = with an opening book
explorer-value = Book
explorer-value-of = What the opening book gives this move for the side that makes it; each book has its own unit.
explorer-of = { $first } won by the first side, { $draws } drawn, { $second } by the second

# Openings, as `library` names them.
opening-name-central-cannon = Central Cannon
opening-name-central-cannon-screen-horses = Central Cannon against Screen Horses
opening-name-central-cannon-river-chariot = Central Cannon, chariot across the river, against Screen Horses
opening-name-central-cannon-chariot-exchange = Central Cannon, chariot across the river, against Screen Horses offering an exchange
opening-name-central-cannon-five-nine = Five-Nine Cannons against Screen Horses offering an exchange
opening-name-central-cannon-centre-pawn = Central Cannon rushing the centre pawn against Screen Horses
opening-name-central-cannon-five-six = Five-Six Cannons against Screen Horses
opening-name-central-cannon-five-seven = Five-Seven Cannons against Screen Horses
opening-name-central-cannon-five-eight = Five-Eight Cannons against Screen Horses
opening-name-central-cannon-sandwiched-horses = Central Cannon against Sandwiched Horses
opening-name-central-cannon-single-horse = Central Cannon against Single Horse
opening-name-central-cannon-cannon-blockade = Central Cannon against the cannon blockade
opening-name-central-cannon-half-way = Half-Way Opposite-Direction Cannons
opening-name-same-direction-cannons = Same-Direction Cannons
opening-name-same-direction-straight-chariot = Same-Direction Cannons, straight chariot
opening-name-same-direction-straight-ranging = Same-Direction Cannons, straight chariot against ranging chariot
opening-name-same-direction-ranging-straight = Same-Direction Cannons, ranging chariot against straight chariot
opening-name-opposite-direction-cannons = Opposite-Direction Cannons
opening-name-pawn-opening = Pawn Opening
opening-name-pawn-opening-pawns = Pawn Opening against pawn
opening-name-pawn-opening-cannon-below-pawn = Pawn Opening against the cannon below the pawn
opening-name-pawn-opening-left-cannon = Pawn Opening turning to left Central Cannon
opening-name-pawn-opening-right-cannon = Pawn Opening turning to right Central Cannon
opening-name-pawn-opening-elephant = Pawn Opening with elephant against the cannon below the pawn
opening-name-pawn-opening-central-cannon = Pawn Opening against Central Cannon
opening-name-pawn-opening-horse = Pawn Opening against horse
opening-name-pawn-opening-flying-elephant = Pawn Opening against elephant
opening-name-elephant-opening = Elephant Opening
opening-name-elephant-opening-central-cannon = Elephant Opening against Central Cannon
opening-name-elephant-opening-cross-palace = Elephant Opening against Cross-Palace Cannon
opening-name-elephant-opening-palcorner = Elephant Opening against Palace-Corner Cannon
opening-name-elephant-opening-horse = Elephant Opening against horse
opening-name-elephant-opening-pawn = Elephant Opening against pawn
opening-name-horse-opening = Horse Opening
opening-name-edge-horse-opening = Edge Horse
opening-name-cross-palace-cannon = Cross-Palace Cannon
opening-name-palcorner-cannon = Palace-Corner Cannon
opening-name-golden-hook-cannon = Golden Hook Cannon
opening-name-drawn-in-cannon = Drawn-In Cannon
opening-name-river-bank-cannon = River-Bank Cannon
opening-name-over-river-cannon = Cannon across the River
opening-name-advisor-opening = Advisor Opening
opening-name-edge-pawn-opening = Edge Pawn
opening-name-single-corner = Single Corner
opening-name-cross = Cross
opening-name-switcher = Switcher
opening-name-ayrshire-lassie = Ayrshire Lassie
opening-name-second-double-corner = Second Double Corner
opening-name-dyke = Dyke
opening-name-maid-of-the-mill = Maid of the Mill
opening-name-will-o-the-wisp = Will-o'-the-Wisp
opening-name-defiance = Defiance
opening-name-fife = Fife
opening-name-souter = Souter
opening-name-whilter = Whilter
opening-name-old-fourteenth = Old Fourteenth
opening-name-alma = Alma
opening-name-glasgow = Glasgow
opening-name-laird-and-lady = Laird and Lady
opening-name-edinburgh = Edinburgh
opening-name-double-corner = Double Corner
opening-name-denny = Denny
opening-name-kelso = Kelso
opening-name-bristol = Bristol
opening-name-dundee = Dundee
problem-book-unknown = This SQLite file is no opening book that is known: obk (table bhobk) and xqb (table book) are.
problem-book-file = The opening book is damaged: { $detail }
problem-book-limit = The opening book has more than { $most } rows.
problem-book-move = The opening book has a move with the number { $move } where none such is possible: { $fen }
problem-book-odd = Rows of the opening book without a key or a move: { $rows }
problem-book-unmet = Rows of the opening book for positions that its own moves do not lead to from the start: { $rows }
problem-book-long = The way through this opening book is too long for one request, so nothing of it was taken in. On the hall’s machine `qiguan library import` takes it.
problem-library-books-full = Your collections have { $most } moves of opening books; that is the limit. Delete one with a book.
