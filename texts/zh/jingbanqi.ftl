family-jingbanqi = 精班棋
game-jingbanqi = 精班棋
side-blue = 蓝方

reason-captain-taken = 首领被吃
reason-extension-win = 地图的扩展判定获胜
reason-extension-draw = 地图的扩展判定和棋
reason-extension-failed = 地图的扩展出错

caption-extension-failed = 扩展 { $place } 在 { $hook } 第 { $line } 行出错：{ $why ->
        [time-call] 一次调用超过 { $name } 毫秒
        [time-ply] 一步超过 { $name } 秒
        [time-all] 用时太长
        [talks] 打印的内容太多
        [stopped] 内存用完，或向系统要求了什么
        [not-utf-8] 文件不是 UTF-8 编码
       *[other] { $text }
    }
hand-first = 请先在手中选一枚棋子，再点要落的格子。
hand-of = { $side }手中
hand-piece = { $piece }：{ $count ->
        [any] 不限数量
       *[other] { $count } 枚
    }
pick-put = 选择落在那里的棋子
pick-piece = 选择升变后的棋子
counter-map-points = 得分
counter-ply-limit = 手数
counter-quiet-limit = 未吃子的手数
note-map-captain-attacked = 首领受到攻击，只能走解救它的棋。
note-map-must-take = 有子可吃，必须吃子。
note-map-arranging = 请先布阵：点一枚棋子再点另一枚，使它们换位，然后按“就绪”。
button-ready = 就绪
reason-stuck = 轮到走棋的一方无子可动
reason-goal-reached = 棋子到达了目标
reason-line-made = 连成了一线
reason-regions-connected = 连通了两个区域
reason-score-reached = 得分达到了取胜的分数
reason-points-counted = 计分决定胜负
reason-ply-limit = 达到手数上限
reason-quiet-limit = 太久没有吃子

rules-jingbanqi =
    每张地图就是一种棋：有哪些棋子、各自怎么走、在哪里升变，都由作者写定。
    红方先行，双方轮流走棋。中立棋子双方都可以移动，不吃子，也不会被吃。
    吃掉对方任一首领即获胜。

problem-jingbanqi-fen-too-long = 局面文本有 { $found } 字节，最长不过 { $most }。
problem-jingbanqi-fen-fields = 局面文本有 { $found } 段，应为四段：各行、轮到走棋的一方（r 或 b）、红蓝双方连续移动中立棋子的次数（如 0,0）、对局未结束时的 -。第 2 级的地图另有四段：手中的棋子、计数、分数、颜色。
problem-jingbanqi-fen-rows = 局面文本有 { $found } 行，这张地图有 { $expected } 行。
problem-jingbanqi-fen-row = 局面文本第 { $row } 行有 { $found } 格，这张地图每行 { $expected } 格。
problem-jingbanqi-fen-square = 局面文本第 { $row } 行：“{ $found }”既不是这张地图的棋子（编号，升变后加 +），也不是若干空格（如 .3）。
problem-jingbanqi-fen-side = 局面文本：走棋方是“{ $found }”，应为 r 或 b。
problem-jingbanqi-fen-neutral = 局面文本：“{ $found }”应为红蓝双方连续移动中立棋子的次数，如 0,1。
problem-jingbanqi-fen-end = 局面文本：“{ $found }”应为 -，或胜方与原因，例如 red:captain-taken。
problem-jingbanqi-fen-gap = 局面：{ $found } 上有棋子，但本地图那里不是格子。
problem-jingbanqi-fen-hand = 局面：“{ $found }”应为手中的棋子，如 r3*2，或 -。
problem-jingbanqi-fen-counters = 局面：“{ $found }”不符合本地图的计数、分数或颜色。
problem-jingbanqi-fen-bag = 局面：“{ $found }”应为本地图袋中剩下的棋子，如 1.2*5，或 -。
problem-jingbanqi-fen-secrets = 局面：“{ $found }”没有说明本地图中隐藏的内容。只能读入已结束对局的局面。

