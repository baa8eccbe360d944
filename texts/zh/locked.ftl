### 锁棋。

family-locked = 锁棋
game-locked = 锁棋
called-locked = 锁棋
brief-locked = 众子齐行
about-locked = 一回合五步，己方棋子齐行。动弹不得者被锁，判负。
rules-locked =
    每回合分五步：己方全部棋子一起移动一格，再沿垂直方向一起移动一格；然后选择一枚己方棋子，移动一格，再沿垂直方向移动一格。
    棋子不能走出棋盘。
    全体移动时不能落在对方棋子上，单枚移动时不能落在任何棋子上。
    棋子不会被吃掉。
    轮到你走下一步而无路可走时，你就输了。
    已经证明：从开局起，双方都不能强制获胜。只要让己方棋子保持在六列六行之内并且走得正确，下一回合总能走完。

prompt-locked-1 = 请移动己方全部棋子一格
prompt-locked-2 = 请沿垂直方向再移动全部棋子一格
prompt-locked-3 = 请选择一枚己方棋子
prompt-locked-4 = 请移动选中的棋子一格，移动前可以撤回选择
prompt-locked-5 = 请沿垂直方向再移动它一格

button-up = 上
button-down = 下
button-left = 左
button-right = 右
button-withdraw = 撤回

reason-no-moves = 无路可走
reason-turn-limit = 达到回合上限
reason-threefold-repetition = 同一局面第三次出现
warning-no-moves = 这样走之后，你的下一步将无路可走，因此判负。

locked-mover = 当前操作方
locked-step = 第 { $step } 步，共 5 步
locked-chosen = 当前选择的棋子
locked-black-stones = 全部黑棋
locked-white-stones = 全部白棋

problem-locked-fen-length = 局面文本有 { $found } 个字符，最多只能有 { $most } 个。
problem-locked-fen-fields = 局面文本有 { $found } 个部分；应依次写棋盘、走棋方、步数、方向轴和选中的棋子，之间各空一格。
problem-locked-fen-rows = 棋盘有 { $found } 行；应有 12 行，用 / 隔开。
problem-locked-fen-run = 第 { $row } 行：{ $found } 不是空格数，应为 1 到 12。
problem-locked-fen-row-width = 第 { $row } 行（{ $found }）不足或超过 12 格。
problem-locked-fen-letter = 第 { $row } 行：{ $found } 不是棋子；应写 b、w 或数字。
problem-locked-fen-turns = { $found } 不是回合数；应为 0 到 65535。
problem-locked-move-unknown = { $move } 既不是方向也不是格子；请写 u、d、l、r，或 d9、4 9 这样的格子。
problem-locked-set-up-piece = “{ $found }”不是锁棋的棋子，只有黑子和白子。
problem-locked-stone-wanted = 这一步要选择棋子，而 { $move } 是方向。
problem-locked-direction-wanted = 第 { $step } 步要走一个方向，而 { $move } 是格子。
problem-locked-not-your-stone = { $square } 上是对方的棋子。
problem-locked-no-stone-there = { $square } 上没有棋子。
problem-locked-not-across = 第 { $step } 步必须与上一步的方向垂直。
problem-locked-blocked-by-edge = { $stones } 已到棋盘边缘，不能再走。
problem-locked-blocked-by-stones = 被 { $stones } 的棋子挡住。
problem-locked-not-started = 游戏还没有开始：缺少 { $missing }。
problem-locked-stones-not-set = 全部棋子应为集合，读到的是 { $found }。
problem-locked-stone-not-tuple = 棋子应写成圆括号中的列、行、颜色，读到的是 { $found }。
problem-locked-stone-not-triple = 棋子应有列、行、颜色三部分，读到的是 { $found }。
problem-locked-coordinate-not-int = 列和行应为整数，读到的是 { $found }。
problem-locked-off-board = { $found } 不在棋盘上；列和行都是 1 到 12。
problem-locked-unknown-colour = { $found } 既不是黑棋也不是白棋。
problem-locked-shared-square = { $at } 上有不止一枚棋子：{ $stones }。
problem-locked-too-few-stones = 双方各至少要有三枚棋子；现在黑棋 { $black } 枚，白棋 { $white } 枚。
problem-locked-bad-step = 步数应为 1 到 5，读到的是 { $found }。
problem-locked-bad-side = { $found } 不是走棋方，应为黑或白。
problem-locked-axis-misfit = 上一步方向 { $found } 与第 { $step } 步不符。
problem-locked-chosen-misfit = 选中的棋子 { $found } 与第 { $step } 步不符；第 4、5 步必须选中走棋方的一枚棋子。
problem-locked-illegal-operation = 现在不能走 { $found }。
problem-locked-game-over = 本局已经结束，{ $loser ->
    [black] 黑方
   *[white] 白方
}失败。
problem-locked-unreadable = 无法读取 { $what }：{ $detail }。
problem-locked-no-board = 存档中没有棋盘；需要 all_locate 或 game。
problem-locked-two-boards = 存档中有两个棋盘；all_locate 与 game 只能有一个。
problem-locked-board-not-twelve-rows = all_locate 中的棋盘应有 12 行。
problem-locked-row-not-twelve = all_locate 中每行应有 12 个数。
problem-locked-bad-cell = { $found } 不是格子的内容；应为 1、0 或 -1。
