# What the program says in a terminal.
cli-hall-connections-fine = The settings are fine, and folder, addresses, database and bus are to be had; the hall was not opened.
cli-hall-settings-fine = The settings are fine; the hall was not opened.
cli-hall-is-open = The hall is open: { $url }
cli-hall-is-measured = Metrics: { $url }
cli-hall-has-weights = { $count ->
    [one] Weights of the engine for one map.
   *[other] Weights of the engine for { $count } maps.
}
cli-weights-unread = { $place }: this line is no weights. Take the file that `qiguan learn fit --map` wrote, or take this one out of the folder.
cli-at = { $place }: { $why }
cli-verified = As the hall promised: { $draws } draws and { $numbers } random numbers of extensions at table { $table } follow from its secret.
cli-standard-output = standard output
cli-press-to-close = Press Ctrl-C to close it.
cli-traces-url = --traces { $url }: an address that begins with http:// is needed, such as http://127.0.0.1:4318/v1/traces; https is not spoken.
cli-traces-not = --traces { $url } cannot be used: { $why }
cli-admin-bus-key = The hall { $hall } has key { $key } of its bus now. Running nodes use it in half a minute.
cli-admin-bus-name = The hall is called { $hall } on its bus now. Start its nodes again.
cli-admin-bus-needs-store = Only halls that share a database have a bus: name it with --store postgres://user:password@host:5432/database.
cli-option-from = { $place }: { $why }
cli-option-twice = { $variable } and { $file } say the same: set one of them.
cli-option-odd = { $key } is neither a text, a number, true nor false.
cli-option-unknown = { $key } is no option of qiguan serve. In [serve] there may be: { $keys }.
cli-option-switch = "{ $value }" is neither true nor false.
cli-option-large = The file has more than { $most } bytes.
cli-option-levels = "{ $value }" names no levels of the log: write info, or info,hall=debug.
cli-bus-needs-store = --bus { $bus } joins halls that share a database: name it with --store postgres://user:password@host:5432/database.
cli-node-buried = This node did not answer for six seconds, and the other nodes have taken its tables over. Nothing is lost. Start it again; if this happens often, its machine or its way to the database is too slow.
cli-hall-closes = The hall closes; clocks are saved.
cli-console-alone = --seed-console does not go with { $option }; it takes --level, --side, --load, --fen and --option.
cli-console-is-gomoku = The classic console plays gomoku, not { $game }.

# qiguan convert
cli-convert-game = Game { $number }: { $problem }
cli-convert-failed = { $read ->
    [one] The game could not be converted.
   *[other] { $failed } of { $read } games could not be converted; the others were written.
}
cli-convert-nothing = There is no game in the input.
cli-convert-unknown = The format of the input cannot be detected. Name one with --from.
cli-convert-one = A file of the format { $format } holds one game; the input has more. The first was written.
cli-convert-same = { $file } cannot be input and output at once.

cli-library-at = , there after move { $count }

# qiguan learn
cli-learn-games = { $games ->
    [one] one game is
   *[other] { $games } games are
 } in { $file }.
cli-learn-packed = { $taken } of { $seen } positions are in { $file }.
cli-learn-openings = { $openings ->
    [one] one opening is
   *[other] { $openings } openings are
 } in { $file }.
cli-learn-found = { $learned } training positions, { $aside } held out.
cli-learn-loss = epoch { $epochs }: training loss { $learned }, held-out loss { $aside }
cli-learn-written = { $file } is written: { $count } weights, { $scale } hundredths per logit; held-out loss { $before } before, { $after } after.

# qiguan admin
cli-admin-tables-and-events = { $tables ->
    [one] one table
   *[other] { $tables } tables
 } with { $events ->
    [one] one event
   *[other] { $events } events
 }
cli-admin-checked = { $place }: { cli-admin-tables-and-events } read and replayed by the rules.
cli-admin-check-in-use = A hall uses { $folder }: its database is checked, its write-ahead log is not. Stop the hall to have that checked, too.
cli-admin-found = { $count ->
    [one] one place in { $folder } is damaged.
   *[other] { $count } places in { $folder } are damaged.
 } Keep a copy of the folder, then restore a backup with `qiguan admin restore FILE --data DIR`, or go on: other tables are not affected.
