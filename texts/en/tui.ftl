# A game line by line in a terminal.
line-help = Type a move, or: moves, undo, new, fen, help, quit.
line-to-move = { $side } to move:
line-asked = { $side }: { $prompt }:
line-over = The game is over (undo, fen, quit):
line-won = { $side } wins: { $reason }.
line-drawn = A draw: { $reason }.
line-void = The game does not count: { $reason }.
line-nothing-to-undo = There is nothing to take back.
line-warned = { $move } loses at once: { $reason }. Type it again to play it all the same.

# The screen in a terminal: keys.
tui-key-up = one place up
tui-key-down = one place down
tui-key-left = one place left
tui-key-right = one place right
tui-key-touch = choose, put or move
tui-key-clear = let go
tui-key-next-place = to the next place that may be touched
tui-key-last-place = to the one before
tui-key-type = type a move (TAB completes)
tui-key-new = new game
tui-key-undo = take back
tui-key-redo = play again what was taken back
tui-key-save = save the game
tui-key-load = load a game
tui-key-back = look one move back
tui-key-on = look one move on
tui-key-start = look at the start
tui-key-now = back to now
tui-key-run = let the moves run
tui-key-flip = turn the board
tui-key-notation = next notation
tui-key-about = all about the piece under the cursor (also a right click)
tui-more-about = i: all about this piece
tui-key-lessons = show threats
tui-key-analyse = analysis on and off
tui-key-set-up = set up a position
tui-key-other-side = the other side moves
tui-key-draw = draw
tui-key-resign = resign
tui-key-abort = call a game of a hall off
tui-key-claim = claim the win when the opponent has left
tui-key-rematch = rematch
tui-key-swap = offer to swap sides
tui-key-accept = accept what is offered
tui-key-decline = decline it
tui-key-sit = sit down at a free seat
tui-key-directions = directions on pieces on and off
tui-key-targets = where a chosen piece may go, on and off
tui-key-theme = next theme
tui-key-language = 中文
tui-key-help = this list
tui-key-menu = menu
tui-key-quit = leave
tui-no-such-key = { $keys } does nothing here; ? lists the keys.
tui-hints = arrows Enter: play   : type   u undo   [ ] back   ? all keys   m menu   q leave
tui-hints-buttons = arrows: press  hjkl Enter: choose  : type  u undo  [ ] back  ? all keys  q leave
tui-hints-hall = arrows Enter: play   : type   y n answer   d draw   R resign   ? keys   q leave
tui-hints-past = [ ] one move   { "{" } {"}"} start, now   p run   Enter back to now
tui-hints-typed = Enter done   TAB complete   ESC cancel
tui-hints-set-up = TAB piece  Enter put  DEL take  x side  c clear  : FEN  s start  ESC cancel
tui-hints-menu = up down: choose   left right: change   Enter: go   L { $other }   t theme   q leave
tui-hints-lobby = arrows: choose  Enter: go  d: decline  s: sign in/out  m: menu  q: leave
tui-own-table = Open a table of your own
tui-help-close = any key: back to the game
tui-help-more = up down: more   any other key: back to the game

# What is said at a table, in the words of emacs-chess-cn where it has them.
tui-check = { $side } is in check!
tui-end-won = The game is over, { $side } wins.
tui-end-drawn = The game is over, a draw.
tui-end-void = The game is over and does not count.
tui-end-because = { $end } ({ $reason })
tui-over = { $end }
tui-touch-over = The game is already over.
tui-touch-nothing = No move: no piece is chosen, and there is none here.
tui-touch-theirs = No move: it is the other side’s piece.
tui-touch-refused = No move goes there.
tui-touch-wrong = It cannot go there: { $because }
tui-because-off-board = it must stay on the board and may not stay where it is.
tui-because-move = the piece does not move so.
tui-because-own = it may not take a piece of its own side.
tui-because-capture = the piece does not capture so.
tui-because-xiangqi-move-opens-file = the generals may not face each other.
tui-because-xiangqi-exposes-general = the general would be in check.
tui-because-xiangqi-still-in-check = the general stays in check.
tui-choose-file = Choose the file of a game.
tui-asked = { $side }{ $steps }: { $prompt }
tui-looking-back = Looking back: after { $at } of { $of } moves. Enter or {"}"}: back to now.
tui-no-looking-back = This program does not know these rules well enough to look back.
tui-seat-free = A seat is free: S sits down.
tui-no-offer = Nothing is offered.
tui-answer-offer = { $offer }: y accepts, n declines.
tui-ask-offer-draw = Offer a draw?
tui-ask-new = Begin a new game? This one is not saved.
tui-ask-quit = Leave? The game is not saved.
tui-ask-menu = To the menu? The game is not saved.
tui-yes-no = { $question } (y/n)
tui-who = { $name } ({ $who })
tui-thinks = { $name } …
tui-room = Room “{ $room }”
tui-type-move = Move:
tui-type-save = Save as:
tui-type-load = File:
tui-type-fen = Position:
tui-type-map = Map:
tui-type-hall = Hall or link:
tui-saved = Saved as { $file }.
tui-save-at-hall = The hall keeps this game; its page offers the file.
tui-no-analyst = Nobody here can analyse this game.
tui-no-help = While you play somebody else, nobody helps you. Once the game is over, a analyses it.
tui-analysing = Thinking…
tui-no-set-up = A position can be set up in games at this keyboard only, where the game has pieces to put.
tui-near = One step: { $dirs }
tui-far = Any distance: { $dirs }
tui-section = { $section ->
        [3] Shield (o)
        [4] Prohibition (x)
        [5] Jump over a prohibition ($)
       *[6] Pass through prohibitions (%)
    }: { $dirs }
