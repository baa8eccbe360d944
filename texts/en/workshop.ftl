# Maps and the workshop where they are written. The page fetches these when somebody goes there.

maps = Maps
maps-line = Games that players write: a spreadsheet for board and pieces, Python for whatever else.
maps-search = Search maps
maps-ours = Built-in maps
maps-examples = Examples to make your own
maps-examples-line = Known games, and what it takes to write them. Play one, read how it is made, and change a copy.
maps-fork = Make it yours
maps-fork-one = Make it yours: { $name }
maps-theirs = From everybody
maps-none = Nobody has put a map here yet.
maps-none-found = No map is called so.
map-new = Make a game
map-facts = { $rows } × { $cols } · { $kinds ->
        [one] one piece
       *[other] { $kinds } pieces
    }
map-extensions-of = with { $names }
map-extensions-count = { $count ->
        [one] one extension
       *[other] { $count } extensions
    }
map-missing = This map is not here
map-missing-hint = Perhaps a letter of the link was lost on the way.
map-play-screen = Play on this screen
map-play-invite = Invite by link
map-play-more = Room, lobby, clock, sides…
map-share = Copy the link
map-download = Download
map-copy = Change a copy
map-balance = Balance report
map-page = The map’s own page
map-pieces = Pieces
map-warnings = What to know
map-switches = Rules
map-untitled = New game
map-board = Board of the map
rim-legend = On the rim: · one step, * any distance; for extensions, o shield, x prohibition, $ jump over a prohibition, % pass through prohibitions. A crown marks a captain; whoever takes one wins.
extensions = Extensions
extensions-none = None. Open .py files to add some.
extensions-order = Extensions, in the order in which they are asked
extension-up = { $file }: earlier
extension-down = { $file }: later
extension-remove = Remove { $file }
extension-places = adds the places { $names }
switch-promotion-on = Pieces promote.
switch-promotion-off = Nothing promotes.
switch-undo-on = Moves may be taken back.
switch-undo-off = Moves may not be taken back.
switch-neutral-on = Nobody moves neutral pieces three times in a row.
old-names = Old built-in places D, R, T, NP, C
old-names-hint = Of the first published rules; now an extension supplies them.

# Uploading
upload = Put a map here
upload-choose = Choose files, or drop them here
upload-hint = One .xlsx map, and its .py extensions if it has any
upload-map-missing = Now the .xlsx map they belong to.
upload-too-large = { $file } is too large.
upload-keep = Put it on the shelf
map-name = Name of the map
map-errors = { $count ->
        [one] One thing must be mended:
       *[other] { $count } things must be mended:
    }
map-fine = This map can be played.
map-playing = Being played: random games, and games of the engine. This may take ten seconds.
map-played = Played before the shelf
map-trace = Traceback
map-prints = What extensions printed

# The workshop
workshop = Workshop
undo = Undo
open-file = Open
save-file = Save .xlsx
publish = Put on the shelf
tools = Tools
tool-put = Place
tool-hint-move = Drag pieces, or touch one and then its place. Dropped beside the board, it is gone.
tool-hint-put = Touch squares to place “{ $piece }”. Touched again, it goes.
tool-hint-remove = Touch the pieces to remove.
tool-hint-pick = Touch the squares of the board.
tab-piece = Piece “{ $piece }”
tab-game = Game
tab-try = Try it
tab-code = Code
rows = Rows
cols = Columns
switch-promotion = Pieces promote
switch-undo = Moves may be taken back
level2-begin = Make it a map of level 2: hands, terrain, more rules
level2-sheets = This is a map of level 2: a line for each row, with | between cells. The documentation lists the words.
switch-neutral = At most two neutral moves in a row
map-anew = Begin anew
map-aside = “{ $name }” with your changes is put aside.
map-aside-back = Go back to it
map-elsewhere = A draft was kept in another tab meanwhile, so changes here are not kept.
map-elsewhere-keep = Keep this one
kind-new = New piece
kind-named = Piece { $id }: { $side } { $piece }
kind-wrong = Piece { $id }: { $side } { $piece }, to be mended
kind-mend = Something is wrong with “{ $piece }”
kind-name = Name on the piece
kind-owner = Side
kind-captain = Captain
kind-moves = How it moves
kind-promotion = Promotion
kind-promotes = Where it promotes
kind-promoted = How it moves then
kind-attributes = Attributes
kind-twin = Twin of the other side
kind-copy = Copy
kind-remove = Remove
kind-in-words = In words
promotion-off = Promotion is switched off for this map.
promotion-turn-on = Switch it on
promotes-text = As text
attributes-hint = Extensions read these, and nothing else does.
attribute-name = Name
attribute-value = Value
attribute-sort = Kind of value
attribute-text = text
attribute-number = number
attribute-yes = true
attribute-add = Add an attribute
attribute-remove = Remove { $name }

# Drawing moves
rose = Directions: { $section }
rose-draw = What to draw
rose-empty = No direction yet. Touch the arrows.
rose-unreadable = The text below cannot be drawn.
rose-anew = Draw anew
petal = { $direction }: { $how ->
        [always] everywhere
        [sometimes] in some places
       *[never] no
    }
