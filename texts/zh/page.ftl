# 页面自己的话；各棋种的用语在各自的文件里。

hall = 棋馆
to-hall = 回到大厅
loading = 请稍候……
nowhere = 这里什么也没有
close = 关闭
save = 保存
saved = 已保存
no = 取消
accept = 同意
decline = 拒绝
confirm = 确认落子
play = 走
options = 选项
options-of = { $game }：选项
more = 更多
menu = 菜单
actions = 操作

# 大厅
continue = 继续对局
go-on = 继续
games = 棋种
open-tables = 空位
open-none = 现在没有人在等。开一桌，也许会有人来。
watch-tables = 观战
watch-none = 现在没有正在进行的对局。
watch = 观看
doors = 房间与棋谱
join-room = 按名字进房间
join-room-hint = 房间是有名字的一桌，知道名字的人可以来下棋或观战。
room-name = 房间名
join = 进入
import = 从文件打开棋谱
import-unknown = “{ $file }”不是这里能读的棋谱。可以读 PGN、PDN、SGF、XQF、CBL、UBB、PSQ、RenLib、FEN、JSON 和纯文本。
no-room = 没有名为“{ $name }”的房间。
card-play = { $game }：同屏对弈
card-board = { $files } × { $ranks }
board-of = { $game }：棋盘

# 新的一局
how = 在哪里下
how-screen = 同屏
how-invite = 邀请
how-open = 大厅
how-room = 房间
how-screen-hint = 两人共用一块屏幕，或者自己打谱。
how-invite-hint = 你会得到一个链接，打开它的人就是对手。
how-now = 马上开局
how-now-hint = 谁也想下同样的棋、用同样的棋钟、水平相近，马上就和你对局。
start-now = 找对手
rated = 计等级分
rated-sign = 计分
sign-in = 登录
your-games = 我的对局和等级分
seeking-again = 对手没有来，正在另找一位。
seeking-long = 还没有人来。可以接着等，也可以和我们的程序下。
seeking-engine = 和程序下
seeking-cancel = 不找了
how-open-hint = 你的桌会列在大厅的“空位”里，任何人都可以坐下。
how-room-hint = 有名字的一桌：朋友在大厅输入这个名字就能坐下。
start-screen = 开始
start-invite = 生成链接
start-open = 开桌
start-room = 开房间
clock = 棋钟
clock-none = 不计时
clock-fischer = 加秒
clock-byo-yomi = 读秒
clock-per-move = 每步限时
clock-per-move-short = 每步 { $seconds } 秒
clock-days = 慢棋
clock-quick = 常用棋钟：分钟＋每手加秒
clock-quick-days = { $days } 天一步
inbox-waiting = { $waiting ->
    [0] 慢棋
   *[other] { $waiting } 局慢棋轮到你
  }
clock-days-short = 每步 { $days } 天
clock-weekdays-short = 每步 { $days } 天，周末不计
clock-weekend-pause = 周末停钟
clock-weekend-pause-hint = 周六、周日（UTC）不计时。
clock-days-hint = 双方不必同时在线，对局会等你走棋。
clock-left = { $days } 天 { $hours } 时
clock-held = 休假中
days = 每步天数
minutes = 分钟
increment = 每步加秒
period = 每次读秒
periods = 读秒次数
per-move = 每步秒数
side = 执子
side-random = 随机
start-position = 起始局面（FEN），留空为常规开局
board-size = 棋盘
option-size = 棋盘大小
option-repetition = 局面重复判和
option-turn-limit = 回合上限判和（0 为不限）

