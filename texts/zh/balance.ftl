# 地图的平衡报告：网页在打开报告时取用，终端也用。

balance = 平衡报告
balance-title = { $name } 的平衡
balance-games = 引擎自对弈 { $done } / { $of } 局。
balance-red = 红方
balance-blue = 蓝方
balance-drawn = 和棋
balance-cut = 未下完
balance-level = { $level } 级
balance-all = 全部
balance-start = 开局
balance-end = 终局
balance-reach = 按走法
balance-learned = 按对局
balance-promoted = { $piece }升
balance-plot-shares = 谁赢：双方得分，以及红方得分率的区间
balance-plot-lengths = 对局长度（步）
balance-plot-lead = 最终胜方的平均胜率随对局进程的变化
balance-plot-choices = 可选着法数随对局进程的变化
balance-plot-pieces = 棋子价值（百分之一）
balance-plot-visits = 棋子去向：占全部着法的百分比
balance-measures = 指标
balance-ludii = 最后一列是 Ludii 中同一指标的名称；带 ~ 的思路相同，但依据的是本引擎的判断。
balance-measure-advantage = 红方得分率
balance-measure-balance = 平衡（1：双方胜率相同）
balance-measure-completion = 分出胜负的对局
balance-measure-drawishness = 和棋
balance-measure-timeouts = 未下完的对局
balance-measure-stuck = 因无棋可走而和的对局
balance-measure-plies = 步数
balance-measure-plies-median = 步数中位数
balance-measure-plies-deviation = 步数标准差
balance-measure-branching = 可选着法数
balance-measure-decision-factor = 有选择时的可选着法数
balance-measure-decisions = 有选择的步
balance-measure-tree = 博弈树大小（十的幂）
balance-measure-pieces = 棋盘上的棋子数
balance-measure-occupied = 有子的格
balance-measure-coverage = 曾经有子的格
balance-measure-lead-changes = 每局优势易手次数
balance-measure-last-lead-change = 最后一次优势易手在对局中的位置
balance-measure-decided = 胜负已定在对局中的位置
balance-measure-threshold = 败方曾有的最高胜率
balance-measure-drama = 胜方落后时的平均幅度
balance-measure-stability = 优势的稳定
balance-tempo = 先手值 { $value } 百分之一（{ $low } 至 { $high }）。
balance-piece = 棋子
balance-moves = 每局步数
balance-takes = 每局吃子
balance-forced = 必胜
balance-forced-none = 没有发现。
balance-forced-start = { $winner } 从开局起 { $plies } 步内必胜：{ $line }
balance-forced-after = 走 { $after } 之后，{ $winner } 在 { $plies } 步内必胜：{ $line }
balance-idle = 从未起作用的规则
balance-idle-none = 每条规则都起了作用。
balance-moments = 决定胜负的局面
balance-moments-none = 没有发现。
balance-moment = { $by }，{ $level } 级，{ $plies } 步之后：{ $played } 使胜率从 { $before } % 降到 { $after } %。更好的是 { $better }
balance-openings = 最常见的开局
balance-opening-games = 局数
balance-fault = 有 { $games } 局扩展出错，未计入。
balance-differ = 红方得分率：第一张 { $first } %，第二张 { $second } %。仅凭偶然相差这么多的可能是 { $likely } %：两张地图不同。
balance-alike = 红方得分率：第一张 { $first } %，第二张 { $second } %。可能只是偶然（{ $likely } %）。
balance-fair = 红方得分率 { $share }：就这些对局而言是公平的地图。
balance-unfair = 红方得分率 { $share }：{ $side }占优。
balance-written = 已写入 { $place }。

problem-report-plan = 报告需要 1 至 10 级、局数和步数；最多 { $most } 局。
problem-report-idle-promotion = 启用了升变，但没有棋子升变过。
problem-report-idle-neutral-limit = 中立棋子的限制从未禁止过任何着法。
problem-report-idle-old-names = 启用了旧的内建名称，但没有规则用到。
problem-report-idle-piece = { $piece }（{ $side ->
        [red] 红
        [blue] 蓝
       *[neutral] 中立
    }）从未上过棋盘。
problem-report-idle-rise = { $piece }（{ $side ->
        [red] 红
        [blue] 蓝
       *[neutral] 中立
    }）从未升变。
problem-report-idle-unmoved = { $piece }（{ $side ->
        [red] 红
        [blue] 蓝
       *[neutral] 中立
    }）从未走过。
problem-report-idle-never = { $piece }（{ $side ->
        [red] 红
        [blue] 蓝
       *[neutral] 中立
    }{ $promoted ->
        [yes] ，已升变
       *[no] {""}
    }）：第 { $section } 节的 { $rule } 从未给出着法。
problem-report-idle-unplayed = { $piece }（{ $side ->
        [red] 红
        [blue] 蓝
       *[neutral] 中立
    }{ $promoted ->
        [yes] ，已升变
       *[no] {""}
    }）：第 { $section } 节的 { $rule } 有 { $plies } 步可用，却从未走过。
problem-report-idle-hook = { $place }：没有任何对局调用过 { $hook }。
problem-no-balance = 还没有人要过这张地图的平衡报告。
balance-against = 与另一张地图并列
balance-alone = 无
