# 信件的内容。
letter-greeting = { $name }，你好：
letter-end = 这封信来自 { $hall } 的棋馆。
    不再接收本棋馆的信件：{ $link }
letter-confirm = 这是你的邮箱吗？（{ $hall }）
letter-confirm-body = { $hall } 的账号 { $name } 想使用这个邮箱。如果是你，请在一天之内打开下面的链接确认：

    { $link }

    如果不是你，不用理会。
letter-recover = 在 { $hall } 设置新密码
letter-recover-why = 有人（希望是你）忘记了 { $hall } 上使用这个邮箱的账号的密码。下面的链接可以设置新密码，一小时之内有效：
letter-recover-end = 如果不是你，不用理会：没有这封信，谁也进不去。
letter-replaced = 这个邮箱不再属于你的账号（{ $hall }）
letter-replaced-body = { $hall } 的账号 { $name } 不再使用这个邮箱，今后不能再用它设置新密码。

    如果不是你做的，请登录棋馆，检查账号的设备并修改密码。
letter-digest = 有 { $count } 局棋轮到你走
letter-digest-why = 你有 { $count } 局慢棋正在等你：
letter-digest-end = 全部对局：{ $link }
    这封信一天最多一封，有新情况时才发。
letter-game = { $game }：{ $left }
letter-game-with = { $game }，对手 { $who }：{ $left }
letter-hours = { $count ->
    [0] 剩余不到一小时
   *[other] 剩余 { $count } 小时
}
letter-days = 剩余 { $count } 天