cli-admin-backed-up = { $place } is written: { cli-admin-tables-and-events }.
cli-admin-file-is-there = { $file } already exists and was not overwritten. Choose another name for the backup.
cli-admin-no-folder = There is no folder { $folder } to write the backup into. Create it first.
cli-admin-no-backup = There is no file { $file }. Name one that `qiguan admin backup` wrote.
cli-admin-bad-backup = { $file } is not a complete backup: { $what } ({ $place }). Nothing was changed. Take another one; `qiguan admin backup` writes them.
cli-admin-not-empty = { $folder } is not empty, and nothing was changed. Restore into an empty or new folder, or say --replace: what is there is then moved aside.
cli-admin-restored = The backup is in { $place }: { cli-admin-tables-and-events }. Start the hall with --data { $place }.
cli-admin-in-use = A hall uses the data in { $folder }. Stop it first.
cli-admin-no-data = There are no data of a hall in { $folder }. Name the folder with --data.
cli-admin-no-table = There is no table { $table } in { $folder }. Its id is the last part of its link.
cli-admin-no-strikes = Table { $table } has no failures to forget.
cli-admin-pardoned = Table { $table } opens again when the hall is started.
cli-admin-rebuilt = { $folder }: { $games } games are remembered; { $made } rows were missing, { $mended } were wrong, { $deleted } too many; { $ratings } ratings or changes of ratings were wrong, and { $deadlines } deadlines of slow games. All are as the logs say now.
cli-admin-ratings = { $folder }: { $ratings } ratings or changes of ratings were not what the games say. All are now.
cli-admin-accepted = The hall can be started with { $folder } again. What was lost is lost; `qiguan admin check` says which tables are still damaged.
cli-data-damaged = The data in { $folder } are damaged: { $what } ({ $place }). Keep a copy of the folder. `qiguan admin check --data { $folder }` says what is damaged, `qiguan admin restore FILE --replace --data { $folder }` puts a backup in its place, `qiguan admin accept-damage --data { $folder }` goes on with what is left.
cli-data-in-use = The hall that uses { $folder } has the database to itself, because its disk is full and it can only read. Free some space, or stop the hall; then try again.
cli-data-disk-full = The disk of { $folder } is full. Free some space, then try again.
cli-data-newer = The data in { $folder } were written by a newer version of this program (schema { $version }). Start that version, or name another folder with --data.
cli-data-failed = The data in { $folder } cannot be used: { $why }

# qiguan perft
cli-perft-late = Counting to depth { $depth } was stopped after { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
 }. Ask for less depth, more threads with --threads, or more time with --seconds (0: no limit).

problem-file-is-there = { $file } already exists and was not overwritten. Use --force to overwrite it, or choose another name.
cli-convert-kept = Game { $number }, kept up to this point: { $problem }
cli-convert-cut = { $read ->
    [one] The game was kept only up to an impossible move.
   *[other] { $cut } of { $read } games were kept only up to an impossible move; the others are complete.
}
cli-convert-lost = The format { $format } does not hold all of it; left out are, with the number of games: { $parts }.
cli-convert-guessed = The file is not UTF-8; it was read as { $encoding }, which was guessed from its content.
cli-admin-no-account = There is no account called "{ $name }" in { $folder }.
cli-admin-no-socket = A hall uses the data in { $folder }, and cannot be asked by its socket there: { $why }. Stop it first, or start it again with this version.
cli-admin-banned = { $days ->
    [one] { $who } is kept out for one day.
   *[other] { $who } is kept out for { $days } days.
 }
cli-admin-range-wide = { $range } is a wide range, and nothing was changed. Add --wide if you mean it.
cli-admin-unbanned = { $who } is let in again.
cli-admin-no-ban-of = There is no ban of exactly { $range }. `qiguan admin bans` lists those in force.
cli-admin-decided = It was decided.
cli-admin-uninvited = The invitation counts no longer.
cli-admin-registration = It was decided who may come.
cli-admin-announced = It is announced.
cli-admin-withdrawn = It is not announced any more.
cli-admin-taken-down = The map { $map } was taken down.
cli-admin-put-back = The map { $map } is back.
cli-admin-role-changed = The roles of { $name } were changed.
cli-admin-forgotten = { $name } was forgotten. The hall, or its next start, gives up the open games and takes the name out of the logs.
cli-admin-exported = Everything about { $name } was written.
cli-admin-found-in-database = { $count ->
    [one] One thing is damaged in the database.
   *[other] { $count } things are damaged in the database.
 } Keep a copy of it (`pg_dump`), then restore a backup of PostgreSQL, or go on: other tables are not affected.