tui-printed = Printed by the extensions
tui-set-up-keys = Put the pieces; s starts the game.
tui-in-hand = In hand: { $piece }

# The menu.
tui-menu-map = Open a map (Jingbanqi)
tui-menu-record = Open a record
tui-menu-hall = A hall, or a link
tui-menu-quit = Leave
tui-opponent = Against
tui-two-people = two people
tui-level-name = level { $level }
tui-no-levels = Nobody here plays this game yet; two people can.
tui-this-language = English
tui-clock-fischer = { $minutes } min + { $seconds } s
tui-clock-byo-yomi = { $minutes } min, { $periods } × { $seconds } s
theme-tui-wide = wide
theme-tui-origin = as in Emacs
theme-tui-ascii = ASCII
theme-tui-contrast = high contrast

# Refusals of the terminal.
problem-nothing-to-undo = There is nothing left to take back.
problem-nothing-to-redo = Nothing was taken back.
problem-only-at-a-hall = That is for tables of a hall.
problem-tui-only-watching = You are watching. S takes a free seat.
problem-no-free-seat = No seat is free.
problem-hall-strange = The hall said something this program does not understand: { $found }
problem-clock-text = “{ $found }” is not a clock. Write 300+5 (seconds and increment), 600+3x30 (byo-yomi), 30/move, 3d/move (days), 3d/weekdays, or none.
problem-file-ending = Files ending in “{ $found }” cannot be written. Write .json, .txt, .pgn, .sgf, .pdn or .fen.
problem-file-cannot-be-written = { $file } cannot be written: { $reason }
problem-file-cannot-be-read = { $file } cannot be read: { $reason }
problem-file-unknown = { $file } is not a record in a known format.

# One line in, one line out.
plain-ask-new = The game has moves that were not saved; type new again to begin another, or save FILE first.
plain-new-at-hall = At a hall a new game begins when this one has ended, or from the lobby: type lobby.
plain-help-hint = help lists the words.
plain-help = Type a move, or: status, moves, record, fen, pieces, pieces red, row 1, look e1, clock, undo, redo, new, draw, resign, save FILE, load FILE, quit; at a hall also sit, wait, accept, decline, abort, claim.
plain-claim = Your opponent has left: type claim to claim the win.
tui-claim = Your opponent has left: C claims the win.
plain-moved = { $side } played { $move }.
plain-row = Rows are numbered from the top, 1 to { $most }.
plain-no-place = There is no place called “{ $place }”.
problem-terminal = The terminal cannot be used: { $reason }

plain-sat = { $side } has a player now.
plain-you-sit = You play { $side }.
problem-file-no-folder = There is no folder { $folder }. Make it first, or choose another one.
tui-left-saved = qiguan was told to end; the game is saved as { $file }. Open it with: qiguan play --load { $file }
tui-left-unsaved = qiguan was told to end, and the game could not be saved: { $reason }

# The lobby of a hall.
tui-you-are = You are { $name }, signed in.
tui-you-are-guest = You are a guest here: { $name }.
tui-you-are-nobody = You are a guest here.
tui-sign-in-open = Open { $link } where you are signed in, and type this code under “Sign in a terminal”:
tui-sign-in-waits = { $minutes ->
    [one] Waiting for you there; the code is good for one more minute. ESC gives up.
   *[other] Waiting for you there; the code is good for { $minutes } more minutes. ESC gives up.
  }
tui-signed-in = This terminal is signed in.
tui-signed-out = This terminal is signed out.
tui-sign-out-sure = Press s again to sign this terminal out.
tui-your-games = Your games
tui-play-now = Play now: find an opponent for this game
tui-challenge = Challenge somebody by name to this game
tui-challenge-sent = { $name } is challenged. The challenge waits for an answer.
tui-challenge-waits = The challenge waits for an answer; d withdraws it.
tui-nothing-to-decline = Only challenges can be declined or withdrawn.
tui-rated = Rated: the result counts
tui-casual = Casual: the result does not count
tui-pool-waits = { $game }: looking for an opponent, { $seconds } s; { $waiting } waiting. ESC gives up.
tui-type-name = Name:
problem-signed-out-elsewhere = This terminal is not signed in any more: the session was ended elsewhere or has expired. You are a guest here now; sign in again in the lobby.
plain-lobby-help = Type: list, go NUMBER (a table, or a challenge to accept), decline NUMBER, open GAME CLOCK, now GAME CLOCK (finds an opponent), challenge NAME GAME CLOCK, signin, signout, who, wait, stop, quit; with rated behind the clock the result counts. At a table, lobby leads back here.
plain-lobby-empty = Nothing is listed: no table is open and no game is played.
plain-lobby-no-line = Lines are numbered from 1 to { $most }; list shows them.
plain-lobby-waits = Looking for an opponent; wait waits for one, stop gives up.
plain-lobby-waits-for-nothing = There is nothing to wait for: signin and now begin something.
plain-sign-in-waits = { $minutes ->
    [one] wait waits for it; the code is good for one minute.
   *[other] wait waits for it; the code is good for { $minutes } minutes.
  }
