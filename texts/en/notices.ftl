# What people are told while they look elsewhere, and where they decide about it.
notice-turn = It is your turn
notice-turn-by = { $game }: { $who } has moved.
notice-turn-game = { $game }
notice-clock = Your clock is nearly out
notice-clock-by = { $game } against { $who }: move soon, or you lose on time.
notice-clock-game = { $game }: move soon, or you lose on time.
notice-challenge = You are challenged
notice-challenge-by = { $who } wants to play { $game } with you.
notice-challenge-game = Somebody wants to play { $game } with you.
notices = Notices
notices-hint = While you look elsewhere: it is your turn in a slow game, your clock there is nearly out, or somebody challenges you. One notice a game until you have looked.
notices-here = In this browser
notices-denied = This browser keeps notices of this page back. Allow them in the browser's settings for this site, then try again.
notices-nowhere = This browser cannot show notices here. That takes https, or localhost, and on some phones the page has to be on the home screen.
notices-failed = The browser's push service could not be reached. Try again later.
notices-elsewhere = { $count ->
    [one] You are told in one other browser.
   *[other] You are told in { $count } other browsers.
}
notices-quiet = Quiet hours
notices-quiet-hint = Nothing is told meanwhile unless your clock would run out. Time zone: { $zone }.
notices-from = From
notices-to = To
problem-push-off = This hall tells nobody outside of its pages. Whoever runs it may switch that on.
problem-push-endpoint = This is not the address of a push service: an https address of a public host, at most 1024 bytes.
problem-push-keys = The keys of the subscription cannot be read. Switch notices off and on again.
problem-quiet-hours = Quiet hours begin and end at different minutes of a day, 0 to 1439.
problem-quiet-zone = There is no time zone “{ $zone }”. Time zones are written like Europe/Berlin.