# 对局
no-table = 没有这一桌
no-table-hint = 也许链接在路上丢了一个字母。
table-failed = 无法显示这张棋桌
you = 你
guest = 访客
seat-free = 空位
strip-label = { $side }：{ $name }
is-here = 在线
is-away = 离开
your-move = 轮到你
to-move = 走棋
first-move = 第一步：{ $seconds } 秒
first-move-own = 请走第一步：{ $seconds } 秒
seek-another = 另找对手
claim-left = 对手离开了。
claim-in = 对手离开了，{ $seconds } 秒后可以判胜。
claim-win = 判胜
first-move-hint = 到时还没有走第一步，对局就取消，不分胜负。
bell = { $count ->
    [0] 没有新消息
   *[other] 有 { $count } 件事等着你
}
your-move-long = 轮到你走，你执{ $side }。
turn-of = 轮到{ $side }
clocks-wait = { $whose }（双方各走一步后开始计时）
not-your-turn = 现在轮到对方。
watching = 你在观战。轮到{ $side }。
watchers = { $count } 人观战
seat-open = 还有一个空位。
sit = 坐下来下棋
waiting = 正在等对手……
waiting-invite = 把链接发给对手
waiting-open = 你的桌已开
waiting-room = 房间“{ $room }”已开
waiting-screen = 把链接发给对手
waiting-hint = 打开链接的人就是对手，坐下即开局。
share = 分享
share-hint = 打开这个链接就可以观战。
share-qr = 链接的二维码，用手机扫描
share-picture = 图片
share-film = 全局动图
share-diagram = 复制文字棋盘
share-embed = 复制网页嵌入代码
link = 本桌链接
copy-link = 复制链接
copied = 已复制
copy-position = 复制局面
export = 保存棋谱
format-json = JSON
format-text = 文本
format-sgf = SGF
flip = 翻转棋盘
rules = 规则
leave = 离开这一桌
sending = 发送中……
confirm-hint = 再点一次落子。
premove-chosen = 已预走：轮到你时，只要合法就立即走出。点棋盘可取消。
premove-to = 点一下目的地，轮到你时就走到那里。
warned = 这样走会立即判负：{ $reason }。再按一次才走。
blocked = { $name }被挡住：{ $count ->
        [0] 有东西挡着
       *[other] 有 { $count } 枚棋子挡着
    }。
type-move = 着法
mark-winning-line = 连成一线
mark-chosen = 已选
mark-check = 被将军
mark-forbidden = 禁手
cell-empty = 空
cell-piece = { $side }{ $piece }
cell-file = 第{ $file }路
cell-last = 最后一手
cell-may = 可选

# 一回合的各步
pad = 本回合各步
directions = 方向
steps-label = 第 { $step } 步，共 { $of } 步
withdraw = 撤回
button-blocked = { $name }，被挡
button-warned = { $name }，立即判负

# 协商
takeback = 悔棋
redo = 重走
draw = 提和
draw-agree = 同意和棋
resign = 认输
abort = 取消对局
swap = 提议交换执子
exchange-turn = 交换落子方
rematch = 再来一局
rematch-offered = 已提议再来一局
accept-rematch = 同意再来一局
offers-takeback = 请求悔棋
offers-draw = 提议和棋
offers-rematch = 提议再来一局
offers-swap = 提议交换执子
offered-takeback = 你请求悔棋
offered-draw = 你提议和棋
offered-rematch = 你提议再来一局
offered-swap = 你提议交换执子
offer-cancel = 取消
ask-resign = 确定认输？
yes-resign = 认输
ask-draw = 以和棋结束？
yes-draw = 和棋

# 终局
game-over = 对局结束
show-result = 结果
wins = { $side }胜
you-win = 你赢了
you-lose = 你输了
ends-draw = 和棋
ends-void = 本局无效
ends = { $result }：{ $reason }。
to-rematch = 去新的一局
new-game = 新的一局
reason-resign = 认输
reason-recorded = 棋谱所记
reason-flag = 超时
reason-draw-agreed = 双方同意和棋
reason-abort = 对局取消
reason-left = 对方离开了对局
reason-not-begun = 第一步没有按时走出
reason-too-long = 对局过长

# 着法与复盘
moves = 着法
moves-none = 还没有着法
walk = 复盘
walk-first = 到开局
walk-back = 上一手
walk-forward = 下一手
walk-now = 到当前
looking-back = 正在复盘，对局仍在继续。
back-to-now = 回到当前

# 棋钟
clock-label = 棋钟
clock-byo-short = 读秒{" "}
clock-periods = 还有 { $periods } 次读秒

# 连接
net-offline = 连接断开，正在重连……
net-back = 已重新连接
net-stopping = 棋馆正在重启，稍后继续。
problem-hall-unreachable = 连不上棋馆，请检查网络。
problem-hall-error = 棋馆答复出错（{ $status }）。
problem-page-error = 本页出了点问题。请再试一次；若仍不行，请刷新页面。
trying-again = 还没有答复，正在重试……
part-missing = 这一页有一部分还没有传到，正在重试……
page-reload = 刷新页面
offline-now = 现在连不上棋馆
offline-cannot = 没有网络或棋馆关着时，这里不能对局、观战、做题，也不能查棋谱库：这些都在棋馆里。此间什么都不会丢，已确认的着法都保存在那里。
offline-can = 可以做的：阅读下面的规则，或继续看其他标签页里打开的棋盘；在那里走的棋，一连上棋馆就会送出。
offline-back = 本页会自动寻找棋馆。

