problem-map-not-needed = { $game } 不使用地图。
problem-map-not-loaded = 地图没有加载成功，请再试一次。
problem-map-not-written = 地图无法写成工作簿：{ $text }。
problem-map-not-made = 无法新建文件 { $place }：{ $text }。
problem-map-name = “{ $text }”不能作地图名：名称为 1 到 { $most } 个字。
problem-map-file-name = “{ $text }”不能作扩展的文件名：长度为 1 到 { $most } 字节，且不含 /、\ 和引号。
problem-no-such-map = 这里没有这张地图。可能因为没有人用它下棋而被清理了，作者可以重新上传。
problem-maps-full-visitor = 你的地图已满：最多 { $maps } 张，共 { $mib } MiB。三个月没有人用的地图会腾出位置。
problem-maps-full = 棋馆的地图已满。三个月没有人用的地图会腾出位置，请联系棋馆的管理者。
problem-no-takebacks-here = 这张地图的作者不允许悔棋。
problem-takeback-chance = 其间有过随机结果，悔棋的一方会预先知道它，所以不能悔到那之前。
problem-no-such-move = “{ $move }”写出了抽取的结果，而抽取由棋馆进行。请去掉花括号再走。
problem-nothing-drawn-yet = 棋馆还没有抽取随机数：要等双方都入座。
problem-move-by-chance = “{ $move }”翻出什么由随机决定。请写明抽到了什么，如 { $example }。
problem-verify-no-secret = 棋谱里没有随机数：对局还没有结束，或者没有随机因素。
problem-verify-no-table = 棋谱里没有“{ $tag }”：请在终局之后从棋馆重新取得棋谱。
problem-verify-commitment = 这不是棋馆当初承诺的随机数：第一步之前公布的是 { $told }，而这个数得出 { $computed }。
problem-verify-draw = 第 { $ply } 步不符：棋谱中是 { $played }，而按随机数应为 { $drawn }。
problem-verify-numbers = 标签“Draws”中有 { $found } 个数，而棋谱中有 { $draws } 次抽取。
problem-seed-chosen = 与他人对局时，谁也不能指定随机结果：双方入座时由棋馆抽取。请去掉“seed”选项。
problem-plan-chance = 这种棋有随机因素，谁也不能预先看到结果，因此不能预设着法。

option-old-names = 不用扩展也认识位置条件 D、R、T、NP、C
option-seed = 扩展的随机数从哪个数开始
option-seed-2 = 同上，第 33 至 64 位
option-seed-3 = 同上，第 65 至 96 位
option-seed-4 = 同上，第 97 至 128 位

mark-promoted = 已升变
mark-shielded = 被盾牌压制，不能吃子
mark-merged = 已合体

detail-piece = { $name }：{ $side ->
        [red] 红方
        [blue] 蓝方
       *[neutral] 中立，双方都可移动，不会被吃
    }{ $captain ->
        [yes] ，首领，吃掉它即获胜
       *[no] {""}
    }{ $promoted ->
        [yes] ，已升变
       *[no] {""}
    }（编号 { $id }）
detail-now = { $reach ->
        [near] 此刻：走一格 { $near }
        [far] 此刻：走无限格 { $far }
        [both] 此刻：走一格 { $near }，走无限格 { $far }
       *[none] 此刻：自身没有可走的方向
    }
detail-section = { $section ->
        [step] 走一格：
        [far] 走无限格：
        [shield] 盾牌（供扩展使用）：
        [prohibition] 禁止（供扩展使用）：
        [jump] 跳禁（供扩展使用）：
        [ignore] 无视禁（供扩展使用）：
       *[other] 第 { $number } 栏（供扩展使用）：
    }
detail-still = 自身没有走法。
detail-turns = { $way ->
        [moves] 走动时翻开
       *[stays] 点两次把它翻开
    }。袋中还有：{ $left }
detail-promotes = 升变条件：
detail-then = 升变后可移动：
detail-rule = 规则原文：{ $text }
detail-anywhere = { $arrows }
detail-never = { $arrows } 从不
detail-rows = { $arrows } 在第 { $rows } 行时
detail-cols = { $arrows } 在第 { $cols } 列时
detail-points = { $arrows } 在 { $points } 时
detail-not-points = { $arrows } 不在 { $points } 时
detail-gone = { $arrows } { $piece }（编号 { $id }）在场不是恰好一枚时
detail-count = { $arrows } { $piece }（编号 { $id }）在场 { $least } 到 { $most } 枚时
detail-count-all = { $arrows } 全场共有 { $least } 到 { $most } 枚棋子时
detail-distance = { $arrows } { $piece }（编号 { $id }）{ $relation ->
        [at] 恰好相距 { $steps } 步时
        [farther] 相距多于 { $steps } 步时
       *[nearer] 相距少于 { $steps } 步时
    }
detail-beside = { $arrows } { $piece }（编号 { $id }）{ $relation ->
        [at] 恰好相距 { $steps } 步
        [farther] 相距多于 { $steps } 步
       *[nearer] 相距少于 { $steps } 步
    }，且位于 { $sides } 方向时
detail-named = { $arrows } 由扩展判断：{ $place }
detail-unknown = { $arrows } 不成立：没有扩展解释 { $place }
detail-attribute = { $name }：{ $value }
detail-becomes = 在那里变为：{ $names }
detail-way = { $course ->
        [step] { $arrows } 走一格
        [up-to] { $arrows } 最多走 { $count } 格
        [leap] 跳 { $arrows }（行:列）
       *[far] { $arrows } 走无限格
    }{ $mode ->
        [walk] ，不能吃子
        [take] ，只能吃子
       *[any] {""}
    }{ $over ->
        [yes] ，须越过恰好一子
       *[no] {""}
    }{ $lame ->
        [yes] ，中间不能有子
       *[no] {""}
    }{ $bound ->
        [yes] ，只从某些格子
       *[no] {""}
    }

