# 在终端里逐行下棋。
line-help = 请输入着法，或：着法、悔棋、局面、帮助、退出（moves、undo、fen、help、quit 亦可）。
line-to-move = 轮到{ $side }：
line-asked = { $side }：{ $prompt }：
line-over = 对局已结束（悔棋、局面、退出）：
line-won = { $side }胜：{ $reason }。
line-drawn = 和棋：{ $reason }。
line-void = 对局作废：{ $reason }。
line-nothing-to-undo = 没有可以悔的棋。
line-warned = { $move } 会立即判负：{ $reason }。若仍要走，请再输入一次。
