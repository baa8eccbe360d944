# Balance reports of maps: the page fetches these when somebody opens one, the terminal says them, too.

balance = Balance report
balance-title = Balance of { $name }
balance-games = { $done } of { $of ->
    [one] one game
   *[other] { $of } games
 } of the engine against itself.
balance-red = Red
balance-blue = Blue
balance-drawn = drawn
balance-cut = cut off
balance-level = level { $level }
balance-all = all
balance-start = start
balance-end = end
balance-reach = by reach
balance-learned = as played
balance-promoted = { $piece } +
balance-plot-shares = Who wins: points of each side, and the interval of red’s share
balance-plot-lengths = Length of the games in plies
balance-plot-lead = Mean chance of the eventual winner in the course of the game
balance-plot-choices = Moves to choose from in the course of the game
balance-plot-pieces = What pieces are worth, in hundredths
balance-plot-visits = Where pieces go: share of all plies, in percent
balance-measures = Measures
balance-ludii = The last column has the name of the same measure in Ludii; with ~ it is the same idea, computed from our engine’s judgement.
balance-measure-advantage = Red’s share of the points
balance-measure-balance = Balance (1: both win equally often)
balance-measure-completion = Games with a winner
balance-measure-drawishness = Drawn games
balance-measure-timeouts = Games that were cut off
balance-measure-stuck = Games drawn because a side had no move
balance-measure-plies = Plies
balance-measure-plies-median = Plies, median
balance-measure-plies-deviation = Plies, standard deviation
balance-measure-branching = Moves to choose from
balance-measure-decision-factor = The same, where there was a choice
balance-measure-decisions = Plies with a choice
balance-measure-tree = Size of the game tree, as a power of ten
balance-measure-pieces = Pieces on the board
balance-measure-occupied = Squares that are occupied
balance-measure-coverage = Squares that were ever occupied
balance-measure-lead-changes = Changes of the lead in a game
balance-measure-last-lead-change = When the lead changed last, in the course of the game
balance-measure-decided = When the game was decided, in the course of it
balance-measure-threshold = The best chance that a loser ever had
balance-measure-drama = How far the winner was behind, while behind
balance-measure-stability = Stability of the lead
balance-tempo = The move is worth { $value } hundredths ({ $low } to { $high }).
balance-piece = Piece
balance-moves = Plies a game
balance-takes = Captures a game
balance-forced = Wins by force
balance-forced-none = None was found.
balance-forced-start = { $winner } wins by force from the start, in { $plies } plies: { $line }
balance-forced-after = After { $after }, { $winner } wins by force in { $plies } plies: { $line }
balance-idle = Rules that never mattered
balance-idle-none = Every rule mattered.
balance-moments = Positions that decided
balance-moments-none = None was found.
balance-moment = { $by }, after { $plies } plies at level { $level }: { $played } lowered the chance to win from { $before } % to { $after } %. Better: { $better }
balance-openings = Openings that were played most
balance-opening-games = Games
balance-fault = In { $games ->
        [one] one game
       *[other] { $games } games
    } an extension failed; they are left out.
balance-differ = Red’s share is { $first } % in the first and { $second } % in the second. Chance alone would bring them so far apart in { $likely } % of all cases: the maps differ.
balance-alike = Red’s share is { $first } % in the first and { $second } % in the second. That may be chance ({ $likely } %).
balance-fair = Red’s share is { $share }: a fair map, as far as these games can tell.
balance-unfair = Red’s share is { $share }: { $side } has the better game.
balance-written = { $place } is written.

problem-report-plan = A report needs levels from 1 to 10, games and plies; { $most } games are the most.
problem-report-idle-promotion = Promotion is switched on, but nothing ever promoted.
problem-report-idle-neutral-limit = The limit of neutral moves never forbade a move.
problem-report-idle-old-names = Old built-in names are known, but no rule uses one.
problem-report-idle-piece = { $piece } ({ $side ->
        [red] red
        [blue] blue
       *[neutral] neutral
    }) never stood on the board.
problem-report-idle-rise = { $piece } ({ $side ->
        [red] red
        [blue] blue
       *[neutral] neutral
    }) never promoted.
problem-report-idle-unmoved = { $piece } ({ $side ->
        [red] red
        [blue] blue
       *[neutral] neutral
    }) never moved.
problem-report-idle-never = { $piece } ({ $side ->
        [red] red
        [blue] blue
       *[neutral] neutral
    }{ $promoted ->
        [yes] , promoted
       *[no] {""}
    }): { $rule } in section { $section } never gave a move.
problem-report-idle-unplayed = { $piece } ({ $side ->
        [red] red
        [blue] blue
       *[neutral] neutral
    }{ $promoted ->
        [yes] , promoted
       *[no] {""}
    }): { $rule } in section { $section } could have been played at { $plies } plies and never was.
problem-report-idle-hook = { $place }: no game ever asked { $hook }.
problem-no-balance = Nobody has asked for a balance report of this map yet.
balance-against = Beside another map
balance-alone = none
