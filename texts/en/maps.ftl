problem-map-not-needed = { $game } comes without a map.
problem-map-not-loaded = The map could not be loaded. Try again.
problem-map-not-written = The map cannot be written as a workbook: { $text }.
problem-map-not-made = The file { $place } cannot be made: { $text }.
problem-map-name = “{ $text }” cannot be the name of a map: it has 1 to { $most } characters.
problem-map-file-name = “{ $text }” cannot be the name of an extension's file: it has 1 to { $most } bytes, and no /, \ or quotes.
problem-no-such-map = There is no such map here. It may have been forgotten because nobody played on it; its author can bring it again.
problem-maps-full-visitor = There is no room for more maps of yours: { $maps } of them, or { $mib } MiB, are the most. Maps that nobody plays on make room after three months.
problem-maps-full = The hall has no room for more maps. Maps that nobody plays on make room after three months; ask whoever keeps the hall.
problem-no-takebacks-here = The author of this map does not allow moves to be taken back.
problem-takeback-chance = Something was drawn by chance since then, and whoever took the move back would know it. It stays as it is.
problem-no-such-move = “{ $move }” says what is drawn, and the hall draws. Send the move without the braces.
problem-nothing-drawn-yet = The hall has not drawn its number yet: both players have to sit down first.
problem-move-by-chance = Chance decides what “{ $move }” turns over. Say what was drawn, as in { $example }.
problem-verify-no-secret = The record has no secret of chance: its game is not over, or nothing was left to chance.
problem-verify-no-table = The record does not say “{ $tag }”: take it from the hall again, after the end of the game.
problem-verify-commitment = The secret is not the one that the hall was bound to: before the first move it told { $told }, and this secret gives { $computed }.
problem-verify-draw = Ply { $ply } differs: the record has { $played }, and the secret gives { $drawn }.
problem-verify-numbers = The tag “Draws” has { $found } numbers, and the record { $draws } draws.
problem-seed-chosen = Nobody chooses how chance decides in a game with somebody else: the hall draws it when both sit down. Leave “seed” out.
problem-plan-chance = Something is left to chance in this game, and nobody sees it beforehand: moves cannot be planned here.

option-old-names = Know the places D, R, T, NP and C without an extension
option-seed = What random numbers of extensions begin with
option-seed-2 = The same, bits 33 to 64
option-seed-3 = The same, bits 65 to 96
option-seed-4 = The same, bits 97 to 128

mark-promoted = promoted
mark-shielded = held by a shield: takes nothing
mark-merged = part of a larger piece

detail-piece = { $name }: { $side ->
        [red] red
        [blue] blue
       *[neutral] neutral, moved by either side, never taken
    }{ $captain ->
        [yes] , a captain: whoever takes it wins
       *[no] {""}
    }{ $promoted ->
        [yes] , promoted
       *[no] {""}
    } (no. { $id })
detail-now = { $reach ->
        [near] Now: one step { $near }
        [far] Now: any distance { $far }
        [both] Now: one step { $near }, any distance { $far }
       *[none] Now: no direction of its own
    }
detail-section = { $section ->
        [step] One step:
        [far] Any distance:
        [shield] Shield, for an extension:
        [prohibition] Prohibition, for an extension:
        [jump] Jump over a prohibition, for an extension:
        [ignore] Pass through prohibitions, for an extension:
       *[other] Section { $number }, for an extension:
    }
detail-still = It has no moves of its own.
detail-turns = { $way ->
        [moves] It is turned over when it moves
       *[stays] Touch it twice to turn it over
    }. Left in the bag: { $left }
detail-promotes = Promotes where it stands:
detail-then = Then it moves so:
detail-rule = As its rule says: { $text }
detail-anywhere = { $arrows }
detail-never = { $arrows } never
detail-rows = { $arrows } in row { $rows }
detail-cols = { $arrows } in column { $cols }
detail-points = { $arrows } on { $points }
detail-not-points = { $arrows } not on { $points }
detail-gone = { $arrows } when { $piece } (no. { $id }) is not on the board exactly once
detail-count = { $arrows } while { $least } to { $most } of { $piece } (no. { $id }) are on the board
detail-count-all = { $arrows } while { $least } to { $most } pieces are on the board
detail-distance = { $arrows } while { $piece } (no. { $id }) is { $relation ->
        [at] exactly { $steps } steps away
        [farther] more than { $steps } steps away
       *[nearer] fewer than { $steps } steps away
    }
detail-beside = { $arrows } while { $piece } (no. { $id }) is { $relation ->
        [at] exactly { $steps } steps away
        [farther] more than { $steps } steps away
       *[nearer] fewer than { $steps } steps away
    } towards { $sides }
detail-named = { $arrows } where an extension says so: { $place }
detail-unknown = { $arrows } nowhere: nothing explains { $place }
detail-attribute = { $name } = { $value }
detail-becomes = There it becomes: { $names }
detail-way = { $course ->
        [step] { $arrows } one step
        [up-to] { $arrows } up to { $count } squares
        [leap] leaps { $arrows } (rows:columns)
       *[far] { $arrows } any distance
    }{ $mode ->
        [walk] , without taking
        [take] , only to take
       *[any] {""}
    }{ $over ->
        [yes] , over exactly one piece
       *[no] {""}
    }{ $lame ->
        [yes] , not over pieces
       *[no] {""}
    }{ $bound ->
        [yes] , from some squares
       *[no] {""}
    }

