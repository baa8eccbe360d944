# Challenges, friends, words at a table, reports; and what programs are told.
problem-challenge-self = You cannot challenge yourself.
problem-challenge-guest = Guests cannot be challenged by name. Send them the link of a table.
problem-challenge-refused = This person takes no challenges from you.
problem-blocked-by-you = You block this person. Unblock them first.
problem-challenges-full = Too many challenges are waiting already, yours or theirs. Wait for an answer, or withdraw one.
problem-no-such-challenge = This challenge is gone: it was answered, withdrawn, or has expired.
problem-challenger-away = Your opponent has left the hall, and the clock would run without them. Try again when they are back.
problem-decline-reason = There is no such reason. Known are: { $known }.
problem-words-empty = Say something, or choose a phrase.
problem-words-too-long = That is too long: { $limit } letters are the most.
problem-phrase-unknown = There is no such phrase.
problem-words-need-account = Guests choose from the phrases. With an account you can write.
problem-muted = The moderators have muted you; you can write again in { $days ->
    [one] a day
   *[other] { $days } days
  }. The reason is on your account's page.
problem-not-a-program = Only programs may ask for this. An account becomes one with POST /api/bot/account/upgrade.
problem-program-has-played = An account that has sat at a table cannot become a program's. Make a new one for it.
problem-yes-or-no = Say yes or no.
problem-wish-refused = The table has refused that.
problem-relation-self = That is yourself.
problem-relations-full = You follow, block or have notes about { $limit } people; that is the most. Remove some first.
problem-report-subject = A report is about one of: { $known }.
problem-report-self = That is yourself.
problem-reports-full = You have reported this already, or many of your reports are still waiting. The moderators will look at them.
problem-no-such-words = Nothing like that was said where you can hear it.
problem-no-such-report = There is no such report.
problem-staff-only = This is for the moderators of the hall.
problem-staff-needs-admin = Only an admin decides about the staff.
problem-decision-unknown = There is no such decision. Known are: { $known }.
problem-decision-days = A mute or a suspension lasts from 1 to { $limit } days.
problem-appealed-before = You have appealed this already.

people-title = People
people-why = Whom you follow, block, or have a note about. Nobody else sees this list.
people-none = Nobody yet. Open somebody's page to follow them.
people-here = here now
people-away = not here
people-follows = followed
people-blocks = blocked
people-find = Find somebody
people-find-label = Name
people-open = Open
people-follow = Follow
people-unfollow = Stop following
people-block = Block
people-unblock = Unblock
people-block-hint = You are never paired, challenges are refused, and you do not see their words.
people-note = Your note, for your eyes only
people-save = Save
people-saved = Saved.
people-sign-in = Sign in to follow or challenge people.
people-company = You and { $name }

challenge-do = Challenge
challenge-game = Game
challenge-clock = Time
challenge-side = You play
challenge-side-lot = By lot
challenge-rated = Counts for ratings
challenge-send = Send the challenge
challenge-sent = The challenge is sent. It is listed under People until it is answered.
challenge-received = Challenges for you
challenge-waiting = Your challenges
challenge-none = No challenges.
challenge-line = { $who }: { $game }, { $clock }
challenge-is-rated = rated
challenge-accept = Accept
challenge-decline = Decline
challenge-cancel = Withdraw
challenge-why = Reason
challenge-new = { $who } challenges you
challenge-all = All challenges and people
decline-generic = No, thanks
decline-later = Not now
decline-too-fast = Too fast for me
decline-too-slow = Too slow for me
decline-time-control = Another time control, please
decline-rated = Only rated
decline-casual = Only casual
decline-game = Another game, please
decline-no-bots = No programs

chat = Talk
chat-players = Among the players
chat-watchers = Among those who watch
chat-phrases = Phrases
chat-words = Write something
chat-say = Say
chat-none = Nothing was said yet.
chat-off = Switch talking off
chat-on = Switch talking on
chat-is-off = Talking is switched off on this device.
chat-report = Report what { $who } said: { $words }
chat-reported = Reported. The moderators will look at it.
chat-sure = Report this to the moderators?
chat-close = Close
phrase-hello = Hello!
phrase-good-luck = Good luck!
phrase-have-fun = Have fun!
phrase-your-turn = Your turn.
phrase-well-played = Well played!
phrase-good-game = Good game!
phrase-thanks = Thank you!
phrase-sorry = Sorry!
phrase-wow = Wow!
phrase-oops = Oops!
phrase-one-moment = One moment, please.
phrase-take-your-time = Take your time.
phrase-rematch = Another game?
phrase-no-thanks = No, thank you.
phrase-must-go = I have to go.
phrase-bye = Goodbye!

report-do = Report
report-person = How they behave
report-name = Their name
report-text = What they said
report-map = A map
report-about = What is it about?
report-what = What is wrong?
report-send = Send the report
report-sent = Reported. The moderators will look at it.

moderation-title = Reports
moderation-why = Reports and appeals that wait for a decision, the oldest first.
moderation-none = Nothing waits.
moderation-by = { $by } about { $about }, { $date }
moderation-before = { $count ->
    [0] nothing was decided about them before
    [one] { $count } decision about them before
   *[other] { $count } decisions about them before
  }
moderation-game = The game
moderation-map = The map “{ $map }”
moderation-called = then called { $name }
moderation-appeal = Appeal: { $words }
moderation-decided = Decided: { $decision }. { $reason }
moderation-decision = Decision
moderation-reason = Reason, for whom it is about
moderation-days = Days
moderation-do = Decide
fair-title = How they have played
fair-why = Their last rated games, beside their opponents in the same games (small). Turns count after the first four, where there was something to choose and the game was open. Strong players agree often, and so does who played an easy game: these are figures, and no verdict.
fair-judging = The engine looks at the games: { $done } of { $of }.
fair-none = They have played no rated game.
fair-waits = waits
fair-all = All
fair-game = Game
fair-same = As the engine
fair-cost = Cost of a turn, in % of the chance to win
fair-time = Seconds, median
fair-spread = Spread of times
fair-quick = Below 1 s
fair-away = Page left
moderation-done = Decided.
decision-nothing = Nothing
decision-warn = Warn
decision-mute = Mute
decision-reset-ratings = Reset ratings
decision-close = Close the account
decision-suspend = Suspend for a while
decision-take-down = Take the map down

decisions-title = Decisions of the moderators
decisions-suspended = The moderators have closed this account. You may read, and appeal below.
decisions-line = { $decision }, { $date }
decisions-until = until { $date }
decisions-appeal = What you say against it
decisions-send = Appeal
decisions-waiting = Your appeal waits for an answer.
decisions-answered = Your appeal was answered.
problem-rated-often = You two have begun { $most } rated games with each other in a day. Play a casual game, or go on tomorrow.
problem-rated-neighbours = Two people at one address begin at most { $most } rated games a day with each other, and { $all } with everybody there. Play a casual game, or go on tomorrow.
fair-pairs = Rated games with the same people, in thirty days
fair-pair = { $games ->
    [one] one game
   *[other] { $games } games
 }, { $won } won, { $short } short (fewer than 20 plies).
fair-neighbours = Both were last seen at one address.

bell-title = For you
bell-none = Nothing waits for you.
bell-accepted = Your challenge was accepted: the game begins.
bell-declined = { $who } has declined your challenge: { $reason }
bell-go = Go there
