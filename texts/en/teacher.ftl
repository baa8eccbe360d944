# The teacher: mistakes in extensions, found before anything runs. Keys: `sandbox::lesson`.
problem-map-full-width = { $place }, line { $line }, column { $column }: “{ $found }” is not a sign of Python. Write “{ $near }” instead, with the keyboard set to English. ({ $text })
problem-map-bad-character = { $place }, line { $line }, column { $column }: “{ $found }” is a character that Python does not know. Delete it, or put it into quotation marks. ({ $text })
problem-map-string-not-closed = { $place }, line { $line }, column { $column }: the text that begins here with { $found } has no end. Put the same mark behind it. ({ $text })
problem-map-bracket-not-closed = { $place }, line { $line }, column { $column }: the bracket “{ $found }” is never closed. ({ $text })
problem-map-brackets-differ = { $place }, line { $line }, column { $column }: “{ $found }” closes no bracket of its kind{ $has ->
        [near] {""}: “{ $near }” is open.
       *[none] {""}: none is open.
    } ({ $text })
problem-map-no-colon = { $place }, line { $line }, column { $column }: a line that begins with “{ $found }” ends with a colon “:”. ({ $text })
problem-map-one-equals = { $place }, line { $line }, column { $column }: “=” gives a value to a name; two, “==”, compare. ({ $text })
problem-map-else-if = { $place }, line { $line }, column { $column }: Python writes “elif”, in one word, for “{ $found }”. ({ $text })
problem-map-not-python = { $place }, line { $line }, column { $column }: “{ $found }” is of another language; Python writes “{ $near }”. ({ $text })
problem-map-indentation = { $place }, line { $line }, column { $column }: { $near ->
        [missing] the lines that belong to the line with the colon above stand further in: put four spaces before this one.
        [unexpected] this line stands further in than the one above, which has no colon at its end. Take the spaces away.
        [tabs] tabs and spaces are mixed at the beginnings of lines. Use four spaces everywhere.
       *[unmatched] this line begins under no line above. Move it until it stands under the one it belongs to.
    } ({ $text })
problem-map-syntax = { $place }, line { $line }, column { $column }: Python cannot read this at “{ $found }”{ $near ->
        [comma] {""}; a comma may be missing before it.
       *[other] .
    } ({ $text })
problem-map-no-hook = { $place }, line { $line }, column { $column }: nothing reads “{ $found }”. Do you mean “{ $near }”?
problem-map-no-hooks = { $place }, line { $line }, column { $column }: the file defines none of check_can_go, after_move and loc_rules: it changes nothing in the game.
problem-map-never-called = { $place }, line { $line }, column { $column }: nothing calls the function “{ $found }”. The game itself calls only check_can_go, after_move and the functions of loc_rules.
problem-map-defined-twice = { $place }, line { $line }, column { $column }: “{ $found }” is defined again in line { $near }, and only the last one counts.
problem-map-hook-arguments = { $place }, line { $line }, column { $column }: “{ $found }” is called as { $near }: give it as many arguments.
problem-map-no-return = { $place }, line { $line }, column { $column }: { $near ->
        [never] “{ $found }” gives nothing back. End it with “return can_go”.
        [bare] this “return” of “{ $found }” gives nothing back. Write “return can_go”, or “return []” for no square.
        [place] “{ $found }” gives nothing back, so that the place is nowhere. Return True or False.
       *[some] “{ $found }” may reach its end without “return”, and None is no list of squares. Put “return can_go” at its end.
    }
problem-map-not-groups = { $place }, line { $line }, column { $column }: { $near ->
        [square] “{ $found }”: squares stand in groups. Put brackets around the square: [(row, column)].
        [division] “{ $found }”: a row or column is a whole number; divide with //, not /.
        [list] “{ $found }”: a square is written in round brackets, (row, column).
       *[other] “{ $found }” is no list of groups of squares, such as [[(0, 1)], [(2, 3)]].
    }
problem-map-top-level-name = { $place }, line { $line }, column { $column }: functions do not see “{ $found }” of the file's top level, only JBQ and what is built in. { $near ->
        [function] Define it inside the function, or make both methods of a class: self.{ $found }(…).
        [module] Import it inside the function.
        [class] Define it inside the function, or keep an object of it: JBQ.{ $found } = { $found }.
       *[value] Move it into the function, or keep it as JBQ.{ $found }.
    }
problem-map-unknown-name = { $place }, line { $line }, column { $column }: { $found ->
        [open] an extension has no files, so there is no “open”.
        [input] an extension cannot ask people, so there is no “input”.
       *[other] nothing defines “{ $found }”.
    } { $has ->
        [near] Do you mean “{ $near }”?
       *[none] {""}
    }
problem-map-unknown-member = { $place }, line { $line }, column { $column }: JBQ has no “{ $found }”. { $has ->
        [near] Do you mean “{ $near }”?
       *[none] {""}
    }
