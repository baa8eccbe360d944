problem-record-limit = { $what ->
        [bytes] 文件有 { $found } 字节
        [plies] 棋谱有 { $found } 步
        [options] 棋谱有 { $found } 个选项
        [move] 棋谱中有一步着法长 { $found } 字节
        [comment] 棋谱中有一条注释长 { $found } 字节
        [start] 棋谱的起始局面长 { $found } 字节
       *[other] 棋谱中的一项（{ $what }）长 { $found } 字节
    }，最多只能读 { $most }。
problem-record-not-utf8 = 文件不是 UTF-8 文本：第 { $byte } 个字节不对。请存为 UTF-8 后再试。
problem-record-game = 棋谱没有写明是哪种棋，或写法不对：“{ $found }”。
problem-record-move-text = 棋谱中的“{ $found }”不能是着法：着法中没有空格。
problem-record-option-name = 棋谱中的“{ $found }”不能是选项名：选项名中没有空格和等号。
problem-record-move-refused = 棋谱第 { $ply } 步 { $move } 在那里不能走；它之前的各步没有问题。

problem-record-json = 棋谱不是应有的 JSON，第 { $line } 行第 { $column } 列：{ $detail }。
problem-record-json-format = 文件格式是“{ $found }”，应为“{ $expected }”。
problem-record-json-version = 棋谱用的是格式第 { $found } 版，这里能读第 { $expected } 版。请换用较新的程序。
problem-record-json-score = 棋谱的结果是“{ $found }”，应为 first、second、draw 或 void。
problem-record-json-move = 棋谱第 { $number } 步既不是文本，也不是带 move 的对象：{ $detail }。
problem-record-json-after = 棋谱第 { $number } 步写在第 { $found } 步之后，但前面没有那一步。

problem-record-text-header = 第 { $line } 行：“{ $found }”不是“名称: 值”。这几行以一个空行结束。
problem-record-text-result = 第 { $line } 行：结果是“{ $found }”，应为 first、second、draw、void 或 *。
problem-record-text-option = 第 { $line } 行：选项“{ $found }”不是“名称=整数”。
problem-record-text-time = 第 { $line } 行第 { $column } 列：@ 后的“{ $found }”不是一步棋的用时；应写在着法之后，如 1500ms。
problem-record-text-variation = 第 { $line } 行第 { $column } 列：这个变着之前没有可以替换的着法。
problem-record-text-open-comment = 第 { $line } 行第 { $column } 列：这条注释没有用花括号收尾。
problem-record-text-open-variation = 第 { $line } 行第 { $column } 列：棋谱在变着中结束，缺少右括号。
problem-record-text-close = 第 { $line } 行第 { $column } 列：这个右括号没有对应的左括号。

problem-sgf-no-game = 没有找到 SGF 棋谱：棋谱以 (; 开头。
problem-sgf-other-game = 第 { $line } 行第 { $column } 列：这个 SGF 文件是另一种棋（GM 为“{ $found }”），应为五子棋 GM[4]。
problem-sgf-rule = 第 { $line } 行第 { $column } 列：这里没有规则“{ $found }”，可用的是 freestyle（0，无禁手）和 standard（1，标准）。
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
