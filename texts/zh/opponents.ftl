# 与人对弈的程序。
problem-unknown-level = 没有 { $level } 级。等级为 1 至 10。
problem-no-such-engine = 这里没有名为“{ $name }”的程序。列表见 /api/engines。
problem-engine-plays-not = { $name } 不会下这种棋。
problem-engine-on-screen = 同屏对弈由一人走双方。要与程序对弈，请换一种方式。
reason-engine-hangs = 程序不再回应
reason-engine-died = 程序中断了
reason-engine-illegal = 程序要走一步不合规则的棋
reason-engine-no-move = 程序找不到着法
reason-engine-not-started = 程序无法启动

# 等级：名称，适合谁。
how-engine = 电脑
start-engine = 开始对弈
map-play-engine = 与电脑对弈
level = 对手
level-named = { $level } 级 · { $name }
level-1 = 初来
level-1-for = 适合孩子，或平生第一局。
level-2 = 启蒙
level-2-for = 适合刚学会规则的人。
level-3 = 棋友
level-3-for = 随意下一局，有时会看漏。
level-4 = 邻居
level-4-for = 会往前看几步，仍会出错。
level-5 = 常客
level-5-for = 适合偶尔下棋的人。
level-6 = 学子
level-6-for = 适合琢磨过棋的人。
level-7 = 好手
level-7-for = 很少白送。
level-8 = 高手
level-8-for = 适合棋力强的人，有错必究。
level-9 = 大师
level-9-for = 能胜它的人不多。
level-10 = 全力
level-10-for = 使出全部本领，每步想几秒钟。
engine-foreign = 本馆主人请来的程序。
thinking = 思考中

# 提示、研究、复盘。
problem-study-not-now = 这局棋还在进行，结束后才能研究。
problem-position-in-play = 现在有两位棋手正下到这个局面，等他们下完才能研究。
problem-study-too-long = 变化最多 { $limit } 步。
problem-no-hints-here = 只有与电脑对弈或同屏时才有提示。
problem-report-length = 只能复盘 1 至 { $limit } 步的对局。

# 棋桌上的帮助。
hint = 提示
hint-is = 可以走{ $move }。
hint-then = { $hint }之后可能是 { $line }。
study = 研究
study-open = 研究
study-close = 关闭研究
aside = 这是没有走出的变化。
aside-back = 回到对局
looking-over = 正在回看这局棋。