map-made = { $place } was written: a small game to begin with. Open it in a spreadsheet program; the sheet “help” explains its cells.
map-help-title = This workbook is a game. Three sheets are read: chesses (the pieces), map (the board), rules (three switches). Other sheets, such as this one, are not.
map-help-try = Check it with “qiguan map check FILE”, look at it with “qiguan map show FILE”, and bring it to a hall on the page of Jingbanqi.
map-help-pieces = From row 2 on, one piece a row; the k-th piece has number k, whatever column A says. No blank rows between.
map-help-name = What is written on the piece. A name of digits stands in quotes: "18".
map-help-side = 1 red, 2 blue, 3 neutral. Red sits at the bottom and moves first; neutral pieces are moved by both and never taken.
map-help-captain = The letter c makes the piece a captain: whoever takes one wins.
map-help-rule = Directions of one step, then “;”, then directions of any distance: “2;4,5” goes one step up, or left and right as far as it likes. The “;” is always there.
map-help-directions = 1 up left, 2 up, 3 up right, 4 left, 5 right, 6 down left, 7 down, 8 down right, as red sees the board.
map-help-places = 2(X[5|6]) goes up only from rows 5 and 6; Y[…] are columns, P[row|column|row|column] are squares; -1 is the last row or column. Places are joined by &, which means OR.
map-help-blue = Blue's rules are not turned round: direction 7 is blue's way forward.
map-help-promotes = Places where the piece promotes, for good; empty for never.
map-help-promoted = How it moves then; at least “;”.
map-help-attributes = Whatever extensions read: the heading is the name. Leave it out when you use none.
map-help-board = B1 rows and D1 columns, 1 to 64. Below, from A2 on, the numbers of the pieces as they start; empty for vacant.
map-help-promotion = c: pieces promote.
map-help-undo = c: moves may be taken back.
map-help-neutral = c: a side may not move neutral pieces three times in a row.

# What pieces of maps are called that have one character for a name; the key has its code point.
face-5e05 = general
face-5c06 = general
face-738b = king
face-65d7 = flag
face-536b = guard
face-58eb = advisor
face-8c61 = elephant
face-9a6c = horse
face-8f66 = chariot
face-70ae = cannon
face-5175 = soldier
face-5352 = soldier
face-78c1 = magnet
face-94c1 = iron
face-77f3 = stone
face-5c71 = mountain
face-540e = queen
face-9e7f = giraffe
face-96cf = chick
face-9e21 = hen
face-72ee = lion
face-864e = tiger
face-8c79 = leopard
face-72fc = wolf
face-72d7 = dog
face-732b = cat
face-9f20 = rat
face-6c34 = water
face-9631 = trap
face-7a74 = den
face-5899 = wall
face-5cb8 = bank
face-7897 = bowl
face-706b = fire
face-89d2 = corner
face-5bab = palace
face-6697 = hidden
face-4ed5 = advisor
face-76f8 = elephant
face-7832 = cannon
face-99ac = horse
face-8eca = chariot
face-25cf = stone
face-25cb = stone

# Works: versions, forks, stars
problem-work-note = A note has at most { $most } characters.
problem-work-tags = At most { $most } tags, each of at most { $letters } letters, digits or hyphens.
problem-work-newer-version = Version { $version } of “{ $name }” came meanwhile. Look at what it changed, then put yours after it, or make it a map of its own.
problem-work-was-played = Somebody has played this map: it can be taken off the lists, but not deleted.
problem-work-stars = One to five stars can be given, by those who finished a game on the map.
extension-by = { $name }@{ $version } by { $author }
extension-of = { $name }@{ $version } from the shelf of extensions
problem-extension-needs-account = Shared extensions belong to accounts. Sign in to share one.
problem-extension-name = The name of a shared extension has { $least } to { $most } small letters, digits and hyphens, and begins with a letter.
problem-extension-text = What it does has at most { $about } characters, the note at most { $note }.
problem-extension-size = An extension has at most { $most } KiB.
problem-extension-taken = Somebody else's extension is called { $name }. Choose another name.
problem-extension-newer = Another version of { $name } came meanwhile. Look at it, and share yours again.
problem-extensions-full = { $of ->
    [person] You share { $most } versions of extensions. Delete an extension first.
   *[other] This hall has { $most } versions of extensions, and no more are kept.
}
problem-extension-used = Maps of others use this extension, so it stays. You may take it off the list.
problem-no-such-extension = There is no such extension on the shelf.
problem-extension-other = { $place } is not that version of the shared extension { $text }. Take it from the shelf again, or give the file another name.
problem-rated-map-later = Games on this map are not rated yet: { $players } of { $needs_players } accounts and { $games } of { $needs_games } games between accounts so far.
map-pool-open = Rated: { $players ->
    [one] one player
   *[other] { $players } players
 }, { $games ->
    [one] one game
   *[other] { $games } games
 }.
map-pool-later = Rated once { $needs_players } accounts have finished { $needs_games } games against each other; so far { $players } and { $games }.
map-play-rated = Play rated
