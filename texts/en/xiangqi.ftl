family-xiangqi = Xiangqi
game-xiangqi = Xiangqi
game-xiangqi-free = Xiangqi, home rules
called-xiangqi = Xiangqi
called-xiangqi-free = Home xiangqi
brief-xiangqi = Chinese chess
brief-xiangqi-free = take the general
about-xiangqi = The usual rules: checkmate or no legal move wins; perpetual check and chase are judged.
about-xiangqi-free = Take the general to win: nobody has to heed a check, and repetition is nothing.
option-move-limit = moves without a capture until a draw (0: never)

notation-chinese = Chinese
notation-wxf = WXF (letters)
notation-iccs = ICCS (squares)

side-red = Red
piece-general = general
piece-advisor = advisor
piece-elephant = elephant
piece-horse = horse
piece-rook = rook
piece-cannon = cannon
piece-soldier = soldier

reason-checkmate = checkmate
reason-stalemate = no legal move
reason-general-taken = the general was taken
reason-dead-position = nobody is left who could give mate
reason-natural-limit = too many moves without a capture

counter-natural-limit = Plies without a capture
note-in-check = { $side ->
        [red] Red
       *[black] Black
    } is in check from { $from } and has to answer it.

rules-xiangqi =
    The rook goes straight as far as it likes. The cannon goes like the rook, but to capture it jumps over exactly one piece.
    The horse goes one step straight and one aslant, unless something stands beside it on its way. The elephant goes two steps aslant on its own bank, unless something stands between.
    The advisor goes one step aslant and the general one step straight; both stay in the palace. The soldier goes one step forward, and once across the river also sideways.
    The generals may never face each other on a file with nothing between. You may not leave your general in danger.
    If your opponent cannot move, you have won, in check or not.
    Who checks or chases without end has to give way when the position stands for the third time, or loses. After 60 moves of each side without a capture, or when nobody is left who could give mate, the game is drawn.
    By home rules you win by taking the general: nobody has to heed a check, and repetition is nothing.

# Endings by repetition.
reason-perpetual-check = perpetual check
reason-perpetual-chase = perpetual chase
reason-mutual-perpetual-check = both sides checked perpetually
reason-mutual-perpetual-chase = both sides chased perpetually
reason-repetition = the position came back a third time
ply-check = check
ply-chase = chase

# Why a repetition was judged as it was.
ruling-perpetual-check = { $side ->
        [red] Red
       *[black] Black
    } gave check with every move until the position stood for the third time. Perpetual check loses.
ruling-perpetual-chase = { $side ->
        [red] Red
       *[black] Black
    } chased the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } that is now on { $on } with every move until the position stood for the third time. Perpetual chase loses.
ruling-mutual-perpetual-check = Both sides gave check with every move: neither has to give way, and the game is drawn.
ruling-mutual-perpetual-chase = Both sides chased with every move: neither has to give way, and the game is drawn.
ruling-repetition = The position stood for the third time, and neither side checked, or chased one and the same piece, with every move: the game is drawn.
ruling-gives-check = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) gives check.
ruling-chases-unprotected = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) lets the { $chaser ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
        *[cannon] cannon
    } on { $at } attack the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $on }, which nothing protects.
ruling-chases-false-root = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) lets the { $chaser ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
        *[cannon] cannon
    } on { $at } attack the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $on }. The { $root ->
         [general] general
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $rooted } does not protect it: taking back would leave its general in check.
ruling-chases-beside = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) lets the { $chaser ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
        *[cannon] cannon
    } on { $at } attack the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $on }. Only the general stands by it, and it may not take back: it would be in check there.
ruling-chases-outranked = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) lets the { $chaser ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
        *[cannon] cannon
    } on { $at } attack the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $on }. So strong a piece may not be chased by so weak a one, protected or not.
ruling-takes-protection = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) takes away what protected the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $on }; the { $chaser ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
        *[cannon] cannon
    } on { $at } now attacks it for nothing.
ruling-pins-protector = { $side ->
        [red] Red
       *[black] Black
    }’s { $wxf } ({ $chinese }) makes the { $root ->
         [general] general
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $rooted } unable to protect the { $prey ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $on }: taking back would leave its general in check. The { $chaser ->
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
        *[cannon] cannon
    } on { $at } now attacks it for nothing.
ruling-lesser-than-check = { $side ->
        [red] Red
       *[black] Black
    } chased with every move, too, but check weighs more than chase.
ruling-lesser-undermining = { $side ->
        [red] Red
       *[black] Black
    } chased with every move, too, but at least once only by taking protection away; new attacks weigh more.
ruling-lesser-other = { $side ->
        [red] Red
       *[black] Black
    } chased with every move, too, but not one and the same piece all the time.
ruling-free-move = { $side ->
        [red] Red
       *[black] Black
    } played moves that neither check nor chase, such as { $wxf } ({ $chinese }), and is free.
