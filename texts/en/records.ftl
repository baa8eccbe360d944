problem-record-limit = { $what ->
        [bytes] The file has { $found } bytes
        [plies] The record has { $found } moves
        [options] The record has { $found } options
        [extensions] The map of the record has { $found } extensions
        [map] The name of the record's map is { $found } bytes long
        [move] A move in the record is { $found } bytes long
        [comment] A comment in the record is { $found } bytes long
        [start] The start position of the record is { $found } bytes long
        [tags] The record has { $found } tags
        [nags] A move in the record has { $found } signs of judgement
        [values] The file has { $found } values
        [depth] Lists in the file lie { $found } deep
        [branches] The record has { $found } branches
        [names] The file has { $found } names
        [places] The list of the library has { $found } places
       *[other] A text in the record ({ $what }) is { $found } bytes long
    }; at most { $most } are read.
problem-record-not-utf8 = The file is not UTF-8 text: byte { $byte } does not fit. Save it as UTF-8 and try again.
problem-record-file = The file cannot be read on: { $detail }.
problem-record-read-only = Files of the format “{ $format }” can be read here, but not written. PGN, JSON and plain text can be written.
problem-record-fen-alone = A position alone does not say which game it belongs to. Name the game.
problem-record-no-start = The record does not say which position it begins with.
problem-record-tag = “{ $found }” in the record cannot be the name of a tag: it begins with a letter and has only letters, digits and _ in it, and it is none of the names that a record has a place for.
problem-record-game = The record does not say which game was played, or says it strangely: “{ $found }”.
problem-record-move-text = “{ $found }” in the record cannot be a move: a move has no spaces in it.
problem-record-option-name = “{ $found }” in the record cannot be the name of an option: it has no spaces and no = in it.
problem-record-move-refused = { $where ->
        [side] In a side line, move
       *[main] Move
    } { $turn }{ $by ->
        [second] …
       *[first] { "" }
    } { $move } is not possible there; the moves before it are.
problem-table-cut = { $kept ->
        [0] The first move of the record, { $move }, is not possible.
       *[other] The main line was cut at move { $turn }, { $move }: it is not possible there; the moves before it are.
    }
problem-table-first-game = The file holds further games; this is the first one. The library takes them all.
problem-table-one-line = { $moves ->
    [one] one move
   *[other] { $moves } moves
 } of variations are left out: a table has one line. A study keeps them all.
problem-record-result-doubted = The result says { $told ->
        [first] that the side that begins has won
        [second] that the other side than the one that begins has won
        [draw] that it is a draw
       *[void] that nobody has won
    }, but by the rules { $decided ->
        [first] the side that begins has won
       *[second] the other side has won
    } in the last position.
problem-record-game-guessed = The file does not say which game it holds; its games were read as { $game }, which fits most of them. Name another one with --game.

problem-record-json = The record is not the JSON it should be, line { $line }, column { $column }: { $detail }.
problem-record-json-base64 = The map of the record cannot be read: { $detail }.
problem-record-json-format = The file is a “{ $found }”, expected “{ $expected }”.
problem-record-json-version = The record was written in version { $found } of the format; version { $expected } can be read. Use a newer program.
problem-record-json-score = The result of the record is “{ $found }”, expected first, second, draw or void.
problem-record-json-move = Move { $number } of the record is neither a text nor an object with a move: { $detail }.
problem-record-json-after = Move { $number } of the record comes after move { $found }, which does not stand before it.

problem-record-text-header = Line { $line }: “{ $found }” is not a name, a colon and a value. An empty line ends these lines.
problem-record-text-result = Line { $line }: the result is “{ $found }”, expected first, second, draw, void or *.
problem-record-text-option = Line { $line }: the option “{ $found }” is not a name, = and a whole number.
problem-record-text-time = Line { $line }, column { $column }: “{ $found }” after @ is not a thinking time such as 1500ms behind a move.
problem-record-text-nag = Line { $line }, column { $column }: “{ $found }” after $ is not a number from 0 to 255 behind a move.
problem-record-text-variation = Line { $line }, column { $column }: this variation has no move before it that it could replace.
problem-record-text-open-comment = Line { $line }, column { $column }: this comment is not closed with a brace.
problem-record-text-open-variation = Line { $line }, column { $column }: the record ends inside a variation; a closing bracket is missing.
problem-record-text-close = Line { $line }, column { $column }: this bracket or brace closes nothing.