problem-map-unknown-piece-member = { $place }, line { $line }, column { $column }: a piece has no “{ $found }”. What the map says of it is chess.attr["…"]. { $has ->
        [near] Do you mean “{ $near }”?
       *[none] {""}
    }
problem-map-unknown-attribute = { $place }, line { $line }, column { $column }: no piece of the map has an attribute “{ $found }”: that is a heading in row 1 of chesses, from H on. { $has ->
        [near] Do you mean “{ $near }”?
       *[none] {""}
    }
problem-map-api-arguments = { $place }, line { $line }, column { $column }: “{ $found }” has another number of arguments than { $near }.
problem-map-win-who = { $place }, line { $line }, column { $column }: JBQ.win takes 1 for red or 2 for blue, not { $found }; anything but 1 counts as blue.
problem-map-import = { $place }, line { $line }, column { $column }: “{ $found }” cannot be imported: there are math and random.
problem-map-map-data-written = { $place }, line { $line }, column { $column }: JBQ.map_data is a picture of the game to be read: a change of “{ $found }” is lost. Use JBQ.add_chess, JBQ.move, or the members of pieces.
problem-map-changed-while-walked = { $place }, line { $line }, column { $column }: “{ $found }” gets shorter while the loop walks through it{ $near ->
        [index] {""}, and its last numbers are gone.
       *[other] {""}, so that some are left out.
    } Make a new list: [x for x in { $found } if …].
problem-map-random-while-asked = { $place }, line { $line }, column { $column }: “{ $found }” is drawn whenever somebody looks at the moves, and differently each time the moves differ. Draw in after_move, and keep the result.
problem-map-forgotten-while-asked = { $place }, line { $line }, column { $column }: “{ $found }” is counted in a function that is only asked: what it changes is forgotten. Count in after_move.
problem-map-unused = { $place }, line { $line }, column { $column }: “{ $found }” gets a value that nothing reads.
problem-map-endless-loop = { $place }, line { $line }, column { $column }: the loop “{ $found }” has no end: { $has ->
        [near] nothing in it changes “{ $near }”.
       *[none] there is no “break” and no “return” in it.
    }
problem-map-endless-calls = { $place }, line { $line }, column { $column }: “{ $found }” always calls itself, without an end. Return before that in some case.
problem-map-off-board = { $place }, line { $line }, column { $column }: “{ $found }” is off the board: rows and columns count from 0, and { $near } is the last.
problem-map-counts-from-zero = { $place }, line { $line }, column { $column }: “{ $found }” is never so: rows and columns count from 0, and the last is { $near }.
problem-map-bad-direction = { $place }, line { $line }, column { $column }: { $found } is no direction: there are 1 to 8, from up left to down right.
problem-map-no-such-piece = { $place }, line { $line }, column { $column }: there is no piece of number { $found }: the table of pieces has 1 to { $near }.
problem-map-bad-side = { $place }, line { $line }, column { $column }: { $found } is no side: 1 is red, 2 blue{ $near ->
        [turn] .
       *[belong] , 3 neutral.
    }
problem-map-rule-as-text = { $place }, line { $line }, column { $column }: “{ $near }” is a list of sections, not a text: [[(1,), (2,)], []] for what a map writes as “1,2;”.
problem-map-no-effect = { $place }, line { $line }, column { $column }: “{ $found }” does nothing{ $near ->
        [equals] {""}: “=” gives a value, “==” only compares.
        [call] {""}: a function is called with brackets, { $found }().
       *[other] .
    }
problem-map-returns-none = { $place }, line { $line }, column { $column }: “{ $found }” gives back None: “{ $near }” changes the list itself. Let it stand on a line of its own.
problem-map-left-square = { $place }, line { $line }, column { $column }: “{ $found }”: the piece has just left “{ $near }”, so that nothing stands there. It is on the second square.
problem-map-unreachable = { $place }, line { $line }, column { $column }: this is never reached: “{ $found }” above leaves.

# What a failure of an extension means: stands behind its words. Keys: `jingbanqi::reason`.
fault-explained = { $said } – { $meaning }
fault-name-near = “{ $name }” is not known in this place; “{ $other }” is.
fault-name =
    { $name ->
        [open] An extension has no files. Write what it needs into it.
        [input] An extension cannot ask people. What they choose is a move.
        [exit] A game ends by JBQ.win or JBQ.stalemate.
        [quit] A game ends by JBQ.win or JBQ.stalemate.
        [true] Python writes True.
        [false] Python writes False.
        [null] Python writes None.
       *[other] Nothing of that name is known here. A function sees JBQ and what is built in, not what the file defines outside of it.
    }
