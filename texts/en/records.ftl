problem-record-limit = { $what ->
        [bytes] The file has { $found } bytes
        [plies] The record has { $found } moves
        [options] The record has { $found } options
        [move] A move in the record is { $found } bytes long
        [comment] A comment in the record is { $found } bytes long
        [start] The start position of the record is { $found } bytes long
       *[other] A text in the record ({ $what }) is { $found } bytes long
    }; at most { $most } are read.
problem-record-not-utf8 = The file is not UTF-8 text: byte { $byte } does not fit. Save it as UTF-8 and try again.
problem-record-game = The record does not say which game was played, or says it strangely: “{ $found }”.
problem-record-move-text = “{ $found }” in the record cannot be a move: a move has no spaces in it.
problem-record-option-name = “{ $found }” in the record cannot be the name of an option: it has no spaces and no = in it.
problem-record-move-refused = Move { $ply } of the record, { $move }, is not possible there; the moves before it are.

problem-record-json = The record is not the JSON it should be, line { $line }, column { $column }: { $detail }.
problem-record-json-format = The file is a “{ $found }”, expected “{ $expected }”.
problem-record-json-version = The record was written in version { $found } of the format; version { $expected } can be read. Use a newer program.
problem-record-json-score = The result of the record is “{ $found }”, expected first, second, draw or void.
problem-record-json-move = Move { $number } of the record is neither a text nor an object with a move: { $detail }.
problem-record-json-after = Move { $number } of the record comes after move { $found }, which does not stand before it.

problem-record-text-header = Line { $line }: “{ $found }” is not a name, a colon and a value. An empty line ends these lines.
problem-record-text-result = Line { $line }: the result is “{ $found }”, expected first, second, draw, void or *.
problem-record-text-option = Line { $line }: the option “{ $found }” is not a name, = and a whole number.
problem-record-text-time = Line { $line }, column { $column }: “{ $found }” after @ is not a thinking time such as 1500ms behind a move.
problem-record-text-variation = Line { $line }, column { $column }: this variation has no move before it that it could replace.
problem-record-text-open-comment = Line { $line }, column { $column }: this comment is not closed with a brace.
problem-record-text-open-variation = Line { $line }, column { $column }: the record ends inside a variation; a closing bracket is missing.
problem-record-text-close = Line { $line }, column { $column }: this bracket or brace closes nothing.

problem-sgf-no-game = No SGF game was found: one begins with (;
problem-sgf-other-game = Line { $line }, column { $column }: this SGF file holds another game (GM is “{ $found }”), expected GM[4], gomoku.
problem-sgf-rule = Line { $line }, column { $column }: the rule “{ $found }” is not known here; freestyle (0) and standard (1) are.
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
