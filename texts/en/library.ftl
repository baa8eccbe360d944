# Collections of games: the library.
problem-library-storage = The library cannot be read or written: { $detail }.
problem-library-newer = The library was written by a newer version of this program (version { $version }). Use that version.
problem-library-no-collection = There is no collection “{ $name }”. `qiguan library info` lists them.
problem-library-name = The name of a collection has 1 to { $limit } letters.
problem-library-name-taken = There is a collection “{ $name }” already. Choose another name.
problem-library-no-game = There is no game { $game } in the library.
problem-library-pattern-large = A pattern has at most { $limit } pieces.
problem-library-piece = “{ $found }” is no piece on a cell. Write SIDE:PIECE@CELL, such as red:cannon@e3 or black:stone@h8.
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
problem-archive-in-archive = Archives in archives are not read. Unpack the outer one first.
problem-rif-none = There is no game in this database of RenjuNet.
problem-rif-markup = The XML of the database is broken: { $detail }.
problem-rif-end = The database ends in the middle of a game.

# qiguan library
cli-library-none = There is no library in { $folder }. `qiguan library import FILE --into NAME --data { $folder }` makes one.
cli-library-refused = { $file }, game { $number }, line { $line }: { $problem }
cli-library-imported = { $name }: { $read } games read, { $added } added, { $doubles } there already, { $refused } refused, in { $seconds } s.
cli-library-stopped = The import was stopped. The same command continues it.
cli-library-files-failed = Some files could not be read; the others were.
cli-library-some-refused = Some games were refused; the others are in the library.
cli-library-nothing = Nothing was found.
cli-library-hits = { $games } games have this.
cli-library-collection = { $name }: { $games } games, { $access ->
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
library-nobody = Unknown
library-plies = { $count ->
    [one] one ply
   *[other] { $count } plies
 }
library-count = { $count ->
    [one] one game
   *[other] { $count } games
 }
library-hall = Games of this hall
library-own = Your collections
library-own-account = With an account you can bring files of games: PGN, PDN, SGF, XQF, CBL, LIB, RIF, JSON, or a zip of them.
library-sign-in = Sign in
library-name = Name
library-access = Who may see it
library-access-private = only me
library-access-link = whoever has the link
library-access-public = everybody
library-make = Make a collection
library-into = Into
library-bring = Bring a file
library-brought = { $read } games read: { $added } new, { $doubles } there already, { $refused } refused.
library-refused = Game { $number }, line { $line }: { $why }
library-delete = Delete
library-delete-sure = Delete this collection with all its games?
library-first = To the start
library-back = One ply back
library-on = One ply on
library-last = To the end
library-at = { $ply } of { $of }
library-open = Open as a board
library-table = To its table
explorer = Played here
explorer-none = Nobody in the library went on from here.
explorer-move = Move
explorer-games = Games
explorer-results = Results
explorer-last = Rating, year
explorer-of = { $first } won by the first side, { $draws } drawn, { $second } by the second
