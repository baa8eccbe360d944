# What the page says, apart from the games' own words.

hall = Qiguan
to-hall = To the hall
loading = One moment…
nowhere = There is nothing here
close = Close
save = Save
saved = Saved
no = No
accept = Accept
decline = Decline
confirm = Play it
play = Play
options = Options
options-of = { $game }: options
more = More
menu = Menu
actions = Actions

# The hall
continue = Continue
go-on = Go on
games = Games
open-tables = Open tables
open-none = Nobody is waiting. Open a table and somebody may come.
watch-tables = Watch
watch-none = No game is being played just now.
watch = Watch
doors = Rooms and records
join-room = A room by its name
join-room-hint = A room is a table with a name. Whoever knows the name can play there or watch.
room-name = Name of the room
join = Enter
import = Open a record from a file
import-unknown = “{ $file }” is no record that can be read here. Records in PGN, PDN, SGF, XQF, CBL, UBB, PSQ, RenLib, FEN, JSON and plain text can.
no-room = There is no open room called “{ $name }”.
card-play = { $game }: play on this screen
card-board = { $files } × { $ranks }
board-of = { $game }: board

# A new game
how = Where
how-screen = One screen
how-invite = Invite
how-open = Lobby
how-room = Room
how-screen-hint = Two people in front of one screen, or you against yourself.
how-invite-hint = You get a link. Whoever opens it plays with you.
how-now = Play now
how-now-hint = Whoever wants the same game with the same clock and is about as strong plays with you at once.
start-now = Find an opponent
rated = Rated: the result counts
rated-sign = rated
sign-in = Sign in
your-games = Your games and ratings
seeking-again = Your opponent did not come. Another one is looked for.
seeking-long = Nobody has come yet. You may go on waiting, or play our program.
seeking-engine = Play our program
seeking-cancel = Stop looking
how-open-hint = Your table is listed in the hall under “Open tables”, and anybody may sit down.
how-room-hint = A table with a name. Friends enter that name in the hall and sit down.
start-screen = Start
start-invite = Make the link
start-open = Open the table
start-room = Open the room
clock = Clock
clock-none = No clock
clock-fischer = Fischer
clock-byo-yomi = Byo-yomi
clock-per-move = Per move
clock-per-move-short = { $seconds } s a move
clock-days = Days a move
clock-quick = Usual clocks: minutes + seconds a turn
clock-quick-days = { $days ->
    [one] 1 day
   *[other] { $days } days
}
inbox-waiting = { $waiting ->
    [0] Slow games
    [one] One slow game waits for your move
   *[other] { $waiting } slow games wait for your move
  }
clock-days-short = { $days ->
    [one] a day a move
   *[other] { $days } days a move
}
clock-weekdays-short = { $days ->
    [one] 1 day a move, weekends off
   *[other] { $days } days a move, weekends off
}
clock-weekend-pause = No clock on weekends
clock-weekend-pause-hint = On Saturdays and Sundays (UTC) no time is counted.
clock-days-hint = You need not be here at the same time: the game waits for your move.
clock-left = { $days } d { $hours } h
clock-held = on vacation
days = Days a move
minutes = Minutes
increment = Seconds added a move
period = Seconds a period
periods = Periods
per-move = Seconds a move
side = Your side
side-random = Random
start-position = Start position (FEN), if not the usual one
board-size = Board
option-size = Size of the board
option-repetition = Draw when a position comes back
option-turn-limit = Draw after so many turns (0: never)

# At the table
no-table = This table does not exist
no-table-hint = Perhaps a letter of the link was lost on the way.
table-failed = This table cannot be shown
you = You
guest = Guest
seat-free = Free seat
strip-label = { $side }: { $name }
is-here = here
is-away = away
your-move = your move
to-move = to move
first-move = first move: { $seconds } s
first-move-own = your first move: { $seconds } s
seek-another = Another opponent
claim-left = Your opponent has left.
claim-in = Your opponent has left. You may claim the win in { $seconds } s.
claim-win = Claim the win
first-move-hint = When no first move is made in this time, the game is called off; nobody wins or loses.
bell = { $count ->
    [0] Nothing new
    [one] { $count } thing waits for you
   *[other] { $count } things wait for you
}
your-move-long = Your move: you have { $side }.
turn-of = { $side } to move
clocks-wait = { $whose } (the clocks start once both have moved)
not-your-turn = It is the other side’s turn.
watching = You are watching. { $side } to move.
watchers = { $count ->
        [one] One looks on
       *[other] { $count } look on
    }
