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
    }有闲着，如{ $chinese }（{ $wxf }），不算犯规。
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
problem-xiangqi-generals-face = 走 { $move } 之后，将帅在同一直线上照面，不合规则。
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
