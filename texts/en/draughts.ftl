family-draughts = Draughts
game-draughts-international = Draughts, international (10x10)
game-draughts-brazilian = Draughts, Brazilian
game-draughts-russian = Draughts, Russian
game-draughts-pool = Draughts, American pool
game-draughts-english = Draughts, English (checkers)
game-draughts-italian = Draughts, Italian
game-draughts-spanish = Draughts, Spanish and Portuguese
game-draughts-czech = Draughts, Czech
game-draughts-frisian = Draughts, Frisian
game-draughts-frysk = Draughts, Frysk!
game-draughts-killer = Draughts, Killer
game-draughts-breakthrough = Draughts, Breakthrough
game-draughts-losing = Draughts, losing (giveaway)
game-draughts-thai = Draughts, Thai (makhos)
game-draughts-turkish = Draughts, Turkish (dama)
game-draughts-canadian = Draughts, Canadian (12x12)
game-draughts-school = Draughts, school (8x8)
called-draughts-international = International draughts
called-draughts-brazilian = Brazilian draughts
called-draughts-russian = Russian draughts
called-draughts-pool = Pool checkers
called-draughts-english = Checkers
called-draughts-italian = Italian draughts
called-draughts-spanish = Spanish draughts
called-draughts-czech = Czech draughts
called-draughts-frisian = Frisian draughts
called-draughts-frysk = Frysk!
called-draughts-killer = Killer draughts
called-draughts-breakthrough = Breakthrough draughts
called-draughts-losing = Giveaway draughts
called-draughts-thai = Thai draughts
called-draughts-turkish = Turkish draughts
called-draughts-canadian = Canadian draughts
called-draughts-school = School draughts
brief-draughts-international = 10 × 10, flying kings
brief-draughts-brazilian = international on 8 × 8
brief-draughts-russian = kings made on the way
brief-draughts-pool = men capture backwards
brief-draughts-english = 8 × 8, short kings
brief-draughts-italian = men never take kings
brief-draughts-spanish = flying kings, most first
brief-draughts-czech = kings capture first
brief-draughts-frisian = captures straight, too
brief-draughts-frysk = five men each
brief-draughts-killer = kings stop right behind
brief-draughts-breakthrough = the first king wins
brief-draughts-losing = lose all to win
brief-draughts-thai = 8 men each (makhos)
brief-draughts-turkish = straight moves (dama)
brief-draughts-canadian = 12 × 12
brief-draughts-school = 8 × 8, numbered

about-draughts-international = 20 men each. Men capture backwards, too, kings fly, and the most pieces must be captured.
about-draughts-brazilian = International rules on the small board, 12 men each.
about-draughts-russian = Any capture may be chosen. A man that reaches the last row captures on as a king.
about-draughts-pool = Black begins. Men capture backwards, too, kings fly, and any capture may be chosen.
about-draughts-english = Black begins. Men capture forwards only, kings go one step, and any capture may be chosen.
about-draughts-italian = Men capture forwards only and never a king. Kings go one step; the largest capture must be chosen.
about-draughts-spanish = Men capture forwards only, kings fly. The most pieces must be captured, and of these the most kings.
about-draughts-czech = Men capture forwards only, kings fly. If a king can capture, a king must.
about-draughts-frisian = Pieces capture along ranks and files, too, and the most valuable capture must be chosen.
about-draughts-frysk = Frisian draughts with five men each.
about-draughts-killer = International, but a king that captures a king last stops right behind it.
about-draughts-breakthrough = International, but whoever makes the first king wins.
about-draughts-losing = International, but whoever has no pieces or no moves left wins.
about-draughts-thai = 8 men each, Black begins. Kings fly, but stop right behind what they capture.
about-draughts-turkish = On all squares, straight instead of diagonally. 16 men each, the most pieces must be captured.
about-draughts-canadian = International rules on the large board, 30 men each.
about-draughts-school = International rules on the small board, squares numbered, as the school’s program has them.

piece-man = man
piece-king = king

notation-pdn = PDN
notation-hub = Hub
notation-algebraic = letters