seat-open = A seat is free.
sit = Sit down and play
waiting = Waiting for the other player…
waiting-invite = Send this link
waiting-open = Your table is open
waiting-room = Room “{ $room }” is open
waiting-screen = Send this link
waiting-hint = Whoever opens it plays with you. The game begins when they sit down.
share = Share
share-hint = Whoever opens this link can watch.
share-qr = The link as a code, to be read with a phone
share-picture = Picture
share-film = Game as a film
share-diagram = Copy as text
share-embed = Copy for a web page
link = Link to this table
copy-link = Copy link
copied = Copied
copy-position = Copy the position
export = Save as
format-json = JSON
format-text = text
format-sgf = SGF
flip = Turn the board
rules = Rules
leave = Leave this table
sending = Sending…
confirm-hint = Touch again to play there.
premove-chosen = Chosen ahead: it is played when your turn comes, if it is legal then. Touch the board to cancel.
premove-to = Touch where this piece is to go when your turn comes.
warned = This loses at once: { $reason }. Press again to do it all the same.
blocked = { $name } is blocked: { $count ->
        [0] something is in the way
        [one] one piece is in the way
       *[other] { $count } pieces are in the way
    }.
type-move = Move
mark-winning-line = winning row
mark-chosen = chosen
mark-check = in check
mark-forbidden = forbidden
cell-empty = empty
cell-piece = { $side } { $piece }
cell-file = file { $file }
cell-last = last move
cell-may = may be chosen

# Steps of a turn
pad = Steps of the turn
directions = Directions
steps-label = Step { $step } of { $of }
withdraw = Withdraw
button-blocked = { $name }, blocked
button-warned = { $name }, loses at once

# Agreements
takeback = Take back
redo = Redo
draw = Offer draw
draw-agree = Agree on a draw
resign = Resign
abort = Call the game off
swap = Offer to swap sides
exchange-turn = Let the other side move
rematch = Rematch
rematch-offered = Rematch offered
accept-rematch = Accept the rematch
offers-takeback = asks to take back
offers-draw = offers a draw
offers-rematch = offers a rematch
offers-swap = offers to swap sides
offered-takeback = You asked to take back
offered-draw = You offered a draw
offered-rematch = You offered a rematch
offered-swap = You offered to swap sides
offer-cancel = Cancel
ask-resign = Resign the game?
yes-resign = Resign
ask-draw = End the game as a draw?
yes-draw = Draw

# The end
game-over = The game is over
show-result = Result
wins = { $side } wins
you-win = You win
you-lose = You lose
ends-draw = Draw
ends-void = The game does not count
ends = { $result }: { $reason }.
to-rematch = To the rematch
new-game = New game
reason-resign = resignation
reason-recorded = as the record says
reason-flag = time is up
reason-draw-agreed = agreed draw
reason-abort = called off
reason-left = the other player left
reason-not-begun = a first move did not come in time
reason-too-long = the game grew too long

# Moves and looking back
moves = Moves
moves-none = No moves yet
walk = Walk through the game
walk-first = To the start
walk-back = One move back
walk-forward = One move on
walk-now = To the present
looking-back = You are looking back. The game goes on meanwhile.
back-to-now = Back to now

# Clocks
clock-label = Clock
clock-byo-short = byo{" "}
clock-periods = { $periods } periods

# The connection
net-offline = Connection lost. Trying again…
net-back = Connected again
net-stopping = The hall is restarting. The game goes on in a moment.
problem-hall-unreachable = The hall cannot be reached. Is the network there?
problem-hall-error = The hall answered with an error ({ $status }).
problem-page-error = Something went wrong on this page. Try again; if it stays so, reload the page.
trying-again = No answer yet. Trying again…
part-missing = A part of this page has not come. Trying again…
page-reload = Reload the page
offline-now = The hall is out of reach
offline-cannot = Without the network, or while the hall is closed, nobody can play here, watch, solve puzzles or look into the library: all of that is in the hall. Nothing is lost meanwhile; moves that were confirmed are kept there.
offline-can = What works: the rules below, and whatever board is still open in another tab. A move made there is sent as soon as the hall can be reached.
offline-back = This page looks for the hall by itself.

