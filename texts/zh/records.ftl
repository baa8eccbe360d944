problem-record-limit = { $what ->
        [bytes] 文件有 { $found } 字节
        [plies] 棋谱有 { $found } 步
        [options] 棋谱有 { $found } 个选项
        [extensions] 棋谱的地图有 { $found } 个扩展
        [map] 棋谱的地图名有 { $found } 字节
        [move] 棋谱中有一步着法长 { $found } 字节
        [comment] 棋谱中有一条注释长 { $found } 字节
        [start] 棋谱的起始局面长 { $found } 字节
        [tags] 棋谱有 { $found } 个标签
        [nags] 棋谱中有一步着法带 { $found } 个评价符号
        [values] 文件有 { $found } 个值
        [depth] 文件中的列表套了 { $found } 层
        [branches] 棋谱有 { $found } 个变着分支
        [names] 文件有 { $found } 个名字
        [places] 棋谱库的目录有 { $found } 个位置
       *[other] 棋谱中的一项（{ $what }）长 { $found } 字节
    }，最多只能读 { $most }。
problem-record-not-utf8 = 文件不是 UTF-8 文本：第 { $byte } 个字节不对。请存为 UTF-8 后再试。
problem-record-file = 文件读不下去了：{ $detail }。
problem-record-read-only = “{ $format }”格式的文件这里只能读，不能写。可以写 PGN、JSON 和纯文本。
problem-record-fen-alone = 只有局面看不出是哪种棋。请指明棋种。
problem-record-no-start = 棋谱没有写明起始局面。
problem-record-tag = 棋谱中的“{ $found }”不能是标签名：标签名以字母开头，只含字母、数字和下划线，并且不能是棋谱另有位置的名称。
problem-record-game = 棋谱没有写明是哪种棋，或写法不对：“{ $found }”。
problem-record-move-text = 棋谱中的“{ $found }”不能是着法：着法中没有空格。
problem-record-option-name = 棋谱中的“{ $found }”不能是选项名：选项名中没有空格和等号。
problem-record-move-refused = { $where ->
        [side] 变着
       *[main] 棋谱
    }第 { $turn } 回合{ $by ->
        [second] 后手
       *[first] 先手
    } { $move } 在那里不能走，之前的着法都没有问题。
problem-table-cut = { $kept ->
        [0] 棋谱的第一着 { $move } 不能走。
       *[other] 主线在第 { $turn } 回合的 { $move } 处截断：这着在那里不能走，之前的着法都没有问题。
    }
problem-table-first-game = 文件里还有别的对局，打开的是第一局。棋谱库可以全部收下。
problem-table-one-line = 变着共 { $moves } 着没有带过来：棋桌上只有一条线。研究可以全部保留。
problem-record-result-doubted = 棋谱的结果写着{ $told ->
        [first] 先走的一方胜
        [second] 后走的一方胜
        [draw] 和棋
       *[void] 无人获胜
    }，但按规则，终局时是{ $decided ->
        [first] 先走的一方
       *[second] 后走的一方
    }胜。
problem-record-game-guessed = 文件没有写明是哪种棋；其中的对局按 { $game } 读取，多数对局都符合。可以用 --game 指定另一种。

problem-record-json = 棋谱不是应有的 JSON，第 { $line } 行第 { $column } 列：{ $detail }。
problem-record-json-base64 = 无法读取棋谱中的地图：{ $detail }。
problem-record-json-format = 文件格式是“{ $found }”，应为“{ $expected }”。
problem-record-json-version = 棋谱用的是格式第 { $found } 版，这里能读第 { $expected } 版。请换用较新的程序。
problem-record-json-score = 棋谱的结果是“{ $found }”，应为 first、second、draw 或 void。
problem-record-json-move = 棋谱第 { $number } 步既不是文本，也不是带 move 的对象：{ $detail }。
problem-record-json-after = 棋谱第 { $number } 步写在第 { $found } 步之后，但前面没有那一步。

problem-record-text-header = 第 { $line } 行：“{ $found }”不是“名称: 值”。这几行以一个空行结束。
problem-record-text-result = 第 { $line } 行：结果是“{ $found }”，应为 first、second、draw、void 或 *。
problem-record-text-option = 第 { $line } 行：选项“{ $found }”不是“名称=整数”。
problem-record-text-time = 第 { $line } 行第 { $column } 列：@ 后的“{ $found }”不是一步棋的用时；应写在着法之后，如 1500ms。
problem-record-text-nag = 第 { $line } 行第 { $column } 列：$ 后的“{ $found }”不是着法之后的 0 到 255 的数。
problem-record-text-variation = 第 { $line } 行第 { $column } 列：这个变着之前没有可以替换的着法。
problem-record-text-open-comment = 第 { $line } 行第 { $column } 列：这条注释没有用花括号收尾。
problem-record-text-open-variation = 第 { $line } 行第 { $column } 列：棋谱在变着中结束，缺少右括号。
problem-record-text-close = 第 { $line } 行第 { $column } 列：这个右括号没有对应的左括号。

