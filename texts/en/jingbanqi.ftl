family-jingbanqi = Jingbanqi
game-jingbanqi = Jingbanqi
side-blue = Blue

reason-captain-taken = a captain was taken
reason-extension-win = an extension of the map says so
reason-extension-draw = an extension of the map calls it a draw
reason-extension-failed = an extension of the map failed

caption-extension-failed = { $place } failed in { $hook }, line { $line }: { $why ->
        [time-call] a call took more than { $name } ms
        [time-ply] a ply took more than { $name } s
        [time-all] it took too long
        [talks] it prints too much
        [stopped] it has no memory left, or asked the system for something
        [not-utf-8] the file is not UTF-8
       *[other] { $text }
    }
hand-first = First choose a piece from your hand, then the square.
hand-of = { $side }’s hand
hand-piece = { $piece }: { $count ->
        [any] any number
       *[other] { $count }
    }
pick-put = Choose the piece to put there
pick-piece = Choose what the piece becomes
counter-map-points = Points
counter-ply-limit = Moves
counter-quiet-limit = Moves without a capture
note-map-captain-attacked = The captain is attacked: only moves that save it are allowed.
note-map-must-take = A piece can be taken, so one has to be taken.
note-map-arranging = Arrange your pieces first: touch one and then another to exchange them, and press Ready.
button-ready = Ready
reason-stuck = the side to move has no move
reason-goal-reached = a piece reached its goal
reason-line-made = a line was completed
reason-regions-connected = two regions were connected
reason-score-reached = the points for a win were reached
reason-points-counted = the points were counted
reason-ply-limit = the limit of moves was reached
reason-quiet-limit = nothing was captured for too long

rules-jingbanqi =
    Every map is a game of its own: its author has written which pieces there are, how each moves, and where it promotes.
    Red moves first, then the sides take turns. Neutral pieces may be moved by either side, are never taken and take nothing.
    Whoever takes a captain of the other side wins.

problem-jingbanqi-fen-too-long = The position text is { $found } bytes long; the longest there can be has { $most }.
problem-jingbanqi-fen-fields = The position text has { $found } parts, expected four: the rows, r or b for the side to move, the neutral moves of red and blue such as 0,0, and - while the game goes on. A map of level 2 has four more: hands, counters, points and colours.
problem-jingbanqi-fen-rows = The position text has { $found ->
    [one] one row
   *[other] { $found } rows
 }; this map has { $expected }.
problem-jingbanqi-fen-row = Position text, row { $row } from the top: it has { $found ->
    [one] one square
   *[other] { $found } squares
 }; this map has { $expected }.
problem-jingbanqi-fen-square = Position text, row { $row } from the top: “{ $found }” is no piece of this map (its number, with + once promoted) and no run of vacant squares (.3).
problem-jingbanqi-fen-side = Position text: the side to move is “{ $found }”, expected r or b.
problem-jingbanqi-fen-neutral = Position text: “{ $found }” should be how many neutral moves in a row red and blue have made, such as 0,1.
problem-jingbanqi-fen-end = Position text: “{ $found }” should be -, or who won and why, such as red:captain-taken.
problem-jingbanqi-fen-gap = Position text: a piece stands on { $found }, which is no square of this map.
problem-jingbanqi-fen-hand = Position text: “{ $found }” should be what a hand holds, such as r3*2, or -.
problem-jingbanqi-fen-counters = Position text: “{ $found }” does not fit the counters, points or colours of this map.
problem-jingbanqi-fen-bag = Position text: “{ $found }” should be what is left in a bag of this map, such as 1.2*5, or -.
problem-jingbanqi-fen-secrets = Position text: “{ $found }” does not say what is hidden in this map. Only the text of a finished game can be read.