section-1 = One step
section-2 = Any distance
section-3 = Shield
section-4 = Prohibition
section-5 = Jump
section-6 = Ignore
section-other = Section { $number }
section-add = One more section, for extensions
dir-1 = up left
dir-2 = up
dir-3 = up right
dir-4 = left
dir-5 = right
dir-6 = down left
dir-7 = down
dir-8 = down right
way-always = everywhere
way-where = only { $places }
way-narrow = { $direction }: only in some places…
way-hint = Touch an arrow here to say where it holds.
way-never = nowhere
way-everywhere = everywhere instead
way-places = Where it may go { $direction }
way-remove = Wipe out { $direction }
direction-number = Number
direction-add = Add
rule-text = As text
place-kind = What
place-X = Rows
place-Y = Columns
place-P = Points
place-NP = All but points
place-T = Gone
place-C = Count
place-D = Distance
place-R = Distance and side
place-other = Of an extension…
place-new-name = place
place-name = Name
place-numbers = Numbers
place-pick = Pick on the board
place-remove = Remove
place-or = or
place-add = Add a place
place-add-or = or somewhere else
place-wrong = Whole numbers with commas between them, please.
place-hint-X = Rows from the top; -1 is the last.
place-hint-Y = Columns from the left; -1 is the last.
place-hint-P = Row, column, row, column…
place-hint-NP = Row, column, row, column…
place-hint-T = Number of the piece that must be gone
place-hint-C = Number of the piece (0: any), least, most
place-hint-D = Number of the piece, then 1 farther, 0 at, -1 nearer, then steps
place-hint-R = As for the distance, then the sides, counted like directions
place-hint-other = Whatever the extension wants

# Trying it
try = Game to try
try-again = Try again from the start
try-from-here = Run again from here
try-stale = The map has changed since. Try it again.
try-table = Open its table
about-now = As it is now, not as it was then.

# The gallery, works and their versions
gallery-sort = Sort by
gallery-sort-newest = Newest
gallery-sort-played = Most played
gallery-sort-stars = Most liked
gallery-sort-even = Most even
gallery-sort-name = Name
gallery-mine = Mine
gallery-day = Map of the day
gallery-by = by { $name }
gallery-games = { $games ->
        [one] one game
       *[other] { $games } games
    }, { $players ->
        [one] one player
       *[other] { $players } players
    }, { $plies } plies on average
gallery-stars = { $stars } of 5 ({ $people })
gallery-first = The engine says { $percent } % for red
gallery-second = The engine says { $percent } % for blue
gallery-rated = Rated games
gallery-unlisted = not listed
gallery-pages = Pages
gallery-page = { $page } of { $pages }
gallery-before = Back
gallery-after = On
work = Versions and players
work-version = Version { $n }
work-versions = Versions
work-made-from = Made from “{ $name }”, version { $n }, by { $author }
work-made-from-nameless = Made from “{ $name }”, version { $n }
work-made-from-gone = Made from a map that is gone
work-stars = Stars
work-star = { $n ->
        [one] One star
       *[other] { $n } stars
    }
work-stars-later = Who has finished a game on it may give it stars.
work-edit = Change it
work-unlist = Take it off the lists
work-list = Show it in lists
work-delete = Delete
work-delete-sure = Really delete it
work-changes = What it changed
work-forks = Made from it
publish-next = Version { $n } of “{ $name }”
publish-new = A map of its own
publish-fork = Made from “{ $name }”: its author is named.
publish-fork-nameless = Made from “{ $name }”, which its page will name.
publish-note = What is new
publish-tags = Tags
publish-after = Put mine after version { $n }
diff-none = Nothing differs.
diff-rows = rows
diff-cols = columns
diff-promotion = promotion
diff-undo = taking back
diff-neutral-limit = limit of neutral moves
diff-rules2 = rules of level 2
diff-terrain = terrain
diff-look = looks of terrain
diff-hand = pieces in hand
diff-name = name
diff-side = side
diff-captain = captain
diff-moves = how it moves
diff-promotes = where it promotes
diff-promoted = how it moves then
diff-attributes = attributes
problem-csv-too-large = The board has { $found } bytes, at most { $most } are read.
problem-csv-text = Line { $line } is not UTF-8. Save the file as CSV in UTF-8.
problem-csv-empty = There is no board in it: a line for each row, a field for each square.
problem-csv-rows = A board has at most { $most } rows.
problem-csv-cols = Line { $line }: a board has at most { $most } columns.
problem-csv-row = Line { $line } has { $found ->
    [one] one square
   *[other] { $found } squares
 }, the first line has { $expected }.
problem-csv-quote = Line { $line }, column { $column }: a quotation mark that is not closed, or stands inside a field.
problem-csv-piece = Line { $line }, column { $column }: there is no piece “{ $text }”. Pieces are called by their numbers, 1 to { $most }, or by name.
problem-csv-name = Line { $line }, column { $column }: several pieces are called “{ $text }”. Use the number of the one that is meant.
board-csv = Board as CSV

## Extensions that people share.
shared = Shared extensions
shared-hint = Others' extensions by name and version. Your map gets a copy that never changes, and its author is named.
shared-search = Search extensions
shared-add = Add { $name }
shared-in = added
shared-maps = { $maps ->
    [one] one map uses it
   *[other] { $maps } maps use it
}
shared-none = Nobody shares an extension like that yet.
shared-mine = Yours
share-extension = Share an extension
share-file = File
share-name = Name
share-about = What it does
share-note = What is new in this version
share-do = Share it
share-done = Shared as { $name }@{ $version }.
share-unlist = Take off the list
share-list = Put on the list
share-delete = Delete
share-delete-sure = Delete it for good
chance = Chance
chance-bound = The hall drew a number when both players had sat down, and nobody sees it before the end. This check value binds the hall to it.
chance-told = The hall drew this number when both players had sat down. Whoever works out its check value sees that it was the same all along.
chance-hash = Check value (SHA-256)
chance-secret = The number
chance-check = How to check it