problem-sgf-no-game = 没有找到 SGF 棋谱：棋谱以 (; 开头。
problem-sgf-other-game = 第 { $line } 行第 { $column } 列：这个 SGF 文件是另一种棋（GM 为“{ $found }”），应为五子棋 GM[4]。如果就是五子棋，请指定棋种。
problem-sgf-size = 第 { $line } 行第 { $column } 列：“{ $found }”不是棋盘大小；应如 15 或 15:20。
problem-sgf-point = 第 { $line } 行第 { $column } 列：“{ $found }”不是这个棋盘上的点。点写作两个字母，如 hh。
problem-sgf-side = 第 { $line } 行第 { $column } 列：轮到的一方写作“{ $found }”，应为 B 或 W。
problem-sgf-turn = 第 { $line } 行第 { $column } 列：没有轮到{ $found ->
        [B] 黑方
       *[W] 白方
    }走。
problem-sgf-late-setup = 第 { $line } 行第 { $column } 列：在第一步之后摆放棋子；棋子只能在开头摆放。
problem-sgf-no-value = 第 { $line } 行第 { $column } 列：属性 { $property } 后面没有方括号中的值。
problem-sgf-open-value = 第 { $line } 行第 { $column } 列：这个方括号没有收尾。
problem-sgf-open = 第 { $line } 行第 { $column } 列：文件在棋谱中结束，缺少右括号。
problem-sgf-unexpected = 第 { $line } 行第 { $column } 列：这里不该有这个符号；应为括号、分号或属性。
problem-sgf-game = SGF 只用来写五子棋；这份棋谱是“{ $found }”。
problem-sgf-move = { $move } 不是棋盘上的点，无法写成 SGF。

problem-pgn-none = 没有找到对局：PGN 文件以 [Red "…"] 这样的标签或着法开头。
problem-pgn-unread = 第 { $line } 行第 { $column } 列：“{ $found }”及其后的文字不是这里能读的着法，已作为评注保留。
problem-pgn-tag = 第 { $line } 行第 { $column } 列：这个标签不是方括号中的名称和引号中的文字；应如 [Red "…"]。
problem-pgn-other-game = 第 { $line } 行第 { $column } 列：这个 PGN 文件是另一种棋（“{ $found }”），应为中国象棋。
problem-pgn-game = PGN 只用来写中国象棋；这份棋谱是“{ $found }”。
problem-pgn-move = 第 { $line } 行第 { $column } 列：{ $where ->
        [side] 变着
       *[main] 主线
    }第 { $turn } 回合，{ $move } 在那里不能走，之前的着法都没有问题。
problem-pgn-ambiguous = 第 { $line } 行第 { $column } 列：{ $where ->
        [side] 变着
       *[main] 主线
    }第 { $turn } 回合，{ $move } 不止一种读法，例如 { $moves }。
problem-pgn-null = 第 { $line } 行第 { $column } 列：{ $where ->
        [side] 变着
       *[main] 主线
    }第 { $turn } 回合，“{ $move }”不是着法，后面的着法无法接着走。
problem-pgn-after-result = 第 { $line } 行第 { $column } 列：结果之后还有着法，已经保留。
problem-pgn-refused = { $move } 在局面 { $fen } 中不能走，这局棋无法写成 PGN。
problem-pgn-variation = 第 { $line } 行第 { $column } 列：这个变着之前没有可以替换的着法。
problem-pgn-close = 第 { $line } 行第 { $column } 列：这个右括号没有对应的左括号。
problem-pgn-open-comment = 第 { $line } 行第 { $column } 列：这条注释没有用花括号收尾。
problem-pgn-open-variation = 第 { $line } 行第 { $column } 列：对局在变着中结束，缺少右括号。
problem-pgn-unexpected = 第 { $line } 行第 { $column } 列：这里不该有这个符号；应为着法、注释、变着或结果。

problem-xqf-not-one = 这不是 XQF 文件：XQF 文件以 XQ 和版本号开头。
problem-xqf-game = XQF 只用来写中国象棋；这份棋谱是“{ $found }”。
problem-xqf-pieces = 局面里的“{ $found }”比一副象棋还多，这种格式放不下。
problem-xqf-refused = “{ $move }”不是从一点走到另一点的着法，无法写进 XQF。
problem-xqf-cut = XQF 文件不完整，到第 { $byte } 个字节就结束了。
problem-xqf-two-on-one = XQF 文件第 { $byte } 个字节：两个棋子摆在同一点上。
problem-xqf-point = XQF 文件第 { $byte } 个字节处的着法走出了棋盘。文件可能已损坏，或加密方式未知。
problem-xqf-comment = XQF 文件第 { $byte } 个字节处的注释比文件余下的部分还长。文件可能已损坏，或加密方式未知。

problem-cbr-not-one = 这不是 CBR 文件：CBR 文件以“CCBridge Record”开头。
problem-cbr-cut = 象棋桥的对局不完整，到第 { $byte } 个字节就结束了。
problem-cbr-piece = 象棋桥对局的第 { $byte } 个字节不是棋子。
problem-cbr-point = 象棋桥对局第 { $byte } 个字节处的着法走出了棋盘。
problem-cbl-not-one = 这不是 CBL 文件：CBL 文件以“CCBridgeLibrary”开头。
problem-cbl-empty = 这个象棋桥棋谱库中没有对局。

problem-dpxq-none = 没有找到东萍棋谱：其中应有 [DhtmlXQ_movelist]…[/DhtmlXQ_movelist]。
problem-dpxq-game = DPXQ 只用来写中国象棋；这份棋谱是“{ $found }”。
problem-dpxq-refused = “{ $move }”不是从一点走到另一点的着法，无法写进 DPXQ。
problem-cbf-none = 这个象棋桥文件里没有着法列表。
problem-cbf-move = 第 { $line } 行第 { $column } 列：“{ $found }”不是 77-47 这样的着法。
problem-wxf-none = 这个 WXF 文件里没有着法：着法写在 START{"{"} 和 {"}"}END 之间。
problem-dpxq-pieces = 第 { $line } 行第 { $column } 列：起始局面有 { $found } 个数字，应为 64 个，每个棋子两个。
problem-dpxq-two-on-one = 第 { $line } 行第 { $column } 列：两个棋子摆在同一点 { $found } 上。
problem-dpxq-move = 第 { $line } 行第 { $column } 列：“{ $found }”不是着法；着法是四个数字，即起点和终点的列与行。
problem-dpxq-branch = 第 { $line } 行第 { $column } 列：这个变着出自分支 { $found }，但没有那个分支。
problem-dpxq-branch-ply = 第 { $line } 行第 { $column } 列：这个变着替换第 { $found } 步，但它所出自的分支没有那么长。

problem-chess-open = 第 { $line } 行第 { $column } 列：存档在列表中结束，缺少右括号。
problem-chess-close = 第 { $line } 行第 { $column } 列：这个右括号没有对应的左括号。
problem-chess-quote = 第 { $line } 行第 { $column } 列：这段文字没有用引号收尾。
problem-chess-situation = 存档中没有局面：应有 situation 和十行棋子。
problem-chess-row = 存档局面的第 { $row } 行不是九个点。
problem-chess-piece = 存档中的“{ $found }”不是棋子名。
problem-chess-history = 存档的棋步历史不是着法的列表。
problem-chess-step = 存档历史中倒数第 { $back } 步与局面不符。

problem-psq-head = PSQ 文件的首行形如“Piskvorky 20x20, 11:11, 0”，这里是“{ $found }”。
problem-psq-point = PSQ 第 { $line } 行：“{ $found }”不在棋盘上。
problem-psq-game = PSQ 文件只能记录五子棋，不能记录 { $found }。
problem-psq-start = PSQ 文件从空棋盘开始，而这份棋谱的开局已有棋子。
problem-psq-move = PSQ 文件无法记录“{ $move }”这一着。
problem-lib-head = 这不是 RenLib 棋谱库：文件头不符。
problem-lib-end = RenLib 棋谱库在第 { $byte } 字节处过早结束，后面还应有着法。
problem-lib-point = RenLib 棋谱库第 { $byte } 字节：{ $found } 不是 15 路棋盘上的点。
problem-lib-game = RenLib 棋谱库只能记录五子棋和连珠，不能记录 { $found }。
problem-lib-board = RenLib 棋谱库从 { $side } 路的空棋盘开始，这份棋谱不是。
problem-lib-move = RenLib 棋谱库无法记录“{ $move }”这一着。
problem-pos-point = 局面字串中的“{ $found }”不是一个点；应写作 h8i9j10 的形式。
problem-pos-game = 局面字串只用于五子棋，不能记录 { $found }。
problem-pos-start = 局面字串从空棋盘开始，而这份棋谱的开局已有棋子。
problem-pos-move = 局面字串无法记录“{ $move }”这一着。
problem-opening-number = 开局中的“{ $found }”不是小整数；应成对书写，如 -2,-1, 0,3。
problem-opening-odd = 开局有 { $found } 个数，应成对出现。
problem-opening-off-board = 开局中的 { $found } 超出棋盘。

problem-pdn-none = 文件里没有国际跳棋对局。
problem-pdn-tag = 第 { $line } 行：标签应是名称和引号中的值，例如 [White "Wiersma"]。
problem-pdn-game-type = 第 { $line } 行：“{ $found }”不是这里能下的国际跳棋类棋种。
problem-pdn-move = 第 { $line } 行第 { $column } 列：{ $where ->
        [side] 变着
       *[main] 主线
    }第 { $turn } 回合，此处不能走 { $move }，之前的着法都没有问题。
problem-pdn-ambiguous = 第 { $line } 行第 { $column } 列：{ $where ->
        [side] 变着
       *[main] 主线
    }第 { $turn } 回合，{ $move } 对应几种吃法：{ $candidates }。请写全路线。
problem-pdn-odd-move = 第 { $turn } 回合：“{ $move }”的两格之间没有符号；已按着法读取，其他同类写法也一样。
problem-pdn-null = 第 { $line } 行第 { $column } 列：{ $where ->
        [side] 变着
       *[main] 主线
    }第 { $turn } 回合，“{ $move }”不是着法，后面的着法无法接着走。
problem-pdn-results-turned = 这个文件里终局已分胜负的对局，结果都把白方的分数写在前面，虽然是黑方先走；整个文件的结果都按这个次序读取。
problem-pdn-variation = 第 { $line } 行第 { $column } 列：变着之前没有可替换的着法。
problem-pdn-close = 第 { $line } 行第 { $column } 列：这个括号没有对应的开括号。
problem-pdn-open-variation = 第 { $line } 行第 { $column } 列：对局在变着中结束，缺少右括号。
problem-pdn-open-comment = 第 { $line } 行第 { $column } 列：这条注释没有用花括号结束。
problem-pdn-open-setup = 第 { $line } 行第 { $column } 列：这个局面没有用斜杠结束。
problem-pdn-late-setup = 第 { $line } 行第 { $column } 列：对局中途重新摆出的局面无法保存。
problem-pdn-game = PDN 只能保存国际跳棋类对局，不能保存“{ $found }”。
problem-pdn-refused = 棋谱无法写成 PDN：{ $move } 在该处不能走。

problem-boards-row = 第 { $line } 行：“{ $found }”不是用逗号隔开的 0、1、2。
problem-boards-rows = 棋盘有 { $found } 行，应为 20 行（白方、黑方各十行），小棋盘为 16 行。
problem-boards-width = 第 { $line } 行有 { $found } 个数，应为 { $expected } 个。
problem-boards-list = 第 { $line } 行：“{ $found }”应是 white、white_boss、black 或 black_boss，后接冒号和格子。
problem-boards-square = 第 { $line } 行：“{ $found }”不是棋盘上的格子。
problem-boards-extra = 第 { $line } 行：看不懂“{ $found }”，可以写 turn:black 和 size:8。
problem-boards-dark = 第 { $line } 行：第 { $x } 列第 { $y } 行（都从 0 数起）是浅色格，不能放棋子。列和行都从白方左角的 0 数起，两数之和须是偶数：例如 white:80,93（王写 white_boss:91），用字母写作 white:IA,JD。
problem-locked-json-game = return_game() 保存的是锁棋局面，不能保存“{ $found }”。
problem-pasted-other-game = 这是“{ $found }”的局面，而这里下的是“{ $game }”。
problem-boards-twice = 第 { $line } 行：第 { $x } 列第 { $y } 行（都从 0 数起）有两枚棋子。
problem-boards-game = 这些文本保存 8 列或 10 列的国际跳棋局面，不能保存“{ $found }”。
problem-chess-not-xiangqi = emacs-chess-cn 的文件只存象棋，这是 { $game }。
record-part-moves = 着法
record-part-variations = 变着
record-part-comments = 评注
record-part-times = 用时
record-part-nags = 评价符号
record-part-players = 棋手
record-part-result = 结果
record-part-reason = 结果的原因
record-part-clock = 时限
record-part-date = 日期
record-part-tags = 标签
record-part-options = 选项
