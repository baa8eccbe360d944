family-gomoku = 五子棋
game-gomoku-freestyle = 五子棋（无禁手）
game-gomoku-standard = 五子棋（标准，恰好五子）
game-gomoku-renju = 连珠（有禁手）
game-gomoku-caro = 越南五子棋（Caro）
game-gomoku-caro-exact = 越南五子棋（恰好五子）
called-gomoku-freestyle = 五子棋
called-gomoku-standard = 标准五子棋
called-gomoku-renju = 连珠
called-gomoku-caro = 越南五子棋
called-gomoku-caro-exact = 越南五子棋（恰好五子）
brief-gomoku-freestyle = 五子及以上
brief-gomoku-standard = 恰好五子
brief-gomoku-renju = 黑方有禁手
brief-gomoku-caro = 两头堵不算
brief-gomoku-caro-exact = 恰好五子，两头堵不算

about-gomoku-freestyle = 五子或更多连成一线即胜，没有禁手。
about-gomoku-standard = 恰好五子连成一线才胜，六子以上继续下。
about-gomoku-renju = 黑方恰好五子才胜，不得走出三三、四四和长连；白方没有禁手。
about-gomoku-caro = 五子或更多连成一线即胜，但两端都被堵住的五连不算。
about-gomoku-caro-exact = 恰好五子连成一线才胜，两端都被堵住的不算。

side-black = 黑方
side-white = 白方
piece-stone = 棋子

reason-five-in-a-row = 五子连珠
reason-board-full = 棋盘已满
reason-forbidden-overline = 黑方长连禁手
reason-forbidden-double-four = 黑方四四禁手
reason-forbidden-double-three = 黑方三三禁手
reason-two-passes = 双方相继停一手
reason-stone-count = 已达约定的子数

counter-stone-count = 距判和的子数
mark-four = 四
mark-open-three = 活三

option-ranks = 横线数（0 为与纵线相同）
option-passes = 可以停一手
option-draw-at = 满多少子判和（0 为下满棋盘）
button-pass = 停一手

rules-gomoku =
    黑白双方轮流在任一空点落一子，棋子落下后不再移动。
    横、竖、斜任一方向先连成五子者胜。
    无禁手规则下，超过五子也算胜；标准规则下，恰好五子才算胜，六子以上为长连，继续对局。
    越南规则下，两端都被对方棋子堵住的五子不算胜，六子以上算胜；“恰好五子”一种，六子以上不算胜。
    连珠规则下，黑方恰好五子为胜，一子形成长连、四四或三三为禁手，判负；成五与禁手同时出现，成五为胜。白方没有禁手。
    棋盘下满而无人获胜，为和棋。

problem-point-occupied = { $point } 已有{ $side ->
        [black] 黑
       *[white] 白
    }子，请换一个空点。
problem-point-off-board = { $point } 不在棋盘上：本棋盘的点从 a1 到 { $corner }。
problem-not-a-point = “{ $text }”不是一个点。请写一个字母加一个数字（a1 到 { $corner }），或从左上角数起的两个数，如 07 12。
problem-gomoku-size = 五子棋棋盘的纵线和横线各为 { $least } 至 { $most } 条，这里是纵线 { $files } 条、横线 { $ranks } 条。
problem-gomoku-fen-too-long = 局面文本长 { $found } 字节，最长只能是 { $most } 字节。
problem-gomoku-fen-fields = 局面文本有 { $found } 段，应为两段：各行、空格，然后是轮到的一方 b 或 w。
problem-gomoku-fen-character = 局面文本自上第 { $row } 行：“{ $found }”不是 b、w 或数字。
problem-gomoku-fen-run = 局面文本自上第 { $row } 行：空点数不能是 { $found }，一行为 1 至 { $most } 点。
problem-gomoku-fen-row-too-long = 局面文本自上第 { $row } 行：“{ $found }”超过 { $most } 点。
problem-gomoku-fen-width = 局面文本自上第 { $row } 行有 { $found } 点，而第一行有 { $expected } 点。
problem-gomoku-fen-side = 局面文本：轮到的一方写作“{ $found }”，应为 b 或 w。
problem-gomoku-two-winners = 双方都已成五：黑方在 { $black }，白方在 { $white }。只能有一方获胜。
problem-gomoku-fen-last = 局面文本的第三段“{ $found }”与局面不符：停一手之后写 p，双方都停写 pp，黑方因禁手而负时写 ! 加该子的点。
problem-no-passes = 本局不能停一手，请选一个空点。
problem-gomoku-set-up-piece = “{ $found }”不是五子棋的棋子，只有黑子和白子。
problem-gomoku-set-up-cell = 第 { $cell } 格不在棋盘上。
