# What letters say.
letter-greeting = Hello { $name },
letter-end = This letter comes from the game hall at { $hall }.
    No more letters to this address: { $link }
letter-confirm = Is this your address? ({ $hall })
letter-confirm-body = The account { $name } at { $hall } wants to use this address. If that is you, confirm it here, within a day:

    { $link }

    If it is not you, do nothing.
letter-recover = A new password at { $hall }
letter-recover-why = Somebody, you we hope, has lost the password of an account with this address at { $hall }. These links set a new one, within an hour:
letter-recover-end = If it was not you, do nothing: nobody gets in without this letter.
letter-replaced = This is no address of your account any more ({ $hall })
letter-replaced-body = The account { $name } at { $hall } does not use this address any more. From now on nobody sets a new password with it.

    If that was not you, sign in there, look at the devices of your account and change your password.
letter-digest = { $count ->
    [one] It is your turn in a game
   *[other] It is your turn in { $count } games
}
letter-digest-why = { $count ->
    [one] One of your slow games waits for you:
   *[other] { $count } of your slow games wait for you:
}
letter-digest-end = All of them: { $link }
    This letter comes at most once a day, and only when there is something new.
letter-game = { $game }: { $left }
letter-game-with = { $game } against { $who }: { $left }
letter-hours = { $count ->
    [0] less than an hour left
    [one] one hour left
   *[other] { $count } hours left
}
letter-days = { $count ->
    [one] one day left
   *[other] { $count } days left
}
