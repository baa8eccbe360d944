# 裁判拒绝的事及其原因。
problem-line-too-long = 这条请求超过 { $limit } 字节。
problem-missing-field = 请求缺少“{ $field }”。
problem-too-many-moves = 一条线最多 { $limit } 着。
problem-unknown-question = 不能询问“{ $question }”。可以询问：{ $known }。
problem-perft-too-deep = 深度 { $depth } 数得太久；已数到深度 { $counted }。更深请用 qiguan perft。
problem-no-engine = { $game } 还没有引擎。
problem-best-without-limit = “best”需要一个限制：“ms”“nodes”“depth”或“level”。
problem-best-too-much = 引擎最多思考 { $ms } 毫秒，最多给出 { $lines } 条变化。
problem-no-such-level = 没有第 { $level } 级；等级从 1 到 10。
