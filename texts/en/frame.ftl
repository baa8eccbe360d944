# The frame around every page, and the home

frame-main = Main
frame-skip = To the content
frame-play = Play
frame-puzzles = Puzzles
frame-learn = Learn
frame-watch = Watch
frame-library = Library
frame-make = Make
frame-people = People
frame-more = More
frame-all-games = All games
frame-slow-games = My slow games
frame-rooms = A room by its name
frame-records = Search for games
frame-studies = Studies
frame-new-study = A new study
frame-maps = Maps
frame-workshop = Workshop
frame-search = Search the hall
frame-notices = What waits for you
frame-account = Account
frame-you = { $name }: account
frame-my-page = My page
frame-sign-in = Sign in, or make an account
frame-sign-out = Sign out
set-letters = Single letters as keys of the hall
seeking-begun = Looking for an opponent: { $name }. You may go on looking around.
seeking-others = { $others ->
    [0] nobody else yet
    [one] one more waits
   *[other] { $others } more wait
}
seeking-found = An opponent: go to the table
home-title = Play a board game
home-line = No account needed. Choose a game, and play the computer, a friend or whoever is here.
news-title = A challenge
home-all = All { $count }
home-way-friend = A friend
home-friend-hint = A link, no account
home-screen-hint = Two people, one board
home-games = All boards
card-engine = Computer: { $game }
card-screen = One screen: { $game }
card-invite = Invite: { $game }
tiles-of = { $game }: look for an opponent
tile-bullet = Bullet
tile-blitz = Blitz
tile-rapid = Rapid
tile-long = Long
tile-byo-yomi = Byo-yomi
tile-days = Days a move
tile-none = No clock
tile-other = Other times
tile-waiting = { $count } waiting
faces-characters = Characters
