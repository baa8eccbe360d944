# 程序在终端里说的话。
cli-hall-is-open = 棋馆已开门:{ $url }
cli-press-to-close = 按 Ctrl-C 关门。
cli-hall-closes = 棋馆关门,时钟已记下。
cli-console-is-gomoku = 经典控制台只下五子棋，不下 { $game }。

# qiguan convert
cli-convert-game = 第 { $number } 局：{ $problem }
cli-convert-failed = { $read } 局中有 { $failed } 局无法转换，其余都已写出。
cli-convert-nothing = 输入中没有对局。
cli-convert-unknown = 输入不像任何能读的格式。请用 --from 指明。
cli-convert-one = { $format } 格式的文件只能放一局，输入中不止一局。第一局已写出。
cli-convert-same = { $file } 不能既是输入又是输出。

# qiguan learn
cli-learn-games = { $file } 里有 { $games } 局。
cli-learn-packed = { $file } 里有 { $taken } 个局面（共 { $seen } 个）。
cli-learn-found = { $learned } 个局面用于学习，{ $aside } 个留作检验。
cli-learn-loss = 第 { $epochs } 遍：学习 { $learned }，检验 { $aside }
cli-learn-written = 已写入 { $file }：{ $count } 个权重，每单位对数几率 { $scale } 分；检验损失由 { $before } 变为 { $after }。
