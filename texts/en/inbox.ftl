# Slow games: the list of those that wait, and what is planned at a table.
inbox = Slow games
inbox-mine = Your move
inbox-theirs = Their move
inbox-none = You play no slow game. Open a table with days for each move, and it will wait for you here.
inbox-against = against { $name }
inbox-held = on vacation
inbox-days = { $days } d { $hours } h left
inbox-hours = { $hours } h left
inbox-minutes = { $minutes } min left
inbox-moves = { $count ->
    [one] { $count } move
   *[other] { $count } moves
  }
vacation = Vacation
vacation-left = { $days ->
    [one] One day of vacation is left this year.
   *[other] { $days } days of vacation are left this year.
  }
vacation-away = { $days ->
    [one] You are on vacation, for one more day at most.
   *[other] You are on vacation, for { $days } more days at most.
  }
vacation-hint = While you are away, no clock of yours runs in slow games. A year has 21 days of vacation; each vacation costs at least one.
vacation-start = Go on vacation
vacation-stop = I am back
slow-plan = Plan
slow-next = Next ({ $waiting })
slow-next-key = To the next game that waits for you (N)
plan-hint = Play a move of your opponent and then your answer. If the opponent plays that move, the hall answers at once.
plan-board = Board of the plan
plan-begin = If the opponent plays …
plan-back = Back
plan-keep = Keep this line
plan-lines = Planned
plan-waits = Your opponent has offered something. What you have planned waits until you have answered.
plan-remove = Remove line { $n }
plan-note = Notes to yourself
plan-note-keep = Keep the notes
plan-note-kept = Kept.