cli-admin-move-where = Say where to move to: --store postgres://user:password@host:5432/database, an empty database that `createdb` made.
cli-admin-move-written = { $table }: { $rows } of { $of } rows written
cli-admin-move-compared = { $tables } of { $of } tables of games read again
cli-admin-moved = Everything in { $folder } is in the database: { $rows } rows, of { $tables } tables of games, each read again and the same. Start the halls with --store; the folder stayed as it was, and no hall should be started with it any more.
# The certificate of a hall that speaks https itself (`qiguan serve --tls-cert FILE --tls-key FILE`).
problem-tls-unreadable = { $file } cannot be read: { $reason }.
problem-tls-no-certificate = { $file } holds no certificate. Give --tls-cert a PEM file with the certificate and its chain, often called fullchain.pem.
problem-tls-no-key = { $file } holds no private key. Give --tls-key a PEM file with the key of the certificate, without a password.
problem-tls-mismatch = The certificate in { $file } and the key in { $key } do not serve together: { $reason }.
problem-bus-unknown = --bus { $bus }: there is no such bus. Say local, postgres, or nats://host:4222.
problem-bus-without-database = --bus postgres speaks through the database of --store postgres://…; name that, too.
problem-bus-database-silent = --bus postgres: the database of --store does not answer ({ $why }). Is it running?
problem-bus-silent = --bus { $place }: no NATS server answers there ({ $why }). Is it running, and are host and port right?
problem-bus-wants-credentials = --bus { $place }: the server lets nobody in without credentials. Name a file that holds user:password or the token with --bus-creds, or write nats://user:password@host:4222.
problem-bus-wrong-credentials = --bus { $place }: the server does not accept this password, token or key. Compare --bus-creds, or what stands before the @, with the server's settings.
problem-bus-tls-failed = --bus { $place }: no encrypted connection came about ({ $why }). Does the server speak TLS, is its certificate for this host, and does --bus-ca name whoever signed it? Where the server asks for a certificate, --bus-cert and --bus-key name it.
problem-bus-keys-damaged = The keys of the bus in the database cannot be read. Make new ones while no node runs: qiguan admin bus-key --new-name.
problem-bus-file-unreadable = The file { $path } cannot be used for the bus: { $why }.
problem-tls-public-url = With --tls-cert the hall speaks https, but --public-url is { $url }. Give the address with https://.
# The certificate of a hall that is visited (`qiguan play --hall https://…`).
problem-hall-not-trusted = The certificate of the hall was not accepted: { $reason }. If it is your club's own, name its authority with --ca FILE.
problem-ca-unreadable = { $file } cannot be read: { $reason }.
problem-ca-no-certificate = { $file } holds no certificate. Give --ca a PEM file with the certificate of the hall or of its authority.

# qiguan map test, qiguan map watch
cli-case-fine = ok: { $name }
cli-case-wrong = WRONG: { $name }
cli-cases = { $place }: { $fine } of { $all } cases are as expected.
cli-cases-none = There are no cases beside { $place }. Write some into { $file }; docs/maps.md says how.
cli-watching = { $folder } is watched: a map, its extensions and its cases are checked whenever one is saved. Ctrl-C ends it.
cli-watched = { $place } is as it should be: { $games ->
    [one] one random game
   *[other] { $games } random games
 }, { $plies ->
    [one] one ply
   *[other] { $plies } plies
 } in the middle.
problem-cases-file = The cases cannot be read: { $text }
problem-cases-too-large = These are too many cases, or too many moves before one; { $most } is the most.
problem-cases-missing = Not allowed, but should be: { $moves }
problem-cases-extra = Allowed, but should not be: { $moves }
problem-cases-ends = The game should end “{ $wanted }”, and ends “{ $found }”.
problem-cases-reaches = The position should be { $wanted }, and is { $found }.
problem-cases-unplayed = Ply { $ply } of the line, { $move }, cannot be played: { $why ->
        [illegal] it is not a legal move
       *[other] the game is over ({ $why })
    }.
