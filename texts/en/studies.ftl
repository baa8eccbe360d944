# Studies that people save.
problem-no-such-study = There is no such study, or it is not open to you.
problem-studies-full = You have as many studies as one person may have. Delete one to make another.
problem-study-needs-account = Studies belong to accounts. Sign in to save one.
problem-study-not-yours = Only its owner may do that; to change what is in a study, ask its owner to invite you.
problem-study-no-chapter = That chapter is not there any more. Choose another one.
problem-study-no-node = That move is not there any more: somebody took it away meanwhile.
problem-study-full = { $what ->
    [nodes] A study has at most { $most } moves. Begin another study.
    [chapters] A study has at most { $most } chapters. Begin another study.
    [bytes] The texts of a study have at most { $most } bytes. Begin another study.
    [members] At most { $most } people may change a study. Take somebody off first.
    [marks] A position has at most { $most } arrows and circles. Erase some.
    [nags] A move has at most { $most } signs. Take one off.
   *[comment] A comment has at most { $most } bytes, arrows and circles included. Make it shorter.
}
problem-study-newer = Somebody changed this meanwhile. Look at what is there now, then try again.
problem-study-last-chapter = A study has at least one chapter. Delete the study, or add another chapter first.
problem-study-name = A name has 1 to { $most } characters.
problem-study-mark = Arrows and circles stand on places of the board, and an arrow ends elsewhere than it begins.
problem-study-nag = That is no sign that a move can have.
problem-study-crowded = Too many people change this study just now. Try again.
problem-study-nobody = There is no account called “{ $name }”. Ask them for the name they play by.
problem-study-of-nothing = Nothing to begin with: choose a game, a file or a table.
problem-study-report-runs = The report is being made: { $done } of { $of ->
    [one] one position
   *[other] { $of } positions
 }.
problem-study-one-at-a-time = A file of the format { $format } holds one game. Save the chapters one by one, or choose another format.
problem-study-file-large = The file would have more than { $most } MiB, because each chapter brings the files of its map. Save the chapters one by one, or choose another format.
problem-study-left-out = { $moves ->
    [one] One move was left out
   *[other] { $moves } moves were left out
}: { $move } in move { $turn } is not possible there.
problem-study-damaged = What is stored of the study cannot be read: { $detail }. Restore a backup.
problem-study-reader = That move is not in the study. Its owner can invite you to add it.
studies-about = Analyses that you save: chapters, variations, comments, arrows. Others can read them, or work on them with you.
studies-mine = Mine
studies-public = Public
studies-search = Search
studies-none = You have no studies yet. Begin one, or choose “Save as study” at a finished game.
studies-none-found = No study fits.
studies-newer = Newer studies
studies-older = Older studies
study-new = New study
study-name = Name
study-name-hint = As its first chapter
study-make = Make the study
study-sign-in = Sign in
study-of-table = It begins with the game of your table:
study-to-table = the table
study-of-game = It begins with the game of the library that you looked at.
study-with-report = With the report: evaluations, mistakes and better lines
study-who-reads = Who may read it
study-access-private = Only those who may change it
study-access-link = Whoever has the link
study-access-public = Everybody
study-from-game = Game
study-from-map = Map
study-from-fen = Position as FEN (empty: the usual start)
study-from-file = Or a file with one or several games
study-chapter-first = First chapter
study-chapter = Chapter
study-chapters = Chapters
study-chapters-count = { $count ->
    [one] One chapter
   *[other] { $count } chapters
}
study-chapter-edit = This chapter
study-chapter-name = Name of the chapter
study-chapter-up = Move up
study-chapter-down = Move down
study-chapter-remove = Delete this chapter
study-chapter-remove-sure = Delete this chapter with everything in it?
study-chapter-add = Add a chapter
study-chapter-make = Add it
study-start = Start
study-turn = Turn the board
study-watchers = { $count ->
    [one] One person is here
   *[other] { $count } people are here
}
study-gone = This study is not open to you any more, or has been deleted.
study-offline = No connection to the study. It comes back by itself.
study-sync = Together: show the others where I look, and follow them
study-follow = Follow those who show the study
study-comment = Comment
study-comment-hint = What is there to say? **strong**, *stressed*, - lists
study-comment-save = Save comment
study-comment-theirs = Somebody else wrote meanwhile:
study-comment-both = Keep both
study-signs = Signs of judgement
study-sign-1 = A good move
study-sign-2 = A mistake
study-sign-3 = A very good move
study-sign-4 = A blunder
study-sign-5 = Worth a look
study-sign-6 = Doubtful
study-sign-10 = Even
study-sign-13 = Unclear
study-sign-14 = The first side is a little better
study-sign-15 = The second side is a little better
study-sign-18 = The first side is winning
study-sign-19 = The second side is winning
study-eval = Evaluation for the first side
study-promote = Make it the main line
study-remove = Delete from here
study-remove-sure = Delete this move and all that follows?
study-draw = Draw:
study-draw-hint = Touch where the arrow begins and where it ends; the same place twice is a circle, and the same arrow again erases it. With a mouse, drag with the right button.
study-colour-green = Green
study-colour-red = Red
study-colour-yellow = Yellow
study-colour-blue = Blue
study-lesson = Lesson
study-lesson-none = Not a lesson
study-lesson-of = Readers find the moves of { $side }
study-lesson-begin = Take the lesson
study-lesson-find = { $side } to move. Find the move.
study-lesson-right = Right.
study-lesson-wrong = Not this one. Try again.
study-lesson-shown = It was { $move }.
study-lesson-show = Show the move
study-lesson-again = From the beginning
study-lesson-leave = See all of it
study-lesson-over = That was the lesson.
study-people = Who reads, who writes
study-copy-link = Copy the link
study-role-owner = owner
study-role-contributor = may change it
study-invite = Invite by name
study-invite-do = Invite
study-dismiss = Take off
study-delete = Delete the study
study-delete-sure = Delete the whole study for everybody?
study-save = Save as a file
study-save-whole = All chapters in one file
study-loses = does not hold: { $what }
study-loses-nothing = holds everything
study-list-comma = {", "}
study-loses-moves = some moves
study-loses-variations = variations
study-loses-comments = comments
study-loses-marks = arrows and circles
study-loses-evals = evaluations
study-loses-nags = signs of judgement
study-loses-times = thinking times
study-loses-players = players
study-loses-result = the result
study-loses-clock = the clock
study-loses-date = the date
study-loses-tags = notes about the game
study-loses-options = options
