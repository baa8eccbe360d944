family-xiangqi = 象棋
game-xiangqi = 象棋
game-xiangqi-free = 象棋（家常规则）
called-xiangqi = 象棋
called-xiangqi-free = 家常象棋
brief-xiangqi = 将死为胜
brief-xiangqi-free = 吃将为胜，不判长打
about-xiangqi = 通行规则：将死或困毙为胜，长将、长捉由裁决定胜负。
about-xiangqi-free = 吃掉对方将帅即胜：不必应将，重复局面不作裁决。
option-move-limit = 多少回合无吃子判和（0 为不限）

notation-chinese = 纵线记谱
notation-wxf = WXF 字母记谱
notation-iccs = ICCS 坐标

side-red = 红方
piece-general = 将帅
piece-advisor = 士
piece-elephant = 象
piece-horse = 马
piece-rook = 车
piece-cannon = 炮
piece-soldier = 兵卒

reason-checkmate = 将死
reason-stalemate = 困毙
reason-general-taken = 将（帅）被吃
reason-dead-position = 双方均无能过河的子力
reason-natural-limit = 自然限着

counter-natural-limit = 未吃子的着数
note-in-check = { $side ->
        [red] 红方
       *[black] 黑方
    }被 { $from } 将军，必须应将。

rules-xiangqi =
    车走直线，远近不限。炮走法同车，吃子时须隔且只隔一个棋子。
    马走日字，紧邻的去路上有子则蹩马腿。相（象）在本方河岸走田字，田心有子则塞象眼。
    仕（士）走斜线一步，帅（将）走直线一步，都不出九宫。兵（卒）向前一步，过河后也可横走一步。
    将帅不得在同一直线上直接照面；走子后不得让自己的将（帅）被吃。
    对方无着可走即胜，无论将死还是困毙。
    长将、长捉者在同一局面第三次出现时须变着，否则判负。双方各走 60 回合无吃子，或双方都没有能过河的子力，为和棋。
    家常规则以吃掉对方将（帅）为胜：不必应将，重复局面不作裁决。

# Endings by repetition.
reason-perpetual-check = 长将
reason-perpetual-chase = 长捉
reason-mutual-perpetual-check = 双方长将
reason-mutual-perpetual-chase = 双方长捉
reason-repetition = 局面第三次出现
ply-check = 将
ply-chase = 捉

# Why a repetition was judged as it was.
ruling-perpetual-check = { $side ->
        [red] 红方
       *[black] 黑方
    }步步将军，直到局面第三次出现。单方长将，作负。
ruling-perpetual-chase = { $side ->
        [red] 红方
       *[black] 黑方
    }步步捉吃现在 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }，直到局面第三次出现。单方长捉，作负。
ruling-mutual-perpetual-check = 双方都步步将军，谁也不必变着，作和。
ruling-mutual-perpetual-chase = 双方都步步捉子，谁也不必变着，作和。
ruling-repetition = 局面第三次出现，双方都没有步步将军，也没有步步捉吃同一子，作和。
ruling-gives-check = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }）将军。
ruling-chases-unprotected = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }），使 { $at } 位的{ $chaser ->
         [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
         [elephant] { $side ->
            [red] 相
           *[black] 象
        }
         [horse] 马
         [rook] 车
        *[cannon] 炮
    }捉 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }；该子无根。
ruling-chases-false-root = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }），使 { $at } 位的{ $chaser ->
         [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
         [elephant] { $side ->
            [red] 相
           *[black] 象
        }
         [horse] 马
         [rook] 车
        *[cannon] 炮
    }捉 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }；{ $rooted } 位的{ $root ->
         [general] { $side ->
            [red] 将
           *[black] 帅
        }
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }是假根：反吃则己方将帅被将。
ruling-chases-beside = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }），使 { $at } 位的{ $chaser ->
         [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
         [elephant] { $side ->
            [red] 相
           *[black] 象
        }
         [horse] 马
         [rook] 车
        *[cannon] 炮
    }捉 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }；只有将帅在旁，而将帅反吃即被将，是假根。
ruling-chases-outranked = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }），使 { $at } 位的{ $chaser ->
         [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
         [elephant] { $side ->
            [red] 相
           *[black] 象
        }
         [horse] 马
         [rook] 车
        *[cannon] 炮
    }捉 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }；以弱捉强，有根也算捉。
ruling-takes-protection = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }），使 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }失去保护；{ $at } 位的{ $chaser ->
         [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
         [elephant] { $side ->
            [red] 相
           *[black] 象
        }
         [horse] 马
         [rook] 车
        *[cannon] 炮
    }捉无根子。
ruling-pins-protector = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $chinese }（{ $wxf }），使 { $rooted } 位的{ $root ->
         [general] { $side ->
            [red] 将
           *[black] 帅
        }
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }不能再保护 { $on } 位的{ $prey ->
         [advisor] { $side ->
            [red] 士
           *[black] 仕
        }
         [elephant] { $side ->
            [red] 象
           *[black] 相
        }
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] { $side ->
            [red] 卒
           *[black] 兵
        }
    }：反吃则己方将帅被将，成为假根；{ $at } 位的{ $chaser ->
         [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
         [elephant] { $side ->
            [red] 相
           *[black] 象
        }
         [horse] 马
         [rook] 车
        *[cannon] 炮
    }捉子。
ruling-lesser-than-check = { $side ->
        [red] 红方
       *[black] 黑方
    }虽也步步捉子，但长将重于长捉。
ruling-lesser-undermining = { $side ->
        [red] 红方
       *[black] 黑方
    }虽也步步捉子，但其中有只去掉对方保护、并无新的攻击的着法；步步新捉更重。
ruling-lesser-other = { $side ->
        [red] 红方
       *[black] 黑方
    }虽也步步捉子，但捉的并非始终是同一子。
ruling-free-move = { $side ->
        [red] 红方
       *[black] 黑方
    }有既不将军也不捉子的着法，如{ $chinese }（{ $wxf }），不算犯规。
ruling-free-change = { $side ->
        [red] 红方
       *[black] 黑方
    }没有步步将军，也没有步步捉吃同一子：{ $chinese }（{ $wxf }）即已不同，不算犯规。

# Move texts that name no move.
problem-xiangqi-move-unreadable = “{ $move }”不是着法。请写 炮二平五、C2=5、H2-E2 或 h2e2。
problem-xiangqi-move-ambiguous = “{ $move }”可以是几步棋：{ $moves }。请写明是哪一个子：前、后，或写坐标。
problem-xiangqi-no-such-move = 这里没有棋子能走“{ $move }”。
problem-xiangqi-nothing-there = { $square } 位没有棋子。
problem-xiangqi-not-yours = { $square } 位不是己方的棋子：现在轮到{ $side ->
        [red] 红方
       *[black] 黑方
    }走。
problem-xiangqi-cannot-go = { $from } 位的{ $piece ->
         [general] 将帅
         [advisor] 士
         [elephant] 象
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] 兵卒
    }不能走到 { $to }。