problem-map-not-xlsx = 这不是可以读取的 .xlsx 工作簿（{ $text }）。请把地图另存为“Excel 工作簿 (.xlsx)”。
problem-map-too-large = 文件太大：{ $text }，上限为 { $most }。
problem-map-too-large-unpacked = { $place } 解压后超过地图允许的大小（{ $text }）。
problem-map-too-much-text = 工作表 { $place }：单元格的文字合计超过 { $most } 字节（属性标题按每枚棋子各计一次）。请缩短。
problem-map-text-too-long = { $place }：文字有 { $text } 个字符，太长；一个单元格最多 { $most } 个字符。
problem-map-missing-sheet = 没有名为“{ $place }”的工作表。地图需要 chesses、map、rules 三张工作表，这个文件只有：{ $text }。
problem-map-no-pieces = { $place }：棋子表是空的。请从这里起每行写一枚棋子。
problem-map-too-many-pieces = { $place }：棋子表有 { $text } 行，最多 { $most } 行。
problem-map-too-many-attributes = { $place }：标题太靠右，最多 { $most } 个属性。
problem-map-bad-size = { $place }：“{ $text }”不是行数或列数。请写 1 到 { $most } 的整数。
problem-map-board-too-large = { $place }：边长 { $text } 太大，最多 { $most }。
problem-map-bad-piece-id = { $place }：“{ $text }”不是棋子表里的编号，编号为 1 到 { $most }。
problem-map-bad-belong = { $place }：“{ $text }”不是归属。红方写 1，蓝方写 2，中立写 3。
problem-map-bad-move-rule = { $place }：“{ $text }”不是可移动规则：{ $why ->
        [full-width] “{ $found }”是中文（全角）符号，请写“{ $near }”
        [no-semicolon] “走一格”与“走无限格”之间缺少“;”
        [sections] 分段太多
        [brackets] “{ $part }”的括号不成对
        [direction] “{ $part }”不是 1 到 8 的方向
        [level-2] “{ $part }”是第 2 级的写法：请加一张工作表“rules2”，并在 A1 写“棋馆 2”
        [way] “{ $part }”不是走法；走法如 2、m2、c1、p2、cp2、2*3、L1:2、nL1:2 和 V-2:1
        [length] 太长
       *[number] “{ $part }”不是数字
    }。
problem-map-bad-location-rule = { $place }：“{ $text }”中有看不懂的位置条件：“{ $part }”{ $why ->
        [full-width] 有中文（全角）符号“{ $found }”，请写“{ $near }”
        [brackets] 应为名称加方括号里的数字，如 X[1|2]
        [name] 方括号前没有合适的名称
        [points] 的坐标个数是奇数，每个点要有两个
        [unknown] 不是 X、Y、P、T 中的任何一种位置
       *[number] 的括号里有不是整数的内容
    }。
