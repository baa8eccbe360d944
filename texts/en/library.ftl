# Collections of games: the library.
problem-library-storage = The library cannot be read or written: { $detail }.
problem-library-newer = The library was written by a newer version of this program (version { $version }). Use that version.
problem-library-no-collection = There is no collection “{ $name }”. `qiguan library info` lists them.
problem-library-name = The name of a collection has 1 to { $limit } letters.
problem-library-name-taken = There is a collection “{ $name }” already. Choose another name.
problem-library-no-game = There is no game { $game } in the library.
problem-library-pattern-large = A pattern has at most { $limit } pieces.
problem-library-piece = “{ $found }” is no piece on a cell. Write SIDE:PIECE@CELL, such as red:cannon@e3 or black:stone@h8.
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