problem-xiangqi-move-opens-file = 走 { $move } 之后，将帅在同一直线上照面，不合规则。
problem-xiangqi-exposes-general = 走 { $move } 之后，{ $side ->
        [red] 红方
       *[black] 黑方
    }的将帅会被 { $at } 位的{ $piece ->
         [general] 将帅
         [advisor] 士
         [elephant] 象
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] 兵卒
    }吃掉。
problem-xiangqi-still-in-check = { $side ->
        [red] 红方
       *[black] 黑方
    }正被 { $at } 位的{ $piece ->
         [general] 将帅
         [advisor] 士
         [elephant] 象
         [horse] 马
         [rook] 车
         [cannon] 炮
        *[soldier] 兵卒
    }将军，{ $move } 没有应将。
problem-xiangqi-game-over = 将帅已被吃，对局结束，不能再走 { $move }。

# 不予接受的局面。
problem-xiangqi-fen-too-long = 局面文本长 { $found } 字节，最长只能是 { $most } 字节。
problem-xiangqi-fen-fields = 局面文本有 { $found } 段。应写棋盘和轮到的一方，其后可有两个短横、未吃子的着数和回合数。
problem-xiangqi-fen-rows = 棋盘有 { $found } 行，应为 10 行，行间用 / 隔开。
problem-xiangqi-fen-letter = 局面文本自上第 { $row } 行：“{ $found }”不是棋子。棋子写 k a b n r c p，红方大写，空点写 1 至 9。
problem-xiangqi-fen-width = 局面文本自上第 { $row } 行“{ $found }”的宽度不是 9 路。
problem-xiangqi-fen-side = 局面文本：轮到的一方写作“{ $found }”，红方应为 w（或 r），黑方应为 b。
problem-xiangqi-fen-dash = 局面文本：“{ $found }”处应为短横。
problem-xiangqi-fen-number = 局面文本：“{ $found }”不是 0 至 { $most } 的整数。
problem-xiangqi-no-such-piece = 象棋里没有叫“{ $piece }”的棋子。
problem-xiangqi-square-taken = { $square } 上放了两个棋子。
problem-xiangqi-too-many = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $piece ->
        [general] { $side ->
            [red] 帅
           *[black] 将
        }
        [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
        [elephant] { $side ->
            [red] 相
           *[black] 象
        }
        [horse] 马
        [rook] 车
        [cannon] 炮
       *[soldier] { $side ->
            [red] 兵
           *[black] 卒
        }
    }超过了 { $most } 个。
problem-xiangqi-off-limits = { $side ->
        [red] 红方
       *[black] 黑方
    }的{ $piece ->
        [general] { $side ->
            [red] 帅
           *[black] 将
        }
        [advisor] { $side ->
            [red] 仕
           *[black] 士
        }
        [elephant] { $side ->
            [red] 相
           *[black] 象
        }
        [horse] 马
        [rook] 车
        [cannon] 炮
       *[soldier] { $side ->
            [red] 兵
           *[black] 卒
        }
    }不可能在 { $square }。
problem-xiangqi-no-general = { $side ->
        [red] 红方
       *[black] 黑方
    }没有{ $side ->
        [red] 帅
       *[black] 将
    }。
problem-xiangqi-generals-facing = 将帅照面，中间没有棋子。
problem-xiangqi-check-unanswered = { $side ->
        [red] 红方
       *[black] 黑方
    }正被 { $square } 将军，却轮到对方走。

# 棋盘上的裁决由此处说明。
heading-xiangqi-ruling = 局面重复时
rules-xiangqi-ruling =
    同一局面、轮到同一方走，第三次出现时，从第一次出现起的着法一并裁决；在此之前可以重复。
    长将：步步将军而对方不是的，判负；双方都步步将军，判和。
    长捉：步步捉同一枚棋子而对方没有同样严重的，判负。步步将军重于步步捉子。
    走一着之后，某子威胁要吃对方一枚棋子而此前没有这样威胁，就是捉。将帅和兵卒可以任意捉；未过河的兵卒不算被捉。
    被捉的棋子有根（吃掉之后对方可以合法地吃回）就不算捉。护着它的棋子若因自己的将帅会被将军而不能动，是假根，不算保护。
    马或炮捉车，士或象捉车、马、炮，有根也算捉。与同类棋子邀兑不算捉。
    至少走了一着别的、轮流捉不同的棋子、拦、献、兑或做杀，都不算犯规。双方都不犯规，或犯规同样重，判和。