fault-unbound = The function gives “{ $name }” a value only later, or not on this path. A name that a function sets is its own in all of the function.
fault-not-begun = The board is there only in check_can_go, after_move and the places, not while the file is loaded.
fault-none-member = There is nothing here, only None, which has no “{ $name }”. A square without a piece and a square off the board are None; ask first, “if piece:”.
fault-member-near = “{ $name }” is not a member here; “{ $other }” is.
fault-api-member = JBQ has no “{ $name }”. The page of the API lists what it has.
fault-piece-member = A piece has no “{ $name }”. What the map says of it in the columns from H on is chess.attr["{ $name }"].
fault-member = { $name } has no “{ $other }”.
fault-not-writable = “{ $name }” can be read, and not changed.
fault-no-ex-name = A file begins with EX_NAME = "its name".
fault-key = The dictionary has no { $name }. With .get(…) you get None instead.
fault-pop-empty = Nothing is left to take out.
fault-rule-sections = A rule of moves has at least two sections: one step, and any distance.
fault-index = There is no place of that number: lists and the board count from 0, so that the last row is JBQ.rl - 1.
fault-not-in-list = The list does not hold that value; ask first, “if x in list:”.
fault-not-in-text = The text does not hold what is looked for.
fault-unpack = As many names as there are values, please.
fault-unpack-one = One value, { $name }, cannot be given to several names.
fault-no-number = That text is no number.
fault-stop = There is no next one.
fault-arguments = The call and the line with “def” do not agree. check_can_go takes (can_go, chess, arr), after_move (arr1, arr2), a place (args, arr).
fault-keyword = There is no argument “{ $other }”.
fault-none-walked = There is None where a list belongs. check_can_go gives back None where it ends without “return can_go”.
fault-not-walked = A list belongs here, not one { $name }. check_can_go gives back a list of groups of squares, such as [[(0, 1)], [(2, 3)]].
fault-none-indexed = There is nothing here: None. A square off the board is None, for one.
fault-not-indexed = A value of the kind { $name } takes no […] behind it.
fault-not-changed = What a { $name } holds cannot be changed; a list can.
fault-not-called = A value of the kind { $name } is no function, so no brackets stand behind it. A variable may have the name of a function.
fault-operands = { $name } does not work with these kinds of values: { $other }.
fault-compared = { $name } does not compare these kinds of values: { $other }.
fault-joined = Only values of one kind are joined by +; str(…) makes a text of a number.
fault-indices = A place in a list is a whole number, not { $other }.
fault-unhashable = A { $name } is no key of a dictionary; use a tuple.
fault-whole = A whole number is wanted here, not { $name }.
fault-square = A square is a pair (row, column), not a { $name }, and check_can_go gives back groups of them: [[(0, 1)], [(2, 3)]].
fault-square-length = A square is written (row, column), and not with { $name } values.
fault-off-board = A piece that was taken has no square.
fault-places-dictionary = Write loc_rules = {"{"}"NAME": function{"}"}.
fault-hook-function = It is called, so it is defined with “def { $name }(…):”.
fault-no-piece = There is no piece { $name }: the table of pieces counts from 1.
fault-no-side = { $name } is no side: 1 is red, 2 blue, 3 neutral.
fault-too-many = More than the board can use.
fault-zero = Something is divided by 0.
fault-math = This function of math has no result there.
fault-overflow = The number is too large.
fault-assertion = The condition of “assert” did not hold.
fault-changed = A dictionary must not grow or shrink while it is walked through; walk through list(…) of it.
fault-recursion = Functions call each other without an end, or more than 200 deep.
fault-memory = The extension has filled its 96 MiB.
fault-module =
    { $name ->
        [typing] Lists, dictionaries, classes and notes such as list[int] need no import.
        [collections] Dictionaries and lists do it without an import.
        [dataclasses] A plain class does it.
        [enum] Plain numbers do it.
        [copy] list(x), dict(x) and comprehensions copy.
        [itertools] Write it with loops.
        [functools] Write it with loops, sorted, min and max.
        [heapq] Write it with loops, sorted, min and max.
        [time] A game has no clock.
        [datetime] A game has no clock.
        [numpy] Use whole numbers, floats and math.
        [secrets] Use random, which begins with the game's number.
        [re] Use the methods of texts, such as split and strip.
        [json] An extension is one file; write values in it as Python.
        [os] Nothing of the machine can be reached.
        [sys] Nothing of the machine can be reached.
       *[other] Only math and random can be imported.
    }
fault-import-name = The module { $other } has no “{ $name }”.
fault-not-utf-8 = Save it as UTF-8; an editor that says ANSI or GBK saves otherwise.
fault-return-outside = A “return” stands in a function, further in than its “def”.
fault-break-outside = It stands in a loop, further in than “for” or “while”.
fault-comprehension-as-loop = Write this comprehension as a loop.
fault-before-finally = Move the function or comprehension out of “finally”, before “try”.
fault-plain-annotation = Write this note of a type without a function or comprehension.
fault-time-call = One call took more than { $name } ms of processor time. A loop may have no end, or the call looks at too much.
fault-time-ply = The calls of one move took more than { $name } s of processor time together.
fault-time-all = It took too much processor time. A loop may have no end.
fault-talks = It prints too much.
fault-stopped = No memory was left, or something was asked of the system that an extension may not ask.
fault-no-worker = The process that runs extensions could not be started: { $name }
fault-ended = The process that runs extensions has ended: { $name }
