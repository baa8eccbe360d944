# 棋谱库。
problem-library-storage = 棋谱库无法读写：{ $detail }。
problem-library-newer = 棋谱库由更新版本的程序写成（版本 { $version }）。请用那个版本打开。
problem-library-no-collection = 没有名为“{ $name }”的棋谱集。`qiguan library info` 会列出全部。
problem-library-name = 棋谱集的名称为 1 到 { $limit } 个字。
problem-library-name-taken = 已经有名为“{ $name }”的棋谱集。请换一个名称。
problem-library-no-game = 棋谱库里没有第 { $game } 局。
problem-library-pattern-large = 一个棋形最多 { $limit } 个棋子。
problem-library-piece = “{ $found }”看不出是哪个棋子在哪一格。请写作 方:棋子@格，如 red:cannon@e3 或 black:stone@h8。
problem-library-closed = 这个棋馆没有棋谱库。
problem-library-access = “{ $found }”看不出谁可以看这个棋谱集：请写 private、link 或 public。
problem-library-many-collections = 你已有 { $most } 个棋谱集。请先删去一个。
problem-library-needs-account = 棋谱集属于账号。请先注册。
problem-library-not-yours = 那个棋谱集是别人的。
problem-library-full = 你的棋谱集已有 { $most } 局。请先删去一些。
problem-library-no-maps = 自制棋图的对局不在棋谱库里。
problem-archive-broken = 压缩包无法读取：{ $detail }。
problem-archive-many-files = 压缩包里有 { $found } 个文件，最多读 { $most } 个。请分开打包。
problem-archive-bomb = 压缩包里有文件解开后超过 { $most } 字节，远大于棋谱应有的大小，没有再读下去。
problem-archive-in-archive = 不读压缩包里的压缩包。请先解开外层。
problem-rif-none = 这个 RenjuNet 数据库里没有对局。
problem-rif-markup = 数据库的 XML 有误：{ $detail }。
problem-rif-end = 数据库在一局中间就结束了。

# qiguan library
cli-library-none = { $folder } 里没有棋谱库。`qiguan library import FILE --into NAME --data { $folder }` 会建立一个。
cli-library-refused = { $file } 第 { $number } 局（第 { $line } 行）：{ $problem }
cli-library-imported = { $name }：读入 { $read } 局，新增 { $added } 局，已有 { $doubles } 局，拒收 { $refused } 局，用时 { $seconds } 秒。
cli-library-stopped = 导入已中断。再次运行同一命令即可继续。
cli-library-files-failed = 有文件无法读取，其余已读。
cli-library-some-refused = 有对局被拒收，其余已入库。
cli-library-nothing = 没有找到。
cli-library-hits = 有 { $games } 局出现过。
cli-library-collection = { $name }：{ $games } 局，{ $access ->
    [public] 公开
    [link] 凭链接可见
   *[private] 仅自己可见
 }
cli-library-sizes = { $runs } 段中有 { $entries } 个局面与着法：局面 { $positions } KiB，棋形 { $patterns } KiB，平均每个 { $each } 字节；文件 { $file } KiB。

# 页面。
library-about = 本馆和棋谱文件里的对局：可按棋手、赛事、日期、局面或棋形查找。
library-game = 棋种
library-any = 不限
library-all = 全部棋谱集
library-collection = 棋谱集
library-player = 棋手
library-event = 赛事
library-since = 起
library-until = 止
library-result = 结果
library-rating = 平均等级分不低于
library-sort = 排序
library-sort-added = 新入库在前
library-sort-day = 新对局在前
library-sort-rating = 高分在前
library-sort-length = 长局在前
library-search = 查找
library-pattern = 在棋盘上摆棋形
library-pattern-hint = 把棋子摆在同时应在的位置上，其余各点不限。
library-pattern-remove = 拿掉
library-hits = 有 { $count } 局出现过。
library-shown = { $count } 局
library-none = 没有符合的对局。请放宽条件。
library-more = 更多
library-nobody = 未知
library-plies = { $count } 步
library-count = { $count } 局
library-hall = 本馆对局
library-own = 我的棋谱集
library-own-account = 有账号就可以带来棋谱文件：PGN、PDN、SGF、XQF、CBL、LIB、RIF、JSON，或它们的压缩包。
library-sign-in = 登录
library-name = 名称
library-access = 谁可以看
library-access-private = 仅自己
library-access-link = 有链接的人
library-access-public = 所有人
library-make = 新建棋谱集
library-into = 放入
library-bring = 选择文件
library-brought = 读入 { $read } 局：新增 { $added } 局，已有 { $doubles } 局，拒收 { $refused } 局。
library-refused = 第 { $number } 局（第 { $line } 行）：{ $why }
library-delete = 删除
library-delete-sure = 删除这个棋谱集和其中全部对局？
library-first = 回到开头
library-back = 后退一步
library-on = 前进一步
library-last = 到最后
library-at = { $ply } / { $of }
library-open = 打开成棋盘
library-table = 去那张棋桌
explorer = 这里的下法
explorer-none = 棋谱库里没有从这里继续的对局。
explorer-move = 着法
explorer-games = 局数
explorer-results = 结果
explorer-last = 等级分、年份
explorer-of = 先手胜 { $first }，和 { $draws }，后手胜 { $second }
