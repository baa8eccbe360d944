# Names of people, rooms and maps, and what proves who somebody is.
problem-name-empty = A name needs a letter.
problem-name-too-short = A name has at least { $limit } letters.
problem-name-letter = The character { $code } at place { $place } cannot be part of a name: { $why ->
    [control] it is a control character
    [private] it means nothing outside one machine
    [unassigned] Unicode does not know it
    [technical] it is a letter of phonetics
   *[invisible] it cannot be seen
  }. Leave it out.
problem-name-marks = The mark { $code } at place { $place } has no letter below it, or too many marks beside it. Leave it out.
problem-name-no-letter = A name needs at least one letter or digit.
problem-name-scripts = "{ $word }" mixes letters of two scripts that look alike: "{ $letter }" ({ $code }) is { $script }. Write each word in one script.
problem-name-reserved = "{ $name }" could be taken for a program or the staff of the hall. Choose another name.
problem-session-too-large = What this browser or program sends to say who it is has more than { $limit } bytes. Delete the cookies of this site.
problem-session-bearer = What stands behind "Authorization: Bearer" is no secret of this hall, or there is more than one. Send the one that the hall has issued.
problem-session-twice = This browser sends two different cookies called { $name }, and nobody can tell which is yours. Delete the cookies of this site.
problem-name-taken = "{ $name }" is another person's name, or looks like it. Choose another.
problem-name-too-soon = A name may change once in thirty days: yours again in { $days ->
    [one] a day
   *[other] { $days } days
  }.
problem-password-too-short = A password has at least { $limit } letters. Three or four words are easy to remember.
problem-password-too-long = A password has at most { $limit } letters.
problem-password-simple = This password repeats or counts: it would be guessed at once. Three or four words are easy to remember.
problem-password-like-name = This password is hardly more than your name. Choose another.
problem-password-known = This password is among those that are guessed first. Choose another.
problem-sign-in-failed = Name and password do not fit together.
problem-recovery-failed = Name and recovery code do not fit together, or the code was used before.
problem-too-many-tries = There were too many tries with this name or from this address. Wait { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
 }, or sign in with a passkey.
problem-passkey-malformed = The browser's answer about the passkey cannot be read. Try again.
problem-passkey-refused = The passkey was not accepted: { $detail }.
problem-passkey-unknown = The hall does not know this passkey, or no longer. Sign in another way.
problem-passkey-late = The question to the browser has expired. Try again.
problem-passkey-nowhere = Passkeys need https and a name; this hall is reached under an address for which browsers make none. Use a password.
problem-openid-off = This hall knows no accounts elsewhere. Sign in another way.
problem-openid-late = This visit to the other site does not count any more: it took longer than five minutes, was used before, or began on another device. Begin anew.
problem-openid-unreachable = The other site does not answer. Try again in a while, or sign in another way.
problem-openid-refused = What the other site said does not count. Try again; if it stays so, tell the keeper of this hall.
problem-openid-taken = That account elsewhere already lets somebody in here.
problem-openid-other = That account elsewhere is not one of yours here.
problem-not-an-account = This needs an account. Make one first: your games come along.
problem-is-an-account = You have an account already. Sign out first.
problem-guest-sign-out = You are a guest: only this browser knows your games. Make an account first, then sign out.
problem-confirm-first = Confirm first that it is you: by one of your ways in.
problem-credential-last = This is the last way into your account. Add a password or a passkey first.
problem-credential-unknown = There is no such way in.
problem-credentials-full = An account has at most { $limit } of them. Remove one first.
problem-session-unknown = That device is not signed in any more.
problem-token-unknown = There is no such token.
problem-tokens-full = An account has at most { $limit } tokens. Revoke one first.
problem-token-days = A token is good for 1 to { $limit } days.
problem-token-scope = The token may not do this: it lacks the scope "{ $scope }".
problem-token-not-here = This cannot be done with a token: sign in.
problem-scope-unknown = There is no scope "{ $scope }". Known: { $known }.
problem-scope-none = A token needs a scope.
problem-label-too-long = A label has at most { $limit } letters.
problem-closing-name = Type the name of the account to close it.
problem-device-code = There is no device that waits with this code, or no longer. Let it show a new one.
problem-not-staff = Only the staff of the hall sees this.
problem-bearer-unknown = That secret or token is not known here: it has expired, was revoked, or is of another hall.
account-open = Your account
account-enter = Sign in or make an account