problem-map-missing-mark = 工作表“{ $place }”：没有规则。请在工作表“rules2”的 A1 写“棋馆 2”或“Qiguan 2”，或加一张工作表“rules”。现有工作表：{ $text }。
problem-map-rules2-word = { $place }：“{ $text }”不是工作表 rules2 的词。是不是“{ $near }”？
problem-map-rules2-value = { $place }：“{ $text }”不是“{ $word }”（{ $en }）的值。是不是“{ $near }”？
problem-map-rules2-extra = { $place }：这里的“{ $text }”不会被读取，请留空。
problem-map-rules2-twice = { $place }：“{ $text }”写了两次。
problem-map-level2-later = { $place }：“{ $text }”属于第 2 级中本程序还不能下的部分（迷雾、图）。
problem-map-levels-differ = { $place }：按“rules”和按“rules2”下法不同：第 { $game } 局第 { $ply } 步，{ $text }。请去掉其中一张工作表，或使两者一致。
problem-map-unknown-piece = { $place }：没有叫“{ $text }”的棋子。是不是“{ $near }”？
problem-map-unknown-terrain = { $place }：工作表 terrain 里没有叫“{ $text }”的格子。是不是“{ $near }”？
problem-map-terrain-off-board = { $place }：“{ $text }”在 { $rows } 行 { $cols } 列的棋盘之外。
problem-map-bad-terrain = { $place }：“{ $text }”里有空的名称，或有 [ ] ( ) | & + ! , ; 这些符号。
problem-map-piece-off = { $place }：棋子 { $text } 所在的位置，工作表 terrain 写明不是格子。
problem-map-bad-rank = { $place }：级“{ $text }”不是整数。
problem-map-too-many-choices = { $place }：“{ $text }”可选的棋子太多，最多 { $most } 种。
problem-map-hex-direction = { $place }：“{ $text }”用了方向 1 或 8。六角棋盘只有方向 2 到 7。
problem-map-bad-look = { $place }：“{ $text }”不是表里的颜色或图标。是不是“{ $near }”？
problem-map-bad-hand-side = { $place }：“{ $text }”不是一方。红方写 1，蓝方写 2。
problem-map-bad-hand-count = { $place }：“{ $text }”不是数量。请写不超过 { $most } 的整数，或 ∞。
problem-map-bad-bag-name = { $place }：“{ $text }”不能作袋的名称。请写一个词，同一袋的棋子写同样的词。
problem-map-bad-bag-side = { $place }：“{ $text }”不是一方。红方写 1，蓝方写 2，中立写 3：它说明指的是哪一方的同名棋子。
problem-map-bad-bag-count = { $place }：“{ $text }”不是数量。请写不超过 { $most } 的整数。
problem-map-bag-other-side = { $place }：{ $side } 方没有叫“{ $text }”的棋子。请写棋子表中它所属的一方。
problem-map-unused-bag = { $place }：没有棋子从袋“{ $text }”中翻出。请在 chesses 表的“翻开”（turns）列中写上它，或去掉这一行。
problem-map-unknown-bag = { $place }：bag 表中没有叫“{ $text }”的袋。是不是“{ $near }”？
problem-map-bad-turns = { $place }：“{ $text }”没有说明棋子怎样翻开。请只写袋的名称（原地翻开），或在其后加“走”（走动时翻开）；加“吃”则吃它的一方可知它是什么。
problem-map-turns-promotes = { $place }：“{ $text }”会使要翻开的棋子升变。它变成什么由抽取决定：请把此格留空。
problem-map-sees-tells = { $place }：有隐藏的地图中不能写“{ $text }”：它取决于行棋方看不见的棋子，或会泄露它们。请删去。
problem-map-sees-setup = { $place }：人人都知道本图的开局，没有什么是隐藏的。请加一行“布阵 | 换位”，让双方先排列自己的棋子。
problem-map-needs-sees = { $place }：“{ $text }”需要对方看不见的棋子。请加一行“看见 | 己”。
problem-map-no-back = { $place }：各方只看见自己的棋子，但棋盘上没有棋子有背面。请在“背面”列写上对方所见的棋子。
problem-map-back-unknown = { $place }：“{ $text }”应为同一方的棋子：对方在该处看见的那一种。
problem-map-back-neutral = { $place }：中立的棋子不能有背面“{ $text }”：那样谁都看不见它。请把此格留空。
problem-map-back-twice = { $place }：背面“{ $text }”自己也有背面。请写一种没有背面的棋子。
problem-map-back-changes = { $place }：“{ $text }”会在升变、被吃或翻开时改变有背面的棋子，或泄露它是什么。请把此格留空。
problem-map-back-bag = { $place }：“{ $text }”有背面，又在袋中。抽到的棋子人人看得见：请把它从袋中取出，或把“背面”留空。
problem-map-lots-becomes = { $place }：“{ $text }”升变时有 { $count } 种可选；在吃子时也要翻开的地图中，本程序还不能这样下。请只留一种。
problem-map-bag-too-small = { $place }：袋“{ $text }”只有 { $count } 枚，而要翻开的有 { $pieces } 枚。被吃的棋子只为一方抽取时，袋不能空。
problem-map-secrets-later = { $place }：“{ $text }”使地图有了隐藏。规则可以检查它，但本程序的对局还不能保守秘密。
problem-map-formula-without-value = { $place }：公式“{ $text }”没有保存结果。请用表格软件打开并保存，或直接写入数值。
problem-map-warn-no-captain = { $place ->
        [red] 红方
       *[blue] 蓝方
    }在棋盘上没有首领，不会因被吃而输。