problem-map-folder = There is no map in { $folder }: it needs one .xlsx file, or one for each name.
cli-puzzles-so-far = { $games ->
    [one] one game
   *[other] { $games } games
 }, { $puzzles ->
    [one] one new puzzle
   *[other] { $puzzles } new puzzles
 } so far
cli-puzzles-made = { $games ->
    [one] one game
   *[other] { $games } games
 } looked at ({ $refused } could not be replayed), { $puzzles ->
    [one] one new puzzle
   *[other] { $puzzles } new puzzles
 }.
cli-fit-games = { $games ->
    [one] one game
   *[other] { $games } games
 } played
cli-fit-loss = round { $round }: held-out loss { $loss }
cli-fit-found = Held-out loss { $before } by the general weights, { $after } by the fitted ones.
cli-fit-match = { $pairs } pairs: { $points } % for the fitted weights, log-likelihood ratio { $ratio } (decided at ±2.94)
cli-fit-kept = The fitted weights won and are kept: { $file }. Put them beside the map as MAP.weights, and the engine plays by them.
cli-fit-not-kept = The fitted weights did not win against the general ones, and are not kept.

# Mistakes in the arguments, and what stands behind the help
help-examples = Examples:
help-status = Exit status: 0 done; 1 not done, or not all of it; 2 a mistake in the arguments; 130 ended by Ctrl-C, 143 by SIGTERM.
usage-is = Usage: { $usage }
usage-meant = Did you mean { $meant }?
usage-no-value = { $arg } needs a value.
usage-invalid-value = { $arg } cannot be "{ $value }"; it can be: { $valid }.
usage-validation = { $arg } cannot be "{ $value }":
usage-unknown = There is no argument { $arg } here.
usage-missing = This is missing: { $arg }. It has to be given.
usage-no-command = There is no command "{ $command }".
usage-conflict = { $arg } and { $other } cannot be given together.
usage-too-many = "{ $value }" is one too many for { $arg }.
usage-too-few = { $arg } needs more values.
usage-not-utf8 = An argument is not UTF-8 text.
usage-write-address = Write an address with a port, such as 127.0.0.1:8080, localhost:8080 or :8080.
usage-write-guest = Write 1 to 40 letters, digits, - or _.
usage-write-rate = Write moves a second, from 0.001 to 1000000.
usage-write-day = Write a day such as 2026-11-21, a month or a year.
usage-write-clock = Write seconds, such as 10+0.1.
usage-write-adjudicate = Write SCORE,MOVES, such as 1000cp,6.
usage-write-sprt = Write LOW,HIGH or LOW,HIGH,norm, such as 0,5,norm.
usage-write-url = Write https://hall.example or, for a hall under a path, https://club.example/games/.
usage-write-option = Write NAME=VALUE with a whole number, such as size=15.

# qiguan serve
problem-hall-folder-unusable = The folder { $folder } cannot be used: { $why }
problem-hall-folder-in-use = Another hall uses the data in { $folder }. Stop it, or choose another folder with --data.
problem-hall-address = The hall cannot listen on { $address }: { $why }. Choose another address with --listen, or port 0 for any free one.
problem-hall-database = The database cannot be used: { $why }
help-status-serve = Exit status: 0 closed in order, by Ctrl-C or SIGTERM; 1 the system, or a service that the hall needs, refuses something; 2 a mistake in the arguments or the settings; 3 an address that cannot be listened on; 4 a data folder or database that cannot be used; 5 closed by itself, as the data are damaged or other nodes have its tables.

# qiguan solve
cli-solve-odd = --board { $board }: the board needs an even number of columns.
cli-solve-memory = This takes { $needed } GB of memory, and { $free } GB are free. A smaller --box or --board takes less.
cli-solve-begins = { $board }x{ $board }, { $stones } stones: { $formations } formations, { $originals } of them other than by symmetry, against { $sets } sets
cli-solve-round = Round { $round }: { $fallen } positions are safe no more; { $seconds } s
cli-solve-verdict = { $side ->
        [black] From the start, Black, who begins,
       *[white] From the start, White
    } { $verdict ->
        [never] never has a forced win.
        [within] has no forced win within { $turns } turns.
       *[open] may have one: this defence does not hold.
    }