problem-sgf-no-game = No SGF game was found: one begins with (;
problem-sgf-other-game = Line { $line }, column { $column }: this SGF file holds another game (GM is “{ $found }”), expected GM[4], gomoku. If it is gomoku, name the game.
problem-sgf-size = Line { $line }, column { $column }: “{ $found }” is not a board size such as 15 or 15:20.
problem-sgf-point = Line { $line }, column { $column }: “{ $found }” is not a point of this board. A point is two letters, such as hh.
problem-sgf-side = Line { $line }, column { $column }: the side to move is “{ $found }”, expected B or W.
problem-sgf-turn = Line { $line }, column { $column }: { $found ->
        [B] Black
       *[W] White
    } moves out of turn.
problem-sgf-late-setup = Line { $line }, column { $column }: stones are set up after the first move; a record can only begin with them.
problem-sgf-no-value = Line { $line }, column { $column }: the property { $property } has no value in square brackets.
problem-sgf-open-value = Line { $line }, column { $column }: this square bracket is not closed.
problem-sgf-open = Line { $line }, column { $column }: the file ends inside the game; a closing bracket is missing.
problem-sgf-unexpected = Line { $line }, column { $column }: this sign does not belong here; expected a bracket, a semicolon or a property.
problem-sgf-game = SGF files are written for gomoku only; this is a record of “{ $found }”.
problem-sgf-move = { $move } is not a point of the board, so it cannot be written as SGF.

problem-pgn-none = No game was found: a PGN file begins with tags such as [Red "…"] or with moves.
problem-pgn-unread = Line { $line }, column { $column }: “{ $found }” and the words behind it are no moves that can be read here; they were kept as a remark.
problem-pgn-tag = Line { $line }, column { $column }: this tag is not a name and a text in quotes between square brackets, such as [Red "…"].
problem-pgn-other-game = Line { $line }, column { $column }: this PGN file holds another game (“{ $found }”), expected xiangqi.
problem-pgn-game = PGN files are written for xiangqi only; this is a record of “{ $found }”.
problem-pgn-move = Line { $line }, column { $column }: { $move } is not possible there ({ $where ->
        [side] in a side line
       *[main] in the main line
    }, move { $turn }); the moves before it are.
problem-pgn-ambiguous = Line { $line }, column { $column }: { $move } can be read in more than one way there ({ $where ->
        [side] in a side line
       *[main] in the main line
    }, move { $turn }): for instance { $moves }.
problem-pgn-null = Line { $line }, column { $column }: “{ $move }” is no move ({ $where ->
        [side] in a side line
       *[main] in the main line
    }, move { $turn }), so what comes behind it cannot be played.
problem-pgn-after-result = Line { $line }, column { $column }: more moves stand behind the result; they were kept.
problem-pgn-refused = { $move } is not possible in the position { $fen }, so the game cannot be written as PGN.
problem-pgn-variation = Line { $line }, column { $column }: this variation has no move before it that it could replace.
problem-pgn-close = Line { $line }, column { $column }: this bracket closes nothing.
problem-pgn-open-comment = Line { $line }, column { $column }: this comment is not closed with a brace.
problem-pgn-open-variation = Line { $line }, column { $column }: the game ends inside a variation; a closing bracket is missing.
problem-pgn-unexpected = Line { $line }, column { $column }: this sign does not belong here; expected a move, a comment, a variation or the result.

problem-xqf-not-one = This is not an XQF file: one begins with XQ and its version.
problem-xqf-game = XQF files are written for xiangqi only; this is a record of “{ $found }”.
problem-xqf-pieces = The position has more pieces “{ $found }” than a set of xiangqi, so it has no place in this format.
problem-xqf-refused = “{ $move }” is no move from one point to another, so it has no place in an XQF file.
problem-xqf-cut = The XQF file ends too early, after { $byte } bytes.
problem-xqf-two-on-one = Two pieces of the XQF file stand on one point, at byte { $byte }.
problem-xqf-point = The move at byte { $byte } of the XQF file leaves the board. The file may be damaged, or scrambled in a way that is not known.
problem-xqf-comment = The comment at byte { $byte } of the XQF file is longer than the rest of the file. The file may be damaged, or scrambled in a way that is not known.

problem-cbr-not-one = This is not a CBR file: one begins with “CCBridge Record”.
problem-cbr-cut = The game of CCBridge ends too early, after { $byte } bytes.
problem-cbr-piece = Byte { $byte } of the game of CCBridge is no piece.
problem-cbr-point = The move at byte { $byte } of the game of CCBridge leaves the board.
problem-cbl-not-one = This is not a CBL file: one begins with “CCBridgeLibrary”.
problem-cbl-empty = There is no game in this library of CCBridge.

problem-dpxq-none = No DPXQ text was found: its parts look like [DhtmlXQ_movelist]…[/DhtmlXQ_movelist].
problem-dpxq-game = DPXQ texts are written for xiangqi only; this is a record of “{ $found }”.
problem-dpxq-refused = “{ $move }” is no move from one point to another, so it has no place in a DPXQ text.
problem-cbf-none = There is no list of moves in this file of CCBridge.
problem-cbf-move = Line { $line }, column { $column }: “{ $found }” is not a move such as 77-47.
problem-wxf-none = There are no moves in this WXF file: they stand between START{"{"} and {"}"}END.
problem-dpxq-pieces = Line { $line }, column { $column }: the start position has { $found } digits, expected 64, two for each piece.
problem-dpxq-two-on-one = Line { $line }, column { $column }: two pieces stand on the point { $found }.
problem-dpxq-move = Line { $line }, column { $column }: “{ $found }” is not a move: four digits, file and row of where it begins and where it ends.
problem-dpxq-branch = Line { $line }, column { $column }: this variation leaves branch { $found }, which is not there.
problem-dpxq-branch-ply = Line { $line }, column { $column }: this variation replaces move { $found }, but the branch that it leaves is shorter.

problem-chess-open = Line { $line }, column { $column }: the saved game ends inside a list; a closing bracket is missing.
problem-chess-close = Line { $line }, column { $column }: this bracket closes nothing.
problem-chess-quote = Line { $line }, column { $column }: this text is not closed with a quote.
problem-chess-situation = The saved game has no position: expected situation and ten rows.
problem-chess-row = Row { $row } of the position in the saved game does not have nine points.
problem-chess-piece = “{ $found }” in the saved game is not the name of a piece.
problem-chess-history = The history of the saved game is not a list of moves.
problem-chess-step = Move { $back } of the history, counted back from the last one, does not fit the position of the saved game.

problem-psq-head = The first line of a PSQ file is like “Piskvorky 20x20, 11:11, 0”; here it is “{ $found }”.
problem-psq-point = PSQ, line { $line }: “{ $found }” is not on the board.
problem-psq-game = PSQ files hold gomoku only, not { $found }.
problem-psq-start = PSQ files begin with an empty board; this record begins with stones on it.
problem-psq-move = PSQ files have no place for the move “{ $move }”.
problem-lib-head = This is not a RenLib library: its first bytes are other ones.
problem-lib-end = The RenLib library ends too early, at byte { $byte }; more moves were promised.
problem-lib-point = RenLib library, byte { $byte }: { $found } is no point of a 15x15 board.
problem-lib-game = RenLib libraries hold gomoku and renju only, not { $found }.
problem-lib-board = RenLib libraries begin with an empty board of { $side }x{ $side }; this record does not.
problem-lib-move = RenLib libraries have no place for the move “{ $move }”.
problem-pos-point = “{ $found }” in the position string is not a point; write them as in h8i9j10.
problem-pos-game = Position strings are for gomoku only, not { $found }.
problem-pos-start = A position string begins with an empty board; this record begins with stones on it.
problem-pos-move = A position string has no place for the move “{ $move }”.
problem-opening-number = “{ $found }” in the opening is not a small whole number; write pairs such as -2,-1, 0,3.
problem-opening-odd = The opening has { $found } numbers; they go in pairs.
problem-opening-off-board = The opening leaves the board with { $found }.

problem-pdn-none = The file holds no game of draughts.
problem-pdn-tag = Line { $line }: a tag is a name and a value in quotes, such as [White "Wiersma"].
problem-pdn-game-type = Line { $line }: “{ $found }” is no game of draughts that is played here.
problem-pdn-move = Line { $line }, column { $column }: { $move } is not possible there ({ $where ->
        [side] in a side line
       *[main] in the main line
    }, move { $turn }); the moves before it are.
problem-pdn-ambiguous = Line { $line }, column { $column }: { $move } fits several captures there ({ $where ->
        [side] in a side line
       *[main] in the main line
    }, move { $turn }): { $candidates }. Write out which one is meant.
problem-pdn-odd-move = Move { $turn }: “{ $move }” has no sign between its squares; it was read as a move, as others of its kind.
problem-pdn-null = Line { $line }, column { $column }: “{ $move }” is no move ({ $where ->
        [side] in a side line
       *[main] in the main line
    }, move { $turn }), so what comes behind it cannot be played.
problem-pdn-results-turned = The games of this file whose last position is decided all have White’s points first in their results, although Black begins; the results of the whole file were read so.
problem-pdn-variation = Line { $line }, column { $column }: this variation has no move before it that it could replace.
problem-pdn-close = Line { $line }, column { $column }: this bracket closes nothing.
problem-pdn-open-variation = Line { $line }, column { $column }: the game ends inside a variation; a closing bracket is missing.
problem-pdn-open-comment = Line { $line }, column { $column }: this remark is not closed with a brace.
problem-pdn-open-setup = Line { $line }, column { $column }: this position is not closed with a slash.
problem-pdn-late-setup = Line { $line }, column { $column }: a position that is set up in the middle of a game cannot be kept.
problem-pdn-game = PDN holds games of draughts, not “{ $found }”.
problem-pdn-refused = The record cannot be written as PDN: { $move } is not possible where it stands.

problem-boards-row = Line { $line }: “{ $found }” is not a row of 0, 1 and 2 with commas between them.
problem-boards-rows = The board has { $found ->
    [one] one row
   *[other] { $found } rows
 }, expected 20, ten for White and ten for Black, or 16 for a small board.
problem-boards-width = Line { $line }: the row has { $found } signs, expected { $expected }.
problem-boards-list = Line { $line }: “{ $found }” is not one of white, white_boss, black and black_boss with a colon and squares.
problem-boards-square = Line { $line }: “{ $found }” is not a square of the board.
problem-boards-extra = Line { $line }: “{ $found }” is not understood; turn:black and size:8 are.
problem-boards-dark = Line { $line }: column { $x }, row { $y } (both from 0) is a light square, where no piece stands. Column and row are counted from 0 at White's left corner, and their sum must be even: such as white:80,93 (a king: white_boss:91), in letters white:IA,JD.
problem-locked-json-game = return_game() holds positions of locked chess, not of “{ $found }”.
problem-pasted-other-game = This is a saved position of “{ $found }”, and the game here is “{ $game }”.
problem-boards-twice = Line { $line }: column { $x }, row { $y } (both from 0) holds two pieces.
problem-boards-game = These texts hold boards of draughts with 8 or 10 columns, not “{ $found }”.
problem-chess-not-xiangqi = Files of emacs-chess-cn hold xiangqi; this is { $game }.
record-part-moves = moves
record-part-variations = variations
record-part-comments = remarks
record-part-times = thinking times
record-part-nags = signs of judgement
record-part-players = players
record-part-result = the result
record-part-reason = the reason of the result
record-part-clock = the clock
record-part-date = the day
record-part-tags = tags
record-part-options = options
