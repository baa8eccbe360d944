# The analysis board and the report.
study-engine = Our engine thinks
study-waits = Waiting for a turn…
study-looks = Looking…
study-done = Done
study-depth = depth { $depth }
study-nodes = { $count ->
    [one] one position
   *[other] { $count } positions
 }
study-lines = Lines
study-lines-count = { $count ->
    [one] One line
   *[other] { $count } lines
}
study-line = Line { $n }: { $worth }
study-none = The game is over here.
study-try = Try moves from here
study-lost = No connection to the analysis. It comes back by itself.
worth-even = even
worth-better = { $side } is better by { $by }
worth-wins = { $side } wins (in { $count })
report = Report
report-make = Make a report
report-hint = Each position is analysed once more; that takes a while.
report-works = { $done } of { $of ->
    [one] one position
   *[other] { $of } positions
 } analysed
report-none = Nobody made a mistake worth naming.
report-graph = How the game went: above the middle { $side } is better
report-found = { $count ->
    [one] One turn changed the game
   *[other] { $count } turns changed the game
}
report-fault = { $fault }; better { $move }
fault-slip = inexact
fault-mistake = mistake
fault-blunder = changes the result
study-ours = Our engine
study-who = Who thinks
