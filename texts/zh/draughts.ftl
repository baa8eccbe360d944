family-draughts = 国际跳棋
game-draughts-international = 国际跳棋（百格）
game-draughts-brazilian = 巴西跳棋（64 格）
game-draughts-russian = 俄罗斯跳棋
game-draughts-pool = 美式普尔跳棋
game-draughts-english = 英式跳棋（西洋跳棋，Checkers）
game-draughts-italian = 意大利跳棋
game-draughts-spanish = 西班牙与葡萄牙跳棋
game-draughts-czech = 捷克跳棋
game-draughts-frisian = 弗里斯兰跳棋
game-draughts-frysk = 弗里斯兰五子跳棋
game-draughts-killer = 杀手跳棋
game-draughts-breakthrough = 突破跳棋
game-draughts-losing = 输子跳棋
game-draughts-thai = 泰国跳棋
game-draughts-turkish = 土耳其跳棋
game-draughts-canadian = 加拿大跳棋（12x12）
game-draughts-school = 国际跳棋 64（8x8）
called-draughts-international = 国际跳棋
called-draughts-brazilian = 巴西跳棋
called-draughts-russian = 俄罗斯跳棋
called-draughts-pool = 美式普尔跳棋
called-draughts-english = 西洋跳棋
called-draughts-italian = 意大利跳棋
called-draughts-spanish = 西班牙跳棋
called-draughts-czech = 捷克跳棋
called-draughts-frisian = 弗里斯兰跳棋
called-draughts-frysk = 弗里斯兰五子跳棋
called-draughts-killer = 杀手跳棋
called-draughts-breakthrough = 突破跳棋
called-draughts-losing = 输子跳棋
called-draughts-thai = 泰国跳棋
called-draughts-turkish = 土耳其跳棋
called-draughts-canadian = 加拿大跳棋
called-draughts-school = 国际跳棋 64
brief-draughts-international = 10 × 10，飞王
brief-draughts-brazilian = 8 × 8，国际规则
brief-draughts-russian = 途经升王
brief-draughts-pool = 兵可倒吃
brief-draughts-english = 8 × 8，短王
brief-draughts-italian = 兵不吃王
brief-draughts-spanish = 飞王，多吃优先
brief-draughts-czech = 王先吃
brief-draughts-frisian = 横竖也吃
brief-draughts-frysk = 各五子
brief-draughts-killer = 吃王须贴停
brief-draughts-breakthrough = 先升王者胜
brief-draughts-losing = 输光者胜
brief-draughts-thai = 各八子
brief-draughts-turkish = 直走直吃
brief-draughts-canadian = 12 × 12
brief-draughts-school = 8 × 8，标号

about-draughts-international = 每方 20 兵。兵也可后退吃子，王可飞行，必须选吃子最多的走法。
about-draughts-brazilian = 在小棋盘上用国际规则，每方 12 兵。
about-draughts-russian = 可任选一种吃法；兵吃到底线立即成王，接着吃。
about-draughts-pool = 黑方先走。兵也可后退吃子，王可飞行，可任选一种吃法。
about-draughts-english = 黑方先走。兵只能向前吃，王每次走一格，可任选一种吃法。
about-draughts-italian = 兵只能向前吃，且不能吃王；王每次走一格；必须选最大的吃法。
about-draughts-spanish = 兵只能向前吃，王可飞行；必须吃子最多，其中又以吃王最多者为先。
about-draughts-czech = 兵只能向前吃，王可飞行；王能吃时必须用王吃。
about-draughts-frisian = 还可沿横线、竖线吃子，必须选价值最大的吃法。
about-draughts-frysk = 弗里斯兰规则，每方只有五兵。
about-draughts-killer = 国际规则，但王最后吃掉的若是王，须停在紧邻其后的格上。
about-draughts-breakthrough = 国际规则，但先成王者胜。
about-draughts-losing = 国际规则，但无子或无着可走者胜。
about-draughts-thai = 每方 8 兵，黑方先走。王可飞行，但吃子后停在紧邻的格上。
about-draughts-turkish = 用全部格子，走直线不走斜线。每方 16 兵，必须选吃子最多的走法。
about-draughts-canadian = 在大棋盘上用国际规则，每方 30 兵。
about-draughts-school = 在小棋盘上用国际规则，格子编号，依学校程序的规则。

piece-man = 兵
piece-king = 王

notation-pdn = PDN
notation-hub = Hub
notation-algebraic = 字母坐标