reason-no-pieces = all pieces are captured
reason-blocked = no piece can move
reason-rid-of-all = all own pieces are gone, which wins here
reason-blocked-wins = no piece can move, which wins here
reason-first-king = the first king is made
reason-position-repeated = the position has come back too often
reason-kings-only = only kings have moved for too long
reason-few-pieces = too few pieces are left to win in five moves
reason-three-against-one = three pieces did not beat a lone king in sixteen moves
reason-three-kings = three kings did not beat a lone king in time
reason-one-against-one = each side has a single piece left
reason-balance-small = four or five pieces, and nothing changed for thirty moves
reason-balance-large = six or seven pieces, and nothing changed for sixty moves
reason-long-diagonal = a lone king held the long diagonal for five moves
reason-king-against-king = king against king
reason-two-kings = two kings did not beat a lone king in seven moves

counter-kings-only = Plies of kings alone
counter-few-pieces = Plies of the five-move rule
counter-three-against-one = Plies of the sixteen-move rule
counter-three-kings = Plies of three kings against one
counter-balance-small = Plies of the thirty-move rule
counter-balance-large = Plies of the sixty-move rule
counter-long-diagonal = Plies on the long diagonal
counter-king-against-king = Plies of king against king
counter-two-kings = Plies of two kings against one
counter-same-king = Moves in a row with one king

note-must-capture = { $count ->
        [one] A piece must be captured: move { $squares }.
       *[other] { $count } pieces must be captured: move { $squares }.
    }
note-must-capture-any = Whoever can capture must, and to the end: move { $squares }.

rules-draughts =
    Men move one square diagonally forwards to an empty square; a man that ends its move on the last row becomes a king.
    Whoever can capture must: jump over an opposing piece to the empty square behind it, and on from there as long as that is possible.
    In most variants the capture that takes the most pieces must be chosen, men also capture backwards, and kings fly any distance along empty squares. Captured pieces leave together when the move is over and cannot be jumped over twice.
    Whoever has no pieces left, or none that can move, has lost.

problem-draughts-fen-too-long = The position text is { $found } bytes long; at most { $most } are read.
problem-draughts-fen-turn = Position text: the side to move is “{ $found }”, expected W, B or ?.
problem-draughts-fen-field = Position text: “{ $found }” is neither W or B with its squares nor a counter.
problem-draughts-fen-square = Position text: “{ $found }” is no square or range of this board, whose squares run up to { $last }.
problem-draughts-fen-twice = Position text: two pieces stand on { $square }.
problem-draughts-fen-count = Position text: “{ $found }” is not a counter that this position can have.
problem-draughts-not-a-move = “{ $text }” is not a move. Write the squares the piece leaves, passes and reaches, up to { $last }, with - or x between them.
problem-draughts-ambiguous = “{ $move }” may be several captures. Write more of the squares on the way.
problem-draughts-no-piece = There is no { $side ->
        [black] black
       *[white] white
    } piece on { $square }.
problem-draughts-must-capture = { $count ->
        [one] A piece must be captured; these may do it: { $squares }.
       *[other] { $count } pieces must be captured; these may do it: { $squares }.
    }
problem-draughts-must-capture-any = Whoever can capture must, and to the end; these may do it: { $squares }.
problem-draughts-king-must-rest = The king on { $square } has moved { $limit } times in a row. Move another piece, or capture.
problem-draughts-cannot-go = The piece on { $from } cannot go to { $to }.
problem-draughts-not-a-square = No piece can stand there: it is not a square that is played on.
problem-draughts-man-on-last-row = A { $side ->
        [black] black
       *[white] white
    } man on { $square } would be a king already.
problem-draughts-unknown-piece = “{ $face }” is not a piece of draughts; there are men and kings.
problem-draughts-too-many-pieces = { $side ->
        [black] Black
       *[white] White
    } has { $found } pieces here; a side has at most { $most } on this board.
option-draw = Opening drawn from
option-draw-usual = none: the usual start
option-draw-three-move = the 3-move deck (156)
option-draw-eleven-man = the 11-man ballot (2400)
option-draw-basic = the basic table (149)
option-draw-tables = all drawing tables
about-option-draw-three-move = The hall draws two moves of Black and one of White. Both sides play each opening: the rematch has the same.
about-option-draw-eleven-man = Each side plays without one man, and a first move of each is drawn. The rematch has the same.
about-option-draw-basic = The hall draws first moves from the federation’s table. The rematch has the same.
about-option-draw-tables = The hall draws first moves, or a man of each side put elsewhere. The rematch has the same.
option-drawn = Number of the opening in the deck (0: drawn by lot)
option-leg = The first or the second game with this opening
