# 等级分对局，以及保存下来的对局。
problem-not-in-a-rated-game = 这盘棋的结果计入等级分：不能悔棋，也不能交换座位。
problem-rated-needs-account = 等级分对局只在两个帐号之间进行。请先注册帐号，或者下一盘不计分的棋。
problem-rated-not-usual = 这盘棋不能计等级分：等级分对局须由两个人从通常的开局、按通常的选项、使用棋钟进行。请更改设置，或者下一盘不计分的棋。
problem-rated-game-runs = 你正在下这种棋的等级分对局。请先下完；在此之前，棋馆的程序既不和你下这种棋，也不在这种棋上帮你。
problem-no-such-person = 这里没有叫 { $name } 的人。
problem-too-many-queues = 你已经在等 { $limit } 种对局。请先取消其中一种。