problem-map-not-xlsx = This is not an .xlsx workbook that can be read ({ $text }). Save the map again as “Excel workbook (.xlsx)”.
problem-map-too-large = The file is too large: { $text }, and { $most } is the most.
problem-map-too-large-unpacked = { $place } unpacks to more than a map may hold ({ $text }).
problem-map-too-much-text = Sheet { $place }: the texts of its cells have more than { $most } bytes together, headings of attributes counted once for each piece. Make them shorter.
problem-map-text-too-long = { $place }: a text of { $text } characters is too long; { $most } is the most that a cell holds.
problem-map-missing-sheet = There is no sheet “{ $place }”. A map needs the sheets chesses, map and rules; this file has: { $text }.
problem-map-no-pieces = { $place }: the table of pieces is empty. Write one piece a row from here on.
problem-map-too-many-pieces = { $place }: the table has { $text ->
    [one] one row
   *[other] { $text } rows
 } of pieces; { $most } is the most.
problem-map-too-many-attributes = { $place }: a heading stands too far to the right; { $most } attributes is the most.
problem-map-bad-size = { $place }: “{ $text }” is not a number of rows or columns. Write a whole number from 1 to { $most }.
problem-map-board-too-large = { $place }: a side of { $text } is too long; { $most } is the most.
problem-map-bad-piece-id = { $place }: “{ $text }” is no piece of the table, whose numbers run from 1 to { $most }.
problem-map-bad-belong = { $place }: “{ $text }” is no side. Write 1 for red, 2 for blue or 3 for neutral.
problem-map-bad-move-rule = { $place }: “{ $text }” is not a move rule: { $why ->
        [full-width] “{ $found }” is a full-width sign; write “{ $near }”
        [no-semicolon] there is no “;” between the steps and the long moves
        [sections] it has too many sections
        [brackets] “{ $part }” has brackets that do not match
        [direction] “{ $part }” is not one of the directions 1 to 8
        [level-2] “{ $part }” is a word of level 2: add a sheet “rules2” with “Qiguan 2” in cell A1
        [way] “{ $part }” is no way to go; such are 2, m2, c1, p2, cp2, 2*3, L1:2, nL1:2 and V-2:1
        [length] it is too long
       *[number] “{ $part }” is not a number
    }.
problem-map-bad-location-rule = { $place }: “{ $text }” holds a place that cannot be read: “{ $part }” { $why ->
        [full-width] has the full-width sign “{ $found }”; write “{ $near }”
        [brackets] should be a name with numbers in square brackets, such as X[1|2]
        [name] has no proper name before its bracket
        [points] has an odd number of coordinates; a point has two
        [unknown] is none of the places X, Y, P and T
       *[number] has something in its brackets that is not a whole number
    }.