cli-solve-written = Written to { $file }.
cli-solve-unsaid = The file does not say that { $side ->
        [black] Black
       *[white] White
    } is safe from the start.
cli-solve-white = White defends, every turn from the start: { $positions } positions, { $turns } turns, each answered; { $seconds } s
cli-solve-black = Black defends, every turn from the start: { $positions } positions, { $turns } turns, each answered; { $seconds } s
cli-solve-games = Games by chance: { $positions } positions, { $turns } turns, each answered; { $seconds } s
cli-solve-anywhere = Every turn in positions by chance: { $positions } positions, { $turns } turns, each answered; { $seconds } s
cli-solve-hole = The file is wrong: { $before } is called safe, and there is no answer to the turn to { $after }.

# qiguan load
cli-load-connections = connections  { $count }
cli-load-memory = hall memory  { $before } MB before, { $with } MB with them: { $each } kB a connection
cli-load-moves = moves        { $moves } in { $seconds } s: { $rate } moves/s
cli-load-wait = wait         p50 { $p50 } ms  p90 { $p90 } ms  p99 { $p99 } ms  max { $max } ms
cli-load-bytes = on the wire  { $bytes } bytes a move, both players together
cli-load-watchers = watchers     { $count } news of { $watchers } watchers: p50 { $p50 } ms  p99 { $p99 } ms  max { $max } ms
cli-load-profiles = profiles     { $count } asked for: p50 { $p50 } ms  p99 { $p99 } ms  max { $max } ms
cli-load-recorded = acknowledged { $acknowledged }  refused { $refused }  unanswered { $unanswered }  longest wait { $longest } ms
cli-load-line = { $file }, line { $line }: { $why }
cli-load-nothing = { $file }: nothing was acknowledged, so there is nothing to check; did the halls open, and did anybody play?
cli-load-made = { $accounts ->
    [one] one account
   *[other] { $accounts } accounts
 } (Sample0 to Sample{ $last }), { $games ->
    [one] one game
   *[other] { $games } games
 }, { $sleeping ->
    [one] one sleeping game
   *[other] { $sleeping } sleeping games
 }
cli-load-lost = The hall does not answer: { $why }
cli-load-refused = The hall refused: { $why }
cli-load-strange = The hall said something strange: { $why }
cli-load-differs = What was acknowledged and what is stored differ.
cli-load-there = { $folder }: there is a hall already. Name a new folder.

# qiguan worker
cli-worker-known = { $hall } knows this worker as { $name }. It thinks with { $cores } { $cores ->
        [1] core
       *[other] cores
    }. Ctrl-C ends it.
cli-worker-lost = { $hall } does not answer ({ $why }). It is asked again in { $seconds } s, then less and less often.
cli-worker-refused = { $hall } gives no work: { $why } It is asked again in { $seconds } s, then less and less often.
cli-worker-back = { $hall } answers again.
cli-worker-ends = Ending: what was begun is finished within 10 s or given back. Ctrl-C once more ends it at once.
cli-worker-ended = Answered { $answered }, given back { $back }.
cli-worker-no-key = There is no key. `qiguan admin worker-key add` makes one at the hall; put it into QIGUAN_WORKER_TOKEN, or name a file that holds it with --token-file.
cli-worker-odd-key = That is no key of a worker: it is qw_ and 32 letters, as `qiguan admin worker-key add` printed it.
cli-worker-key-made = The key of { $name }: { $id }, for { $scopes }. It is shown only now; the hall keeps its hash.
cli-worker-key-aside = , set aside: { $why }
help-status-worker = Exit status: 0 ended in order, by Ctrl-C or SIGTERM; 1 an option that cannot be followed; 2 a mistake in the arguments; 6 the hall does not know the key.
problem-worker-key-unknown = The hall does not know this worker's key: it was removed, or is of another hall. Its keeper makes one by `qiguan admin worker-key add`.
problem-worker-key-aside = This worker's key is set aside because its answers were wrong ({ $why }). The keeper of the hall gives it work again by `qiguan admin worker-key restore`.
problem-worker-key-name = The name of a worker's key is 1 to { $limit } characters, all of which can be seen.
problem-worker-key-unknown-id = There is no worker's key of that id. `qiguan admin worker-key list` shows them.
problem-worker-keys-full = There are { $limit } keys of workers already. Remove one that nobody uses.
problem-worker-scope-unknown = There is no scope "{ $scope }" for workers. The scopes are: { $known }.
problem-worker-version = The worker is version { $worker }, the hall { $hall }. Install the hall's version.
problem-worker-weights = The worker judges { $families } by other weights than the hall. Install the very program that the hall runs.
problem-no-such-weights = The hall has no weights with that hash for any map.
problem-worker-gone = Nobody waits for this search any more.
problem-work-digest = The moves lead to another position here than at the hall. Are the versions the same?
problem-search-stopped = The search was stopped.