# 读屏
said-move = { $side }：{ $move }
said-sat = { $side }入座
said-withdraw = { $side }撤回上一步
said-takeback = 悔棋 { $plies } 手
said-offer-takeback = { $side }请求悔棋
said-offer-draw = { $side }提议和棋
said-offer-rematch = { $side }提议再来一局
said-offer-swap = { $side }提议交换执子
said-declined-takeback = { $side }不同意悔棋
said-declined-draw = { $side }不接受和棋
said-declined-rematch = { $side }不想再来一局
said-declined-swap = { $side }不同意交换执子
said-cancelled = { $side }收回了提议
said-offers-off = { $side }在这一局里不接受提议
said-offers-on = { $side }重新接受提议
said-swap = 双方已交换执子

# 设置
settings = 设置
your-name = 你的名字
language = 语言
theme = 主题
theme-system = 跟随系统
theme-light = 浅色
theme-dark = 深色
theme-contrast = 高对比
confirm-move = 落子前再点一次
confirm-auto = 格子小时
confirm-always = 总是
confirm-never = 从不
set-sound = 声音
set-coordinates = 坐标
set-numbers = 棋子上标手数
set-directions = 地图棋子上的行走方向
set-targets = 选中棋子可到之处
set-motion = 动画
set-premoves = 对方思考时可以预走（有棋钟的对局）
set-offers = 接收对方的提议（和棋、悔棋、交换执子）

# 按键
keys = 按键
keys-arrows = 在棋盘上移动，或按方向
keys-walk = 总是在棋盘上移动
keys-enter = 点选
keys-esc = 清除
keys-type = 输入着法
keys-replay = 上一手、下一手
keys-ends = 到开局、到当前
keys-flip = 翻转棋盘
keys-help = 本列表

# 规则
rules-title = { $family }规则
rules-none = 规则还没有写下来。
rules-start = 开局
picture-five = 五子连珠即胜。
picture-six = 六子：无禁手规则算胜，标准规则不算，继续对局。

# 计数、名目与裁决
check-short = 将军
mate-short = 将死
check-said = 将军
and-then = { $first }。{ $then }
choices = 选择
choosing = 由{ $side }决定
choosing-you = 由你决定
choosing-put = 轮到你
choosing-told = { $side }看到的提示：“{ $prompt }”
choosing-first = 请先回答问题：按下其中一个按钮。
several-ways = 有几条路可到，请依次点路上的格子。
cannot-move = 这枚棋子现在不能动。
mark-zone = 可用
mark-offered = 候选
mark-chaser = 捉子方
mark-chased = 被捉
mark-ghost = 已被吃
ruling-rules = 规则原文
lessons-show = 显示威胁
lessons-hide = 隐藏威胁
lessons-none = 没有威胁

# 同类的几种玩法
variants = 玩法
variants-open = 共 { $count } 种玩法
variants-close = 收起

# 摆局
set-up = 摆局
set-up-yours = 从你摆的局面开始。
set-up-change = 修改
set-up-usual = 常规开局
set-up-pieces = 棋子
set-up-move = 移动
set-up-remove = 移除
set-up-hint-move = 拖动棋子，或先点棋子再点位置；拖出棋盘即拿掉。
set-up-hint-remove = 点要拿掉的棋子。
set-up-hint-put = 点要放的位置；同样的棋子再点一次即拿掉。
set-up-turn = 轮到
set-up-clear = 清空
set-up-fen = 局面文本（FEN）
set-up-fine = 可以从这个局面开始。
set-up-back = 返回
set-up-use = 用这个局面

# 棋子字样与记谱
faces = 象棋棋子
faces-traditional = 繁體
faces-simplified = 简体
faces-pictures = 图形
notation-of = { $family }着法写成
notation-chinese-traditional = 縱線記譜（繁體）
format-pgn = PGN
format-pdn = PDN
format-psq = PSQ
format-lib = RenLib
format-fen = FEN
format-pos = 着法串
format-rows = 行文本
format-numbers = 数字文本
format-letters = 字母文本
format-chess = emacs-chess-cn
format-locked = return_game()
format-txt = 文本

# 玩家自制的棋
side-neutral = 中立
about-piece = 这枚棋子
about-map = 这张地图
mark-captain = 首领
card-maps = { $game }：选择地图
maps-choose = 选择地图
maps-make = 制作新棋
zoom = 棋盘，放大或缩小
zoom-in = 放大
zoom-out = 缩小
zoom-all = 整个棋盘
acts-here = 再点一次，棋子就地发动。
keys-about = 查看那里的棋子
talk = 聊天
ratings-from = 对手等级分从
ratings-to = 到

# 直播
tv = 正在直播
tv-stop = 停留
tv-next = 下一局
tv-moves = 已走 { $count } 回合