problem-map-missing-mark = Sheet “{ $place }”: there are no rules. Write “Qiguan 2” (or “棋馆 2”) in cell A1 of the sheet “rules2”, or add a sheet “rules”. The sheets are: { $text }.
problem-map-rules2-word = { $place }: “{ $text }” is no word of the sheet rules2. Did you mean “{ $near }”?
problem-map-rules2-value = { $place }: “{ $text }” is no value of “{ $en }” ({ $word }). Did you mean “{ $near }”?
problem-map-rules2-extra = { $place }: “{ $text }” is not read here. Leave the cell empty.
problem-map-rules2-twice = { $place }: “{ $text }” stands here a second time.
problem-map-level2-later = { $place }: “{ $text }” belongs to a part of level 2 that this program does not play yet (fog, graphs).
problem-map-levels-differ = { $place }: by “rules” and by “rules2” the map plays differently: game { $game }, move { $ply }, { $text }. Remove one of the two sheets, or make them agree.
problem-map-unknown-piece = { $place }: no piece is called “{ $text }”. Did you mean “{ $near }”?
problem-map-unknown-terrain = { $place }: no square of the sheet terrain is called “{ $text }”. Did you mean “{ $near }”?
problem-map-terrain-off-board = { $place }: “{ $text }” lies off the board of { $rows } rows and { $cols } columns.
problem-map-bad-terrain = { $place }: “{ $text }” holds a name that is empty or has one of the signs [ ] ( ) | & + ! , ;
problem-map-piece-off = { $place }: piece { $text } stands where the sheet terrain says there is no square.
problem-map-bad-rank = { $place }: the rank “{ $text }” is not a whole number.
problem-map-too-many-choices = { $place }: “{ $text }” has too many pieces to choose from; { $most } is the most.
problem-map-hex-direction = { $place }: “{ $text }” uses direction 1 or 8. A hex board has only the directions 2 to 7.
problem-map-bad-look = { $place }: “{ $text }” is no colour or icon of the list. Did you mean “{ $near }”?
problem-map-bad-hand-side = { $place }: “{ $text }” is no side. Write 1 for red or 2 for blue.
problem-map-bad-hand-count = { $place }: “{ $text }” is no count. Write a whole number up to { $most }, or ∞.
problem-map-bad-bag-name = { $place }: “{ $text }” is no name of a bag. Write one word, the same for all pieces of the bag.
problem-map-bad-bag-side = { $place }: “{ $text }” is no side. Write 1 for red, 2 for blue or 3 for neutral: it says which of the pieces of that name is meant.
problem-map-bad-bag-count = { $place }: “{ $text }” is no count. Write a whole number up to { $most }.
problem-map-bag-other-side = { $place }: no piece of side { $side } is called “{ $text }”. Write the side that the table of pieces gives it.
problem-map-unused-bag = { $place }: nothing is drawn from the bag “{ $text }”. Name it in the column “turns” (“翻开”) of the sheet chesses, or leave it out.
problem-map-unknown-bag = { $place }: no bag of the sheet bag is called “{ $text }”. Did you mean “{ $near }”?
problem-map-bad-turns = { $place }: “{ $text }” does not say how a piece is turned over. Write the name of a bag alone (where it stands) or with “moves” behind it (when it moves), and “taken” where the side that takes it learns what it was.
problem-map-turns-promotes = { $place }: “{ $text }” would promote a piece that is turned over. What is drawn decides what it becomes: leave this cell empty.
problem-map-sees-tells = { $place }: “{ $text }” cannot stand in a map with secrets: it would depend on what the side to move does not see, or tell it. Take it out.
problem-map-sees-setup = { $place }: everybody knows how this map begins, so nothing would be secret. Add a row “setup | exchange”, by which each side arranges its pieces first.
problem-map-needs-sees = { $place }: “{ $text }” needs pieces that the other side does not see. Add a row “sees | own”.
problem-map-no-back = { $place }: each side sees only its own pieces, but no piece on the board has a back. Give the column “back” the piece that others see in its place.
problem-map-back-unknown = { $place }: “{ $text }” should be a piece of the same side: the one that others see in its place.
problem-map-back-neutral = { $place }: a piece of neither side cannot have the back “{ $text }”: nobody would see it. Leave this cell empty.
problem-map-back-twice = { $place }: the back “{ $text }” has a back itself. Name a piece that has none.
problem-map-back-changes = { $place }: “{ $text }” would change a piece with a back, or tell what it is, when it promotes, is taken or is turned over. Leave this cell empty.
problem-map-back-bag = { $place }: “{ $text }” has a back and is in a bag. What is drawn is seen by all: take it out of the bag, or leave the cell “back” empty.
problem-map-lots-becomes = { $place }: “{ $text }” chooses from { $count } pieces when it promotes, which this program does not play where taken pieces are turned over. Leave one.
problem-map-bag-too-small = { $place }: the bag “{ $text }” has { $count } pieces for { $pieces } that are turned over. Where taken pieces are drawn for one side, it must not run out.
problem-map-secrets-later = { $place }: “{ $text }” makes a map with secrets. They can be checked by the rules, but no table of this program keeps them yet.
problem-map-formula-without-value = { $place }: the formula “{ $text }” has no stored result. Open the file in a spreadsheet program and save it, or write the value itself.
problem-map-warn-no-captain = { $place ->
        [red] Red
       *[blue] Blue
    } has no captain on the board, so it cannot lose by capture.
