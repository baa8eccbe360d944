# 在终端里逐行下棋。
line-help = 请输入着法，或：着法、悔棋、新局、局面、帮助、退出（moves、undo、new、fen、help、quit 亦可）。
line-to-move = 轮到{ $side }：
line-asked = { $side }：{ $prompt }：
line-over = 对局已结束（悔棋、局面、退出）：
line-won = { $side }胜：{ $reason }。
line-drawn = 和棋：{ $reason }。
line-void = 对局作废：{ $reason }。
line-nothing-to-undo = 没有可以悔的棋。
line-warned = { $move } 会立即判负：{ $reason }。若仍要走，请再输入一次。

# 终端屏幕：按键。
tui-key-up = 上移一位
tui-key-down = 下移一位
tui-key-left = 左移一位
tui-key-right = 右移一位
tui-key-touch = 选子、落子
tui-key-clear = 放下
tui-key-next-place = 到下一个可选的位置
tui-key-last-place = 到上一个可选的位置
tui-key-type = 输入着法（TAB 补全）
tui-key-new = 新的一局
tui-key-undo = 悔棋
tui-key-redo = 重走
tui-key-save = 保存棋局
tui-key-load = 载入棋局
tui-key-back = 看上一手
tui-key-on = 看下一手
tui-key-start = 看开局
tui-key-now = 回到当前
tui-key-run = 自动播放
tui-key-flip = 翻转棋盘
tui-key-notation = 换一种记谱
tui-key-about = 光标处棋子的全部说明（也可点右键）
tui-more-about = i：这枚棋子的全部说明
tui-key-lessons = 显示威胁
tui-key-analyse = 开关分析
tui-key-set-up = 摆局
tui-key-other-side = 换对方走
tui-key-draw = 和棋
tui-key-resign = 认输
tui-key-abort = 取消棋馆里的对局
tui-key-rematch = 再来一局
tui-key-swap = 提议交换执子
tui-key-accept = 同意提议
tui-key-decline = 拒绝提议
tui-key-sit = 坐到空位上
tui-key-directions = 显示或隐藏棋子上的方向
tui-key-targets = 显示或隐藏选中棋子可到之处
tui-key-theme = 换主题
tui-key-language = English
tui-key-help = 本列表
tui-key-menu = 菜单
tui-key-quit = 退出
tui-no-such-key = { $keys } 在这里没有作用，按 ? 看所有按键。
tui-hints = 方向键 回车 走棋   : 输入   u 悔棋   [ ] 复盘   ? 全部按键   m 菜单   q 退出
tui-hints-buttons = 方向键 走一步   hjkl 回车 选子   : 输入   u 悔棋   [ ] 复盘   ? 全部按键   q 退出
tui-hints-hall = 方向键 回车 走棋   : 输入   y n 答复   d 和棋   R 认输   ? 全部按键   q 退出
tui-hints-past = [ ] 一手   { "{" } {"}"} 开局、当前   p 播放   回车 回到当前
tui-hints-typed = 回车 完成   TAB 补全   ESC 取消
tui-hints-set-up = TAB 换棋子   回车 放   DEL 拿   x 换先   c 清空   : FEN   s 开始   ESC 取消
tui-hints-menu = 上下选择   左右更改   回车 进入   L { $other }   t 主题   q 退出
tui-hints-lobby = 方向键选择、更改  回车进入  d 拒绝  s 登录、登出  g 刷新  m 菜单  q 退出
tui-own-table = 自己开一桌
tui-help-close = 按任意键回到棋局
tui-help-more = 上下看更多   其他键回到棋局

# 对局中的话；emacs-chess-cn 有的，照它的说法。
tui-check = { $side }被将军!
tui-end-won = 对弈结束, { $side }胜出.
tui-end-drawn = 对弈结束, 和棋.
tui-end-void = 对弈结束, 本局无效.
tui-end-because = { $end }（{ $reason }）
tui-over = { $end }
tui-touch-over = 对弈已结束
tui-touch-nothing = 无效棋步，当前未选择棋子且目标位置处无棋子.
tui-touch-theirs = 无效棋步,当前应对方走子.
tui-touch-refused = 这里不能落子。
tui-touch-wrong = 落子位置无效：{ $because }
tui-because-off-board = 不能越界和原地踏步
tui-because-move = 违反棋子移动规则
tui-because-own = 不能吃己方棋子
tui-because-capture = 不符合棋子吃子规则
tui-because-xiangqi-move-opens-file = 将帅不得见面
tui-because-xiangqi-exposes-general = 被将军
tui-because-xiangqi-still-in-check = 被将军
tui-choose-file = 请选择棋局文件
tui-asked = { $side }{ $steps }：{ $prompt }
tui-looking-back = 复盘：第 { $at } 手，共 { $of } 手。回车 或 {"}"} 回到当前。
tui-no-looking-back = 本程序不懂这种规则，不能复盘。
tui-seat-free = 有空位，按 S 入座。
tui-no-offer = 现在没有提议。
tui-answer-offer = { $offer }：y 同意，n 拒绝。
tui-ask-offer-draw = 提议和棋？
tui-ask-new = 开始新的一局？这一局没有保存。
tui-ask-quit = 退出？这一局没有保存。
tui-ask-menu = 回到菜单？这一局没有保存。
tui-yes-no = { $question }（y/n）
tui-who = { $name }（{ $who }）
tui-thinks = { $name } …
tui-room = 房间“{ $room }”
tui-type-move = 着法：
tui-type-save = 保存为：
tui-type-load = 文件：
tui-type-fen = 局面：
tui-type-map = 地图：
tui-type-hall = 棋馆或链接：
tui-saved = 已保存为 { $file }。
tui-save-at-hall = 棋馆保存着这一局，可在网页上下载棋谱。
tui-no-analyst = 这里没有谁能分析这种棋。
tui-no-help = 与别人对局时不能分析；对局结束后可按 a 分析。
tui-analysing = 思考中……
tui-no-set-up = 只有在本机的对局中，且这种棋有可摆的棋子时，才能摆局。
tui-near = 走一步：{ $dirs }
tui-far = 任意远：{ $dirs }
tui-section = { $section ->
        [3] 盾牌（o）
        [4] 禁止（x）
        [5] 跳禁（$）
       *[6] 无视禁（%）
    }：{ $dirs }