problem-map-warn-captain = { $place }：“{ $text }”不表示首领，只有小写字母 c 才是。
problem-map-warn-switch = { $place }：“{ $text }”没有打开这个开关，只有小写字母 c 才行。
problem-map-warn-nowhere = { $place }：“{ $text }”不在棋盘上。行从 1 数到 { $rows }，列从 1 数到 { $cols }，-1 是最后一个。
problem-map-warn-short-board = 工作表 map：棋盘单元格只有 { $text }，缺少的格子视为空格。
problem-map-warn-id-column = { $place }：“{ $text }”不会被读取；这枚棋子按所在行编号为 { $id }。
problem-map-uses-undefined-rule = 地图用到了没有扩展解释的位置条件：{ $text }。它们一律视为不成立。请加载提供它们的扩展；D、R、T、NP、C 也可以打开“旧内置规则”。
problem-map-extensions-not-run = 这个程序编译时没有带扩展功能：{ $text } 没有加载。
problem-map-extensions-not-yet = 运行扩展的程序 sandbox-worker 不在本程序旁边：{ $text } 没有加载。第一次 `make play` 会在棋馆开张之后编译它，请过几分钟再试。
problem-map-extension-failed = 扩展 { $place } 在 { $hook } 第 { $line } 行出错：{ $why ->
        [time-call] 一次调用超过 { $name } 毫秒
        [time-ply] 一步超过 { $name } 秒
        [time-all] 用时太长
        [talks] 打印的内容太多
        [stopped] 内存用完，或向系统要求了什么
        [not-utf-8] 文件不是 UTF-8 编码
       *[other] { $text }
    }
problem-map-extension-too-large = 扩展 { $place } 有 { $text } 字节，最多 { $most }。
problem-map-too-many-extensions = 扩展有 { $text } 个，太多了，最多 { $most } 个。
problem-map-extension-file = 无法读取扩展 { $place }：{ $text }。
map-check-random = 随机对局 { $games } 局：{ $shortest } 到 { $longest } 步，中位 { $middle } 步；按规则结束 { $ended } 局。
map-check-stuck = 无棋可走：红 { $red } 局，蓝 { $blue } 局。
map-check-alpha-beta = 电脑用 α-β 搜索下这张地图：随机模拟与它下了 { $games } 局，得 { $points } 分。
map-check-playouts = 电脑用随机模拟下这张地图：与 α-β 搜索下了 { $games } 局，得 { $points } 分。
map-check-engine = 引擎对局 { $games } 局：{ $shortest } 到 { $longest } 步，中位 { $middle } 步；按规则结束 { $ended } 局。
map-check-hook = { $place } { $hook }：计时 { $calls } 次，中位 { $median } 微秒，最长 { $worst } 微秒。
map-check-unasked = { $place } { $hook }：没有对局用到它。
map-check-fault = { $place } 第 { $line } 行：{ $games } 局出错，最先在第 { $game } 局 { $plies } 步之后。
map-check-prints = { $bytes ->
        [0] 打印内容：
       *[other] 打印内容（另有 { $bytes } 字节略去）：
    }
problem-map-old-xls = 这是旧的 .xls 工作簿。请另存为 .xlsx 再试。
problem-map-encrypted = 这个工作簿加了密。请去掉密码、保存后再试。
problem-map-extension-without-map = 扩展 { $place } 需要它的地图：请用 --map 指明。
problem-map-without-extensions = { $place } 旁边有扩展 { $text }，但没有加载。若属于这张地图，请用 --extension 指明。
problem-map-file = 无法读取文件 { $place }：{ $text }。
problem-map-needed = 精班棋需要一张地图：请给出 .xlsx 文件。

map-check-fine = { $place }：地图没有问题。{ $rows } 行，{ $cols } 列，{ $kinds } 种棋子。
map-check-errors = { $count } 处错误：
map-check-warnings = { $count } 条提醒：