reason-no-pieces = 棋子被吃光
reason-blocked = 无子可动
reason-rid-of-all = 己方棋子全部送出，按输子规则获胜
reason-blocked-wins = 己方无子可动，按输子规则获胜
reason-first-king = 率先升王
reason-position-repeated = 局面重复次数已满
reason-kings-only = 双方只走王的步数已满
reason-few-pieces = 残子过少，五步内未分胜负
reason-three-against-one = 三子对单王，十六步内未分胜负
reason-three-kings = 三王对单王，限定步数内未分胜负
reason-one-against-one = 双方各剩一子
reason-balance-small = 双方共四五子，三十步内无变化
reason-balance-large = 双方共六七子，六十步内无变化
reason-long-diagonal = 单王占住大道五步
reason-king-against-king = 王对王
reason-two-kings = 双王对单王，七步内未分胜负

counter-kings-only = 只走王的步数
counter-few-pieces = 五步规则已走
counter-three-against-one = 十六步规则已走
counter-three-kings = 三王对单王已走
counter-balance-small = 三十步规则已走
counter-balance-large = 六十步规则已走
counter-long-diagonal = 占住大道已走
counter-king-against-king = 王对王已走
counter-two-kings = 双王对单王已走
counter-same-king = 同一王连走

note-must-capture = 必须吃 { $count } 子，可走：{ $squares }。
note-must-capture-any = 能吃必吃，并须吃到底，可走：{ $squares }。

rules-draughts =
    兵沿斜线向前走一格到空格；走完时停在底线的兵升为王。
    能吃必吃：跳过相邻的对方棋子落到其后的空格，能连跳就必须跳到底。
    多数规则下必须选吃子最多的走法，兵也可以向后吃，王可以沿空格飞行任意距离。被吃的棋子在走完后一起拿走，途中不得跳过两次。
    棋子被吃光或无子可动者负。

problem-draughts-fen-too-long = 局面文本长 { $found } 字节，最多读 { $most } 字节。
problem-draughts-fen-turn = 局面文本：轮到的一方写作“{ $found }”，应为 W、B 或 ?。
problem-draughts-fen-field = 局面文本：“{ $found }”既不是 W 或 B 及其格子，也不是计数。
problem-draughts-fen-square = 局面文本：“{ $found }”不是本棋盘的格子或范围，最后一格是 { $last }。
problem-draughts-fen-twice = 局面文本：{ $square } 上有两个棋子。
problem-draughts-fen-count = 局面文本：“{ $found }”不是此局面可有的计数。
problem-draughts-not-a-move = “{ $text }”不是着法。请写出棋子离开、经过和到达的格子（到 { $last } 为止），中间用 - 或 x 隔开。
problem-draughts-ambiguous = “{ $move }”可能是几种吃法，请多写途中的格子。
problem-draughts-no-piece = { $square } 上没有{ $side ->
        [black] 黑
       *[white] 白
    }方棋子。
problem-draughts-must-capture = 必须吃 { $count } 子，可走的棋子：{ $squares }。
problem-draughts-must-capture-any = 能吃必吃，并须吃到底，可走的棋子：{ $squares }。
problem-draughts-king-must-rest = { $square } 上的王已连走 { $limit } 步，请走别的棋子，或用它吃子。
problem-draughts-cannot-go = { $from } 上的棋子不能走到 { $to }。
problem-draughts-not-a-square = 这里不是可落子的格子。
problem-draughts-man-on-last-row = { $square } 上的{ $side ->
        [black] 黑
       *[white] 白
    }兵已在底线，应当是王。
problem-draughts-unknown-piece = “{ $face }”不是跳棋的棋子，只有兵和王。
problem-draughts-too-many-pieces = { $side ->
        [black] 黑
       *[white] 白
    }方有 { $found } 子，本棋盘每方最多 { $most } 子。
option-draw = 抽签开局
option-draw-usual = 不抽签，按通常开局
option-draw-three-move = 三步开局表（156）
option-draw-eleven-man = 十一子开局表（2400）
option-draw-basic = 基本抽签表（149）
option-draw-tables = 全部抽签表
about-option-draw-three-move = 棋馆抽定黑方两步、白方一步。双方各执一次：再来一局时用同一开局。
about-option-draw-eleven-man = 双方各去一子，再抽定各自的第一步。再来一局时用同一开局。
about-option-draw-basic = 棋馆从协会的抽签表中抽定最初几步。再来一局时用同一开局。
about-option-draw-tables = 棋馆抽定最初几步，或双方各移一子。再来一局时用同一开局。
option-drawn = 开局在表中的序号（0：抽签）
option-leg = 用此开局的第一局或第二局