problem-map-warn-captain = { $place }: “{ $text }” makes no captain. Only the small letter c does.
problem-map-warn-switch = { $place }: “{ $text }” switches nothing on. Only the small letter c does.
problem-map-warn-nowhere = { $place }: “{ $text }” names a place that is not on the board. Rows count from 1 to { $rows } and columns from 1 to { $cols }; -1 is the last.
problem-map-warn-short-board = Sheet map: the board's cells reach over { $text } only; what is missing is vacant.
problem-map-warn-id-column = { $place }: “{ $text }” is not read; this piece has number { $id }, by its row.
problem-map-uses-undefined-rule = The map uses places that nothing loaded explains: { $text }. They count as “nowhere”. Load the extension that supplies them, or switch the old built-in rules on for D, R, T, NP and C.
problem-map-extensions-not-run = This program was built without extensions: { $text } was not loaded.
problem-map-extensions-not-yet = The program that runs extensions, sandbox-worker, is not beside this one: { $text } was not loaded. The first `make play` builds it after the hall has opened; try again in some minutes.
problem-map-extension-failed = The extension { $place } failed in { $hook }, line { $line }: { $why ->
        [time-call] a call took more than { $name } ms
        [time-ply] a ply took more than { $name } s
        [time-all] it took too long
        [talks] it prints too much
        [stopped] it has no memory left, or asked the system for something
        [not-utf-8] the file is not UTF-8
       *[other] { $text }
    }
problem-map-extension-too-large = The extension { $place } has { $text } bytes; { $most } is the most.
problem-map-too-many-extensions = { $text } extensions are too many; { $most } is the most.
problem-map-extension-file = The extension { $place } cannot be read: { $text }.
map-check-random = { $games ->
    [one] one random game
   *[other] { $games } random games
 }: { $shortest } to { $longest ->
    [one] one ply
   *[other] { $longest } plies
 }, { $middle } in the middle; { $ended } ended by the rules.
map-check-stuck = Stuck without a move: red in { $red ->
    [one] one game
   *[other] { $red } games
 }, blue in { $blue }.
map-check-alpha-beta = The computer searches this map by alpha-beta: score of playouts against it { $points } of { $games }.
map-check-playouts = The computer searches this map by playouts: their score against alpha-beta is { $points } of { $games }.
map-check-engine = { $games ->
    [one] one game
   *[other] { $games } games
 } of the engine: { $shortest } to { $longest ->
    [one] one ply
   *[other] { $longest } plies
 }, { $middle } in the middle; { $ended } ended by the rules.
map-check-hook = { $place } { $hook }: { $calls } calls measured, { $median } µs in the middle, { $worst } µs at worst.
map-check-unasked = { $place } { $hook }: no game asked it.
map-check-fault = { $place }, line { $line }: failed in { $games ->
    [one] one game
   *[other] { $games } games
 }, first in game { $game } after { $plies ->
    [one] one ply
   *[other] { $plies } plies
 }.
map-check-prints = { $bytes ->
        [0] Printed:
       *[other] Printed ({ $bytes } bytes more left out):
    }
problem-map-old-xls = This is an old .xls workbook. Save it as .xlsx (Excel workbook) and try again.
problem-map-encrypted = This workbook is encrypted. Take its password away, save it, and try again.
problem-map-extension-without-map = The extension { $place } needs its map: name it with --map.
problem-map-without-extensions = { $place } is played without the extensions that lie beside it: { $text }. Name them with --extension if they belong to it.
problem-map-file = The file { $place } cannot be read: { $text }.
problem-map-needed = Jingbanqi needs a map: name an .xlsx file.

map-check-fine = { $place }: a good map. { $rows } rows, { $cols } columns, { $kinds ->
        [one] one kind of piece
       *[other] { $kinds } kinds of pieces
    }.
map-check-errors = { $count ->
        [one] One error
       *[other] { $count } errors
    }:
map-check-warnings = { $count ->
        [one] One warning
       *[other] { $count } warnings
    }:
