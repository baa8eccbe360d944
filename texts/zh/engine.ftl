# 引擎：自带的、外来的，以及它们之间的对局。
problem-engine-file = 引擎配置文件读不了：{ $text }
problem-engine-unknown = 没有叫“{ $name }”的引擎。请写 our、our:level=1 到 our:level=10、uci:命令，或配置文件里的名字。
problem-engine-level = 不认识“{ $found }”。请写 our:level=1 到 our:level=10、our:depth=3 或 our:depth=3,nodes=5000。
problem-engine-game = { $name } 不能用 { $protocol } 协议下 { $game }。
problem-engine-protocol = { $game } 不能用 { $protocol } 协议来下。
problem-engine-not-started = { $name } 启动不了：{ $text }
problem-engine-died = { $name } 自己退出了。{ $text }
problem-engine-hangs = { $name } 没有应答。
problem-engine-flood = { $name } 输出泛滥。
problem-engine-illegal = { $name } 要走 { $move }，这步不合规则。
problem-engine-no-move = { $name } 说它无棋可走。
problem-engine-resigns = { $name } 认输。
problem-option-value = { $option } 不能是“{ $value }”。
problem-hub-squares = 棋盘有 { $wanted } 格，不是 { $found } 格。
problem-gomocup-rule = 没有编号为 { $rule } 的规则。各数相加：0 五子及以上，1 恰好五子，2 连续对局，4 连珠，8 卡罗（9 为恰好五子）。
problem-opening-stones = 开局的这一步需要 { $wanted } 枚棋子，现有 { $count } 枚。
problem-engine-two-games = 引擎一次只下一种棋：是“{ $first }”还是“{ $second }”？
problem-engine-two-protocols = 引擎一次只用一种协议。
problem-swap2-stones = swap2 开局此时应有 0、3 或 5 子，不是 { $count } 子。
problem-not-the-last-move = { $move } 不是最后一步。
problem-dxp-broken = 对方程序没有遵守 DXP 协议：{ $text }
problem-match-file = { $file } 不是可用的对局文件：{ $text }
problem-match-other-settings = { $file } 里是另一种设置的比赛。请换一个文件，或用那场比赛的设置。
problem-match-void = { $games } 局中有 { $void } 局没有结果，最后一局的原因：{ $reason }。比赛停止。

# qiguan match
cli-match-goes-on = 比赛从已下的 { $games } 局接着进行。
cli-match-void = 第 { $number } 局不计：{ $reason }。此类之后只计数。
cli-match-fault = 第 { $number } 局，{ $reason }：{ $fault }
cli-match-records = { $file } 应以 .pgn、.pdn、.sgf、.json 或 .txt 结尾。
cli-match-terms = { $a } 对 { $b }：{ $game }，{ $control }，置换表 { $hash } MiB，种子 { $seed }，版本 { $version }
cli-match-score = 局：  { $won } 胜 { $drawn } 和 { $lost } 负{ $void ->
    [0] {""}
   *[other] {" "}{ $void } 不计
}，得分率 { $percent } %
cli-match-pairs = 对局组： { $pairs } （得 0、½、1、1½、2 分）
cli-match-elo = 等级分差： { $elo } ± { $error }（{ $low } 至 { $high }），归一化 { $normalised } ± { $spread }（95 %）；较强的可能为 { $los } %
cli-match-sprt = SPRT： [{ $low }, { $high }] { $scale ->
    [normalised] 归一化
   *[logistic] 常规
}，似然比 { $ratio }，界限 { $least } 与 { $most }：{ $verdict ->
    [accepted] 接受
    [refused] 拒绝
   *[open] 未决
}
cli-match-speeds = 每秒局面：{ $a } 与 { $b }，{ $ratio } 比 1
cli-match-engine = { $name }： 每步 { $clock } 毫秒，处理器 { $processor } 毫秒，因自身过失输 { $faults } 局，其中超时 { $late } 局
cli-match-late = { $games } 局中有 { $late } 局超时判负：这反映的是引擎如何守时，而不是谁下得更好。机器较慢时可加大 --margin。
cli-match-usual-time = 每步 { $ms } 毫秒；要改用别的限制，请用 --movetime、--tc、--nodes 或 --depth。
cli-match-none = 没有下完的对局。
cli-match-interrupted = 比赛在 { $games } 局后中止；带 --out 的比赛可以接着下。

# qiguan engine
cli-dxp-waits = 在 { $address } 等候对方程序连接。
cli-dxp-played = 下了 { $games } 局。

# 引擎的学习
problem-weights-file = 无法读取权重 { $name }：{ $text }
problem-weights-too-large = 没有写入：这些权重合起来可能达到 { $found }，而引擎最多只能加到 { $most }。请用更大的 --shrink 重新学习。
problem-openings-file = 无法读取开局文件 { $file }：{ $text }
problem-openings-game = 这些是 { $found } 的开局，不是 { $game } 的。
problem-openings-line = 开局文件第 { $line } 行：{ $text } 在那里走不了，或者走完对局就结束了。每行是一局的着法，用空格隔开，最多 400 步。
problem-openings-none = 没有开局。文件里每行一个开局：着法之间用空格隔开。
problem-learn-file = 无法写入 { $file }：{ $text }
problem-no-model = { $game } 没有可学习的内容：它的局面评估不是权重之和。
problem-learn-other-game = { $file } 里是 { $found } 的对局，不是 { $game } 的。
problem-learn-no-positions = 这些对局里没有可供学习的局面。
problem-engine-over-limit = { $name } 占用机器资源过多（{ $what ->
    [processor] 处理器时间
    [memory] 内存
    [processes] 进程或线程
   *[files] 临时文件
  }），已被终止。
problem-engine-sees-data = { $name } 能读到本馆 { $folder } 里的数据。请在引擎配置文件里给它一个单独的 `folder`，数据不要放在其中。
problem-fence-none = 本系统上外来引擎没有隔离：本程序能做的，它们都能做。
problem-fence-no-files = 本机对外来引擎的隔离较弱：系统没有 Landlock，引擎用户能读的文件它们都能读。
problem-fence-no-tcp = 本机对外来引擎的隔离稍弱：系统的 Landlock 不管 TCP（需 Linux 6.7），只靠系统调用过滤。
problem-fence-no-signals = 本机对外来引擎的隔离稍弱：系统的 Landlock 不管信号（需 Linux 6.12），只靠系统调用过滤。
problem-fence-no-filter = 本机对外来引擎的隔离较弱：没有系统调用过滤，它们能用 UDP，也能改文件权限。
problem-fence-no-user = 棋馆以 root 身份运行，又不能在此更换用户：外来引擎在隔离中仍是 root。请用普通用户启动棋馆。
problem-fence-off = { $name } 按配置不加隔离运行：本程序能做的，它都能做。
problem-learn-positions = { $file } 不是可供学习的局面文件，或已损坏：{ $text }。请用 qiguan learn positions 重新生成。
problem-no-network = { $game } 的引擎没有可训练的网络。

# 引擎对驱动它的程序说的话。
problem-option-not-within = { $option } 不能是“{ $value }”。请填 { $min } 到 { $max } 之间的整数。
problem-engine-option = 这个引擎没有“{ $option }”选项。
problem-engine-no-position = 没有可以思考的局面：上一次发来的局面读不懂。
problem-engine-search-moves = 以下着法在此局面不合法，已略过：{ $moves }
problem-engine-thinks = 上一个问题还在思考。请等它回答，或先让它停止。
problem-protocol-misread = { $why ->
    [unknown-command] 此协议没有“{ $found }”这条命令，该行已略过。
    [number] “{ $found }”不是整数，该行已略过。
    [argument-missing] 缺少 { $found } 的值，该行已略过。
    [line-too-long] 该行太长，已略过。
    [point] “{ $found }”不是棋盘上的点，该行已略过。
    [move] “{ $found }”不是此协议的着法写法，该行已略过。
   *[other] “{ $found }”读不懂（{ $why }），该行已略过。
  }
problem-learn-plan = { $file } 里是另一个计划或另一张地图的进度。请换个文件夹，或沿用那次的选项。
problem-learn-too-few = 对局里平静的局面太少，无从学习。请多下一些。
