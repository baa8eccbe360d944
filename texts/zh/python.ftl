# Python 软件包拒绝的输入。
problem-action-not-legal = 此处不能用动作 { $action }。本游戏共有 { $actions } 个动作；legal_actions() 列出现在可用的动作。
problem-batch-action-not-legal = 批次中第 { $game } 局不能用动作 { $action }。未走任何一步；legal_actions() 列出可用的动作。
problem-batch-too-large = 一个含 { $numbers } 个数的数组超过了一次允许的 { $most } 个。请减少局数。
problem-unknown-record-format = 没有名为“{ $format }”的棋谱格式。可用的有：{ $known }。
problem-unknown-notation = PGN 没有名为“{ $notation }”的记谱法。可用的有：chinese、wxf、iccs。
problem-python-record-format = 无法从内容判断格式。请指明一种。
problem-python-too-many-records = 其中的对局多于 { $most } 局。iterate() 可从文件中逐局读取，不限局数。
