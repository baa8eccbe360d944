# 裁判拒绝的事及其原因。
problem-line-too-long = 这条请求超过 { $limit } 字节。
problem-missing-field = 请求缺少“{ $field }”。
problem-too-many-moves = 一条线最多 { $limit } 着。
problem-unknown-question = 不能询问“{ $question }”。可以询问:{ $known }。
problem-perft-too-deep = 深度 { $depth } 数得太久;已数到深度 { $counted }。更深请用 qiguan perft。
problem-no-engine = { $game } 还没有引擎。