ruling-free-change = { $side ->
        [red] Red
       *[black] Black
    } neither checked with every move nor chased one and the same piece: its { $wxf } ({ $chinese }) changes that, and it is free.

# Move texts that name no move.
problem-xiangqi-move-unreadable = “{ $move }” is not a move. Write 炮二平五, C2=5, H2-E2 or h2e2.
problem-xiangqi-move-ambiguous = “{ $move }” could be several moves: { $moves }. Say which piece: 前 or 后, + or -, or the squares.
problem-xiangqi-no-such-move = No piece can play “{ $move }” here.
problem-xiangqi-nothing-there = Nothing stands on { $square }.
problem-xiangqi-not-yours = The piece on { $square } is not yours: { $side ->
        [red] Red
       *[black] Black
    } is to move.
problem-xiangqi-cannot-go = The { $piece ->
         [general] general
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $from } cannot go to { $to }.
problem-xiangqi-move-opens-file = After { $move } the two generals would face each other on an open file.
problem-xiangqi-exposes-general = After { $move } the { $piece ->
         [general] general
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $at } would take { $side ->
        [red] Red
       *[black] Black
    }’s general.
problem-xiangqi-still-in-check = { $side ->
        [red] Red
       *[black] Black
    } is in check from the { $piece ->
         [general] general
         [advisor] advisor
         [elephant] elephant
         [horse] horse
         [rook] rook
         [cannon] cannon
        *[soldier] soldier
    } on { $at }; { $move } does not answer it.
problem-xiangqi-game-over = The general is taken and the game is over; { $move } cannot be played.

# Positions that are not accepted.
problem-xiangqi-fen-too-long = The position text is { $found } bytes long; the longest there can be has { $most }.
problem-xiangqi-fen-fields = The position text has { $found } parts. Write the board and the side to move; two dashes, the plies without a capture and the number of the move may follow.
problem-xiangqi-fen-rows = The board has { $found ->
    [one] one row
   *[other] { $found } rows
 }; it needs 10, with / between them.
problem-xiangqi-fen-letter = Position text, row { $row } from the top: “{ $found }” is not a piece. Write k a b n r c p, capitals for Red, and 1 to 9 for empty squares.
problem-xiangqi-fen-width = Position text, row { $row } from the top: “{ $found }” is not 9 squares wide.
problem-xiangqi-fen-side = Position text: the side to move is “{ $found }”, expected w (or r) for Red or b for Black.
problem-xiangqi-fen-dash = Position text: “{ $found }” stands where a dash is expected.
problem-xiangqi-fen-number = Position text: “{ $found }” is not a whole number from 0 to { $most }.
problem-xiangqi-no-such-piece = There is no piece called “{ $piece }” in xiangqi.
problem-xiangqi-square-taken = Two pieces are to stand on { $square }.
problem-xiangqi-too-many = { $side ->
        [red] Red
       *[black] Black
    } has more than { $most } { $most ->
        [one] piece
       *[other] pieces
    } of one kind: { $piece ->
        [general] general
        [advisor] advisors
        [elephant] elephants
        [horse] horses
        [rook] rooks
        [cannon] cannons
       *[soldier] soldiers
    }.
problem-xiangqi-off-limits = { $side ->
        [red] Red
       *[black] Black
    }’s { $piece ->
        [general] general
        [advisor] advisor
        [elephant] elephant
       *[soldier] soldier
    } can never stand on { $square }.
problem-xiangqi-no-general = { $side ->
        [red] Red
       *[black] Black
    } has no general.
problem-xiangqi-generals-facing = The two generals face each other with nothing between them.
problem-xiangqi-check-unanswered = { $side ->
        [red] Red
       *[black] Black
    } is in check from { $square }, but it is the other side’s turn.

# The page leads here from a ruling.
heading-xiangqi-ruling = When a position comes back
rules-xiangqi-ruling =
    When the same position stands for the third time with the same side to move, all moves since it first stood are judged. Before that everybody may repeat.
    Perpetual check: who gave check with every move loses, if the other side did not. When both did, it is a draw.
    Perpetual chase: who chased one and the same piece with every move loses, if the other side did nothing as grave. A check with every move is graver than a chase.
    A move chases a piece when after it some piece threatens to take that piece and did not threaten it before. Generals and soldiers may chase as they like, and soldiers on their own bank cannot be chased.
    It is no threat when the piece is protected: when its side could legally take back. A protector that may not move, because its general would be in check, is a false root and protects nothing.
    Protection does not count when a horse or cannon threatens a rook, or an advisor or elephant a rook, horse or cannon. Offering an exchange of like pieces is no threat.
    Whoever plays at least one other move, chases different pieces in turn, blocks, offers an exchange or threatens mate commits no offence. When neither side offends, or both offend equally, the game is drawn.