# The page of what extensions define and use: `qiguan map api`.
api-title = Extensions of maps
api-about = An extension is a file of Python beside a map. It may forbid moves, add them, and act after them. Squares are pairs (row, column) that count from 0; the tables of a map count from 1. This page is made by `qiguan map api` from the table that the editor completes from.
api-name = Name
api-meaning = Meaning
api-hooks = What a file defines
api-hooks-about = The file is run once for each game. EX_NAME must be there; everything else as it is wanted.
api-jbq = The board: JBQ
api-jbq-about = Functions see JBQ, which is also called API, and what is built into Python. An extension may keep values of its own there: JBQ.counter = 0.
api-chess = A piece
api-chess-about = check_can_go is given one, and JBQ.get_chess_by_arr gives one or None.
api-hooks-second = What a file of a level-2 map may also define
api-hooks-second-about = Such a file is an ordinary module: its functions see what it defines. These functions and check_can_go only ask; what they change is forgotten. At level 2 each group of check_can_go is one square, and after_move is not called for a pass or a swap.
api-jbq-second = More of JBQ at level 2
api-jbq-second-about = At level 1 JBQ has none of these. A square that is not on the board is an IndexError. Pieces of level 2 have no move, tran_move, tran_con and now_move. A move that leaves a captain attacked (safe) is judged by the table alone.
api-example = A whole extension
api-traps = Traps
api-trap-names = **Functions do not see what the file defines outside of them**, neither functions nor values nor imports. Define it inside, make both methods of a class (`game = Game()`, `check_can_go = game.check_can_go`), or keep it as `JBQ.name`.
api-trap-return = **check_can_go must end with `return can_go`** on every path. None is no list of squares; for no square at all, `return []`.
api-trap-groups = **Squares stand in groups**: `[[(0, 1)], [(2, 3), (2, 4)]]`. One square more is `can_go.append([(row, column)])`.
api-trap-zero = **Rows and columns count from 0**: the last row is `JBQ.rl - 1`. Only what stands in the workbook counts from 1, and the numbers of pieces and directions do.
api-trap-none = **A square may be empty**: `JBQ.get_chess_by_arr` and `JBQ.get_arr_by_rd` give None then. In after_move the first square is empty, since the piece has left it.
api-trap-asked = **check_can_go and places are only asked**, as often as somebody looks at the board or the engine searches. What they change is forgotten. Act in after_move.
api-trap-data = **JBQ.map_data is to be read.** A change of its board is lost; use JBQ.add_chess, JBQ.move, or the members of pieces.
api-trap-random = **Chance belongs into after_move.** `import random` stands inside of the function that draws.
api-trap-keys = **Signs are English ones**: `, : ( ) "` and not `， ： （ ） “`. `=` gives a value, `==` compares, and Python writes `elif`, `True`, `None`.
api-limits = Limits
api-limits-about = A call may take { $call_ms } ms of processor time, a move { $ply_s } s, a game { $memory_mib } MiB, and functions may call each other { $depth } deep. `math` and `random` can be imported; there are no files, no network, no clock. `qiguan map check MAP --extension FILE` names mistakes before anything runs, plays { $games } games, and says what failed where; `qiguan play MAP --extension FILE --debug` shows what is printed.
cli-competition-lines = Lines with these codes are kept, but not followed: { $codes }
cli-competition-read = { $entrants } entrants, { $rounds ->
    [one] one round
    *[other] { $rounds } rounds
}. The file does not contradict itself.
cli-competition-compared = Round { $round }: of { $boards } boards, our Swiss system has { $pairs } with the same two, { $seats } of them in the same seats
