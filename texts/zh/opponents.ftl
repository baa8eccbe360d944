# 与人对弈的程序。
problem-no-such-level = 没有 { $level } 级。等级为 1 至 10。
problem-no-such-engine = 这里没有名为“{ $name }”的程序。列表见 /api/engines。
problem-engine-plays-not = { $name } 不会下这种棋。
problem-engine-on-screen = 同屏对弈由一人走双方。要与程序对弈，请换一种方式。
reason-engine-hangs = 程序不再回应
reason-engine-died = 程序中断了
reason-engine-illegal = 程序要走一步不合规则的棋
reason-engine-no-move = 程序找不到着法
reason-engine-not-started = 程序无法启动
