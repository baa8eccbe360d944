# The desk of the staff.

staff-title = Desk of the staff
staff-people = People
staff-search = Name, or id
staff-find = Find
staff-none-found = Nobody was found.
staff-sharing = Who shares a network
staff-seen = last here { $date }
staff-made = came { $date }
staff-suspended = suspended until { $date }
staff-back = Back
staff-look = Look
staff-roles = Roles: { $roles }
staff-ways = Ways in: { $ways }
staff-devices = Devices
staff-tokens = { $count ->
    [one] one token
   *[other] { $count } tokens
}
staff-sent = { $count ->
    [0] No report of theirs waits.
    [one] One report of theirs waits.
   *[other] { $count } reports of theirs wait.
}
staff-noted = What they did
staff-reports = Reports and decisions
staff-log-of = What the staff did
staff-games = Games
staff-works = Maps
staff-nothing = Nothing.
staff-down = taken down
staff-take-down = Take down
staff-put-back = Put back
staff-decide = Decide
staff-reopen = Let in again
staff-suspend = Suspend
staff-reason = Reason, for whom it is about
staff-days = Days
staff-role-give = Make { $role }
staff-role-take = Take { $role }
staff-role-moderator = moderator
staff-role-admin = admin
staff-forget = Close for good
staff-forget-sure = Name, ways in and notes are deleted, sessions end, open games are given up. This cannot be undone.
staff-done = Done.
staff-bans = Bans
staff-network = Address or range
staff-spares = Let accounts through that are older than this number of days
staff-ask = Whom would it hit?
staff-hits = { $count ->
    [0] Nobody was at { $network } in the last day.
    [one] One person was at { $network } in the last day; { $accounts } with an account.
   *[other] { $count } people were at { $network } in the last day; { $accounts } of them with accounts.
}
staff-hits-you = You are there yourself; staff is let through.
staff-wide = This is a wide range, and I mean it
staff-ban = Ban
staff-lift = Lift
staff-until = until { $date }
staff-no-bans = Nobody is kept out.
staff-maps = Maps that were taken down
staff-house = The hall
staff-registration = New accounts
staff-registration-open = Everybody may make one
staff-registration-invited = By invitation
staff-registration-closed = None
staff-accounts-only = Guests only watch
staff-save = Save
staff-invite = Make an invitation
staff-invitation = Invitations
staff-label = What it is for
staff-uses = Accounts
staff-code = The code, shown once: { $code }
staff-used = { $used } of { $uses } used
staff-withdraw = Withdraw
staff-announcements = Announcements
staff-announce = Announce
staff-en = In English
staff-zh = In Chinese
staff-hours = Hours
staff-audit = Log of the staff
staff-more = Older
staff-keeper = the keeper
staff-confirm = Confirm that it is you
staff-confirm-why = What cannot be taken back easily needs your password again after a quarter of an hour. With a passkey, sign in again.
staff-password = Password
staff-act-look = looked at
staff-act-search = searched
staff-act-sharing = looked for shared networks of
staff-act-export = exported
staff-act-role = changed the roles of
staff-act-forget = closed for good
staff-act-reopen = let in again
staff-act-nothing = decided nothing about
staff-act-warn = warned
staff-act-mute = muted
staff-act-reset-ratings = reset the ratings of
staff-act-close = closed the account of
staff-act-suspend = suspended
staff-act-take-down = took a map down of
staff-act-put-back = put a map back of
staff-act-ban = banned addresses
staff-act-lift = lifted a ban
staff-act-announce = announced
staff-act-withdraw = withdrew an announcement
staff-act-register = changed who may come
staff-act-invite = made an invitation
staff-act-uninvite = took an invitation back
staff-act-worker-key-make = made a worker's key
staff-act-worker-key-remove = removed a worker's key
staff-act-worker-key-restore = gave a worker's key work again
announced-close = Close
announced-title = From the staff of the hall
