# Engines: ours, foreign ones, and matches between them.
problem-engine-file = The file of engines cannot be read: { $text }
problem-engine-unknown = No engine is called "{ $name }". Write our, our:level=1 to our:level=10, uci:COMMAND, or a name from the file of engines.
problem-engine-level = "{ $found }" is no handicap. Write our:level=1 to our:level=10, our:depth=3, or our:depth=3,nodes=5000.
problem-engine-game = { $name } does not play { $game } by the protocol { $protocol }.
problem-engine-protocol = { $game } cannot be played by the protocol { $protocol }.
problem-engine-not-started = { $name } cannot be started: { $text }
problem-engine-died = { $name } exited. { $text }
problem-engine-hangs = { $name } does not answer.
problem-engine-flood = { $name } floods its output.
problem-engine-illegal = { $name } wants to play { $move }, which is not legal.
problem-engine-no-move = { $name } says that it has no move.
problem-engine-resigns = { $name } resigns.
problem-option-value = { $option } cannot be "{ $value }".
problem-hub-squares = The board has { $wanted } squares, not { $found }.
problem-gomocup-rule = There is no rule { $rule } here. Rules add up: 0 five or more, 1 exactly five, 2 a game that goes on, 4 renju, 8 Caro (9: exactly five).
problem-opening-stones = This step of the opening needs { $wanted } stones, and there are { $count }.
problem-engine-two-games = An engine plays one game at a time: “{ $first }” or “{ $second }”?
problem-engine-two-protocols = An engine speaks one protocol at a time.
problem-swap2-stones = A swap2 opening has 0, 3 or 5 stones at this point, not { $count }.
problem-not-the-last-move = { $move } was not the last move.
problem-dxp-broken = The other program does not follow the protocol DXP: { $text }
problem-match-file = { $file } is no file of games that can be used: { $text }
problem-match-other-settings = { $file } holds a match with other settings. Choose another file, or the settings of that match.
problem-match-void = { $void } of { $games ->
    [one] one game
   *[other] { $games } games
 } ended without a result, the last because of: { $reason }. The match stops.

# qiguan match
cli-match-goes-on = The match continues after { $games ->
    [one] one game
   *[other] { $games } games
 }.
cli-match-void = Game { $number } counts for nobody: { $reason }. Further ones of this kind are only counted.
cli-match-fault = Game { $number }, { $reason }: { $fault }
cli-match-records = { $file } should end in .pgn, .pdn, .sgf, .json or .txt.
cli-match-terms = { $a } – { $b }: { $game }, { $control }, hash { $hash } MiB, seed { $seed }, version { $version }
cli-match-score = Games:  { $won } won, { $drawn } drawn, { $lost } lost{ $void ->
    [0] {""}
   *[other] , { $void } void
}: { $percent } %
cli-match-pairs = Pairs:  { $pairs }  (0, ½, 1, 1½, 2 points)
cli-match-elo = Elo:    { $elo } ± { $error } ({ $low } to { $high }), normalised { $normalised } ± { $spread } (95 %); stronger with { $los } %
cli-match-sprt = SPRT:   [{ $low }, { $high }] { $scale ->
    [normalised] normalised
   *[logistic] logistic
}, ratio { $ratio } between { $least } and { $most }: { $verdict ->
    [accepted] accepted
    [refused] refused
   *[open] not decided
}
cli-match-speeds = Positions a second:  { $a } and { $b }, { $ratio } to 1
cli-match-engine = { $name }:  { $clock } ms a move, processor { $processor } ms, { $faults } lost by its own fault, { $late } of them on time
cli-match-late = { $late } of { $games ->
    [one] one game was
   *[other] { $games } games were
 } lost on time: the result says more about time management than about strength. A larger --margin allows for a slow machine.
cli-match-usual-time = { $ms } ms for each move: say --movetime, --tc, --nodes or --depth for something else.
cli-match-none = No game was finished.
cli-match-interrupted = The match was stopped after { $games ->
    [one] one game
   *[other] { $games } games
 }; a match with --out can be continued.

# qiguan engine
cli-dxp-waits = Waiting for a program to connect to { $address }.
cli-dxp-played = { $games ->
    [one] one game was
   *[other] { $games } games were
 } played.

# What engines learn
problem-weights-file = The weights { $name } cannot be read: { $text }
problem-weights-too-large = Nothing was written: these weights can come to { $found } together, and the engine adds up to { $most }. Learn again with a larger --shrink.
problem-openings-file = The openings in { $file } cannot be read: { $text }
problem-openings-game = These are openings of { $found }, not of { $game }.
problem-openings-line = Line { $line } of the openings: { $text } cannot be played there, or nothing is left to play after it. A line has up to 400 moves of one game, with spaces between.
problem-openings-none = There are no openings. A file has one on each line: moves with spaces between.
problem-learn-file = { $file } cannot be written: { $text }
problem-no-model = Nothing can be learned for { $game }: its evaluation is not a sum of weights.
problem-learn-other-game = { $file } holds games of { $found }, not of { $game }.
problem-learn-no-positions = The games hold no position to learn from.
problem-engine-over-limit = { $name } was ended: it exceeded its limit ({ $what ->
    [processor] processor time
    [memory] memory
    [processes] processes or threads
   *[files] temporary files
  }).
problem-engine-sees-data = { $name } could read the data of this hall in { $folder }. Give it a `folder` of its own in the file of engines, one that the data is not in.
problem-fence-none = Foreign engines run without a fence on this system: they may do what this program may do.
problem-fence-no-files = The fence around foreign engines is weak here: this system has no Landlock, so they read what their user may read.
problem-fence-no-tcp = The fence around foreign engines is weaker here: this system has no Landlock for TCP (Linux 6.7); the filter of system calls stands alone.
problem-fence-no-signals = The fence around foreign engines is weaker here: this system has no Landlock for signals (Linux 6.12); the filter of system calls stands alone.
problem-fence-no-filter = The fence around foreign engines is weak here: there is no filter of system calls, so they may use UDP and change permissions of files.
problem-fence-no-user = The hall runs as root and may not change its user here: foreign engines run as root inside their fence. Start the hall as an ordinary user.
problem-fence-off = { $name } runs without a fence, as its file wishes: it may do what this program may do.
problem-learn-positions = { $file } is no file of positions to learn from, or a damaged one: { $text }. Make it again with qiguan learn positions.
problem-no-network = The engine for { $game } has no network to train.

# What our engine says to the program that drives it.
problem-option-not-within = { $option } cannot be "{ $value }". Set it to a whole number from { $min } to { $max }.
problem-engine-option = This engine has no option "{ $option }".
problem-engine-no-position = There is no position to search: the last one that was sent could not be read.
problem-engine-search-moves = Not legal here, and left out: { $moves }
problem-engine-thinks = A search is still running. Wait for its answer, or stop it first.
problem-protocol-misread = { $why ->
    [unknown-command] There is no command "{ $found }" in this protocol; the line was left out.
    [number] "{ $found }" is not a whole number; the line was left out.
    [argument-missing] The value of { $found } is missing; the line was left out.
    [line-too-long] The line is too long and was left out.
    [point] "{ $found }" is not a point of the board; the line was left out.
    [move] "{ $found }" is not a move as this protocol writes it; the line was left out.
   *[other] "{ $found }" cannot be read ({ $why }); the line was left out.
  }
problem-learn-plan = { $file } holds a run of another plan or another map. Choose another folder, or the options of that run.
problem-learn-too-few = The games hold too few quiet positions to learn from. Play more games.
