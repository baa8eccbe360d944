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
