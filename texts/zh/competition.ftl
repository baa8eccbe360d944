# 赛事：编排、名次，以及各协会的文件。

problem-competition-too-many = 这里的瑞士制最多 { $most } 名参赛者。
problem-competition-too-few = 一轮至少需要两名在场的参赛者；现在{ $there ->
    [0] 没有人在场
    *[other] 只有一人在场
}。
problem-competition-open = 第 { $round } 轮还没有结束：第 { $board } 台没有结果。请先录入，再编排下一轮。
problem-competition-apart = 由于不得相遇的规定，这一轮排不出来。请取消其中一条。
problem-competition-robin = 循环赛需要 2 至 { $most } 名参赛者；这里有 { $found } 名。
problem-competition-over = 这项循环赛的 { $rounds } 轮都已在报告中。
problem-competition-criterion = “{ $found }”不能用来区分名次：可用的有 PTS、DE、WIN、WON、BPG、BWG、BH、BH/C1、BH/C2、BH/M1、BH/M2、SB、PS、PS/C1、ARO 和 NR。
problem-trf-size = 报告太大：最多读取 { $most } MiB。
problem-trf-empty = 报告中没有参赛者：没有一行以 001 开头。
problem-trf-short-line = 第 { $line } 行：参赛者的一行到积分为止至少 84 个字符；这一行有 { $length } 个。
problem-trf-number = 第 { $line } 行第 { $column } 列：“{ $found }”不是这里可用的数。
problem-trf-twice = 第 { $line } 行：序号 { $number } 出现了两次。
problem-trf-cell = 第 { $line } 行第 { $column } 列：“{ $found }”不是结果。序号 { $number } 的第 { $round } 轮应写对手的序号、w 或 b、以及 1、=、0、+、-、W、D、L；轮空写 0000 - 和 U、H、F 或 Z。
problem-trf-opponent = 第 { $line } 行第 { $column } 列：第 { $round } 轮中序号 { $number } 的对手是 { $opponent }，而报告中没有此人。
problem-trf-self = 第 { $line } 行第 { $column } 列：第 { $round } 轮中序号 { $number } 的对手是自己。
problem-trf-disagrees = 第 { $line } 行第 { $column } 列：序号 { $number } 与 { $opponent } 的第 { $round } 轮互相矛盾。
problem-trf-points = 第 { $line } 行第 { $column } 列：序号 { $number } 写着 { $found } 分，而按结果应为 { $sum } 分。如果胜局的分值不同，请加一行，例如“XXS W=2.0 D=1.0 L=0.0”。
problem-trf-setting = 第 { $line } 行：看不懂“{ $found }”。
problem-paired-again = 第 { $round } 轮：序号 { $entrant } 与 { $opponent } 再次相遇。
problem-paired-apart = 第 { $round } 轮：序号 { $entrant } 与 { $opponent } 相遇，而规定不得相遇。
problem-bye-again = 第 { $round } 轮：序号 { $entrant } 轮空，而此前已不战得分。
problem-seats-uneven = 第 { $round } 轮：序号 { $entrant } 执一方的次数比另一方多 { $more } 次。
