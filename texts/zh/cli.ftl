# 程序在终端里说的话。
cli-hall-is-open = 棋馆已开门:{ $url }
cli-press-to-close = 按 Ctrl-C 关门。
cli-hall-closes = 棋馆关门,时钟已记下。
cli-console-is-gomoku = 经典控制台只下五子棋，不下 { $game }。