# Said to screen readers
said-move = { $side }: { $move }
said-sat = { $side } sits down
said-withdraw = { $side } withdraws the last step
said-takeback = { $plies ->
        [one] One move taken back
       *[other] { $plies } moves taken back
    }
said-offer-takeback = { $side } asks to take back
said-offer-draw = { $side } offers a draw
said-offer-rematch = { $side } offers a rematch
said-offer-swap = { $side } offers to swap sides
said-declined-takeback = { $side } does not agree to take back
said-declined-draw = { $side } declines the draw
said-declined-rematch = { $side } declines the rematch
said-declined-swap = { $side } does not agree to swap sides
said-cancelled = { $side } takes the offer back
said-offers-off = { $side } takes no offers in this game
said-offers-on = { $side } takes offers again
said-swap = The players have swapped sides

# Settings
settings = Settings
your-name = Your name
language = Language
theme = Theme
theme-system = System
theme-light = Light
theme-dark = Dark
theme-contrast = Contrast
confirm-move = Second touch before a move is played
confirm-auto = On small boards
confirm-always = Always
confirm-never = Never
set-sound = Sound
set-coordinates = Coordinates
set-numbers = Numbers on stones
set-directions = Directions on pieces of maps
set-targets = Where a chosen piece may go
set-motion = Motion
set-premoves = Choose a move while the other side thinks (games with a clock)
set-offers = Hear of offers (draw, takeback, swapping sides)

# Keys
keys = Keys
keys-arrows = Move on the board, or press a direction
keys-walk = Move on the board in any case
keys-enter = Touch
keys-esc = Clear
keys-type = Type a move
keys-replay = One move back, one on
keys-ends = To the start, to the present
keys-flip = Turn the board
keys-help = This list

# Rules
rules-title = { $family }: the rules
rules-none = The rules have not been written down yet.
rules-start = How the game starts
picture-five = Five in a row wins.
picture-six = Six: a win in freestyle, nothing yet in standard.

# Counts, names and rulings
check-short = check
mate-short = mate
check-said = Check
and-then = { $first }. { $then }
choices = The question
choosing = { $side } decides
choosing-you = You decide
choosing-put = Your turn
choosing-told = { $side } is told: “{ $prompt }”
choosing-first = First answer the question: press one of the buttons.
several-ways = Several ways lead there. Touch the squares on the way.
cannot-move = This piece cannot move now.
mark-zone = may be used
mark-offered = offered
mark-chaser = chases
mark-chased = chased
mark-ghost = captured
ruling-rules = The rule in full
lessons-show = Show threats
lessons-hide = Hide threats
lessons-none = No threats

# Which game of a family
variants = Which game
variants-open = { $count } games
variants-close = Close

# Setting up a position
set-up = Set up a position
set-up-yours = The game starts from your position.
set-up-change = Change it
set-up-usual = Usual start
set-up-pieces = Pieces
set-up-move = Move
set-up-remove = Remove
set-up-hint-move = Drag pieces, or touch one and then its place. Dropped beside the board, it is gone.
set-up-hint-remove = Touch the pieces to remove.
set-up-hint-put = Touch the places. The same piece again takes it away.
set-up-turn = To move
set-up-clear = Clear
set-up-fen = Position as text (FEN)
set-up-fine = A game may start so.
set-up-back = Back
set-up-use = Use this position

# Pieces with characters, and notations
faces = Pieces of xiangqi
faces-traditional = 繁體
faces-simplified = 简体
faces-pictures = Pictures
notation-of = Moves of { $family } in
notation-chinese-traditional = Chinese, traditional characters
format-pgn = PGN
format-pdn = PDN
format-psq = PSQ
format-lib = RenLib
format-fen = FEN
format-pos = moves in a word
format-rows = rows
format-numbers = numbers
format-letters = letters
format-chess = emacs-chess-cn
format-locked = return_game()
format-txt = text

# Games that users made
side-neutral = Neutral
about-piece = About this piece
about-map = About this game
mark-captain = captain
card-maps = { $game }: choose a map
maps-choose = Choose a map
maps-make = Make a game
zoom = Board, nearer or farther
zoom-in = Nearer
zoom-out = Farther
zoom-all = The whole board
acts-here = Touch it again to let it act where it stands.
keys-about = About the piece there
talk = Talk
ratings-from = Opponent's rating from
ratings-to = to

# Television
tv = On now
tv-stop = Stay
tv-next = Next game
tv-moves = { $count ->
        [one] One move so far
       *[other] { $count } moves so far
    }