tui-printed = 扩展的输出
tui-set-up-keys = 请摆棋子，按 s 开始。
tui-in-hand = 手中：{ $piece }

# 菜单。
tui-menu-map = 打开地图（精班棋）
tui-menu-record = 打开棋谱
tui-menu-hall = 去棋馆，或打开链接
tui-menu-quit = 退出
tui-opponent = 对手
tui-two-people = 双人
tui-level-name = { $level } 级
tui-no-levels = 这里还没有谁会下这种棋，可以双人对弈。
tui-this-language = 中文
tui-clock-fischer = { $minutes } 分 + { $seconds } 秒
tui-clock-byo-yomi = { $minutes } 分，读秒 { $periods } × { $seconds } 秒
theme-tui-wide = 宽字符
theme-tui-origin = Emacs 原样
theme-tui-ascii = ASCII
theme-tui-contrast = 高对比

# 终端的拒绝。
problem-nothing-to-undo = 棋步历史栈已空，无法再悔棋.
problem-nothing-to-redo = 没有悔掉的棋。
problem-only-at-a-hall = 这只用于棋馆里的对局。
problem-only-watching = 你在观战。按 S 坐到空位上。
problem-no-free-seat = 没有空位。
problem-hall-strange = 棋馆说了本程序不懂的话：{ $found }
problem-clock-text = “{ $found }”不是棋钟。请写 300+5（秒数加每步加秒）、600+3x30（读秒）、30/move（每步秒数）、3d/move（每步天数）或 none。
problem-file-ending = 不能写以“{ $found }”结尾的文件。请写 .json、.txt、.pgn、.sgf、.pdn 或 .fen。
problem-file-cannot-be-written = 不能写入 { $file }：{ $reason }
problem-file-cannot-be-read = 不能读取 { $file }：{ $reason }
problem-file-unknown = { $file } 不像任何能读的棋谱。

# 一行进，一行出。
plain-ask-new = 这一局有未保存的着法；再输入一次“新局”就重新开始，或先“保存 文件”。
plain-new-at-hall = 在棋馆里，本局结束后才能再下一局，也可以输入“大厅”另开一局。
plain-help-hint = 输入“帮助”看可用的词。
plain-help = 请输入着法，或：局势、着法、棋谱、局面、棋子、棋子 红方、行 1、看 e1、棋钟、悔棋、重走、新局、和棋、认输、保存 文件、载入 文件、退出；在棋馆里还有 入座、等、同意、拒绝。
plain-moved = { $side }走了 { $move }。
plain-row = 行从上往下数，1 至 { $most }。
plain-no-place = 没有名为“{ $place }”的位置。
problem-terminal = 不能使用终端：{ $reason }

plain-sat = { $side }有人入座了。
plain-you-sit = 你执{ $side }。
problem-file-no-folder = 没有文件夹 { $folder }。请先建立，或换一个。
tui-left-saved = qiguan 被要求结束；对局已保存为 { $file }。用 qiguan play --load { $file } 打开。
tui-left-unsaved = qiguan 被要求结束，对局未能保存：{ $reason }

# 棋馆的大厅。
tui-you-are = 已登录：{ $name }
tui-you-are-guest = 你是访客：{ $name }
tui-you-are-nobody = 你是访客。
tui-sign-in-open = 请在已登录的设备上打开 { $link }，在“登录终端”处输入此码：
tui-sign-in-waits = 正在等待；此码还有 { $minutes } 分钟有效。ESC 放弃。
tui-signed-in = 此终端已登录。
tui-signed-out = 此终端已登出。
tui-sign-out-sure = 再按一次 s，此终端即登出。
tui-your-games = 你的对局
tui-play-now = 立即下棋：为这种棋找对手
tui-challenge = 按名字邀人下这种棋
tui-challenge-sent = 已向 { $name } 发出挑战，等待答复。
tui-challenge-waits = 挑战正在等待答复；按 d 撤回。
tui-nothing-to-decline = 只有挑战可以拒绝或撤回。
tui-rated = 计分：胜负计入等级分
tui-casual = 不计分：胜负不计入等级分
tui-pool-waits = { $game }：正在找对手，{ $seconds } 秒；{ $waiting } 人在等。ESC 放弃。
tui-type-name = 名字：
problem-signed-out-elsewhere = 此终端已不在登录状态：登录已在别处结束，或已过期。你现在是访客；请在大厅里重新登录。
plain-lobby-help = 请输入：列表、去 序号（入座、观战或接受挑战）、拒绝 序号、开桌 棋种 棋钟、快速 棋种 棋钟（找对手）、挑战 名字 棋种 棋钟、登录、登出、我、等、停、退出；棋钟后加“计分”则胜负计入等级分。在棋桌输入“大厅”回到这里。
plain-lobby-empty = 列表是空的：没有空位，也没有进行中的对局。
plain-lobby-no-line = 序号从 1 到 { $most }；“列表”显示它们。
plain-lobby-waits = 正在找对手；“等”等到有人，“停”放弃。
plain-lobby-waits-for-nothing = 没有什么可等的：先用“登录”或“快速”。
plain-sign-in-waits = “等”等到登录完成；此码 { $minutes } 分钟有效。