map-made = 已写好 { $place }：一种可以上手的小棋。请用表格软件打开，“help”工作表逐格作了说明。
map-help-title = 这个工作簿就是一种棋。读取三张工作表：chesses（棋子表）、map（棋盘表）、rules（特殊规则表）。其他工作表（如本表）不会被读取。
map-help-try = 用“qiguan map check 文件”检查，用“qiguan map show 文件”查看，再到精班棋页面上传到棋馆。
map-help-pieces = 从第 2 行起每行一枚棋子，第 k 枚的编号就是 k，与 A 列所写无关。中间不要留空行。
map-help-name = 棋子上的字。纯数字的名称要加引号："18"。
map-help-side = 1 红方，2 蓝方，3 中立。红方在下、先行；中立棋子双方都可移动，不会被吃。
map-help-captain = 写字母 c 即为首领：吃掉任一首领即获胜。
map-help-rule = 先写走一格的方向，再写“;”，再写走无限格的方向：“2;4,5”可向上走一格，或向左右走任意格。“;”不可省略。
map-help-directions = 1 左上，2 上，3 右上，4 左，5 右，6 左下，7 下，8 右下，均以红方所见为准。
map-help-places = 2(X[5|6]) 只有在第 5、6 行时才可向上；Y[…] 是列，P[行|列|行|列] 是点；-1 为最后一行或一列。多个位置条件用 & 连接，意思是“或”。
map-help-blue = 蓝方的规则不翻转：方向 7 是蓝方的前方。
map-help-promotes = 在哪里升变，升变后不再变回；留空则不升变。
map-help-promoted = 升变后的走法，至少要写“;”。
map-help-attributes = 供扩展读取的属性：标题就是名称。不用扩展时不必写。
map-help-board = B1 为行数，D1 为列数，1 到 64。从 A2 起写各格开局棋子的编号，空格留空。
map-help-promotion = c：启用升变。
map-help-undo = c：启用悔棋。
map-help-neutral = c：限制连续 3 步以上移动中立棋子。

# 地图上单字棋子的名称；键名里是该字的码位。
face-5e05 = 帅
face-5c06 = 将
face-738b = 王
face-65d7 = 旗
face-536b = 卫
face-58eb = 士
face-8c61 = 象
face-9a6c = 马
face-8f66 = 车
face-70ae = 炮
face-5175 = 兵
face-5352 = 卒
face-78c1 = 磁
face-94c1 = 铁
face-77f3 = 石
face-5c71 = 山
face-540e = 后
face-9e7f = 鹿
face-96cf = 雏
face-9e21 = 鸡
face-72ee = 狮
face-864e = 虎
face-8c79 = 豹
face-72fc = 狼
face-72d7 = 狗
face-732b = 猫
face-9f20 = 鼠
face-6c34 = 水
face-9631 = 阱
face-7a74 = 穴
face-5899 = 墙
face-5cb8 = 岸
face-7897 = 碗
face-706b = 火
face-89d2 = 角
face-5bab = 宫
face-6697 = 暗
face-4ed5 = 仕
face-76f8 = 相
face-7832 = 砲
face-99ac = 馬
face-8eca = 車
face-25cf = 子
face-25cb = 子

# 作品：版本、分支、星
problem-work-note = 说明最多 { $most } 个字。
problem-work-tags = 最多 { $most } 个标签，每个最多 { $letters } 个字母、数字或连字符。
problem-work-newer-version = 其间“{ $name }”已有第 { $version } 版。先看看它改了什么，再把你的放在它后面，或另立一张地图。
problem-work-was-played = 已经有人下过这张地图：可以从列表撤下，但不能删除。
problem-work-stars = 下完过这张地图的人可以给一到五颗星。
extension-by = { $name }@{ $version }，作者 { $author }
extension-of = 共用扩展 { $name }@{ $version }
problem-extension-needs-account = 共享的扩展归账号所有。请登录后再共享。
problem-extension-name = 共用扩展的名称为 { $least } 至 { $most } 个小写字母、数字或连字符，以字母开头。
problem-extension-text = 用途最多 { $about } 字，说明最多 { $note } 字。
problem-extension-size = 扩展最大 { $most } KiB。
problem-extension-taken = 别人的扩展已经叫 { $name }。请换个名称。
problem-extension-newer = { $name } 已有更新的版本。请先看一看，再共享你的。
problem-extensions-full = { $of ->
    [person] 你已共享 { $most } 个扩展版本。请先删掉一个扩展。
   *[other] 本馆已有 { $most } 个扩展版本，不再收入。
}
problem-extension-used = 别人的地图在用这个扩展，所以不能删除。可以把它从列表撤下。
problem-no-such-extension = 没有这个共用扩展。
problem-extension-other = { $place } 与共用扩展 { $text } 的那一版不同。请重新从书架取用，或给文件换个名称。
problem-rated-map-later = 这张地图还不计等级分：相互下完棋的账号 { $players }／{ $needs_players }，对局 { $games }／{ $needs_games }。
map-pool-open = 计等级分：{ $players } 人，{ $games } 盘。
map-pool-later = { $needs_players } 个账号相互下完 { $needs_games } 盘之后计等级分；目前 { $players } 个、{ $games } 盘。
map-play-rated = 等级分对局
