# 棋谱库。
problem-library-storage = 棋谱库无法读写：{ $detail }。
problem-library-newer = 棋谱库由更新版本的程序写成（版本 { $version }）。请用那个版本打开。
problem-library-no-collection = 没有名为“{ $name }”的棋谱集。`qiguan library info` 会列出全部。
problem-library-name = 棋谱集的名称为 1 到 { $limit } 个字。
problem-library-name-taken = 已经有名为“{ $name }”的棋谱集。请换一个名称。
problem-library-no-game = 棋谱库里没有第 { $game } 局。
problem-library-pattern-large = 一个棋形最多 { $limit } 个棋子。
problem-library-piece = “{ $found }”看不出是哪个棋子在哪一格。请写作 方:棋子@格，如 red:cannon@e3 或 black:stone@h8。
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
