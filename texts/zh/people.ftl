# 人、房间和地图的名称，以及身份凭据。
problem-name-empty = 名称至少要有一个字。
problem-name-too-short = 名称至少 { $limit } 个字。
problem-name-letter = 第 { $place } 个字符 { $code } 不能用在名称里：{ $why ->
    [control] 它是控制字符
    [private] 它是私用字符
    [unassigned] Unicode 里没有它
    [technical] 它是音标字母
   *[invisible] 它看不见
  }。请去掉它。
problem-name-marks = 第 { $place } 个字符 { $code } 是附加符号，前面没有字母，或叠得太多。请去掉它。
problem-name-no-letter = 名称至少要有一个字母、汉字或数字。
problem-name-scripts = “{ $word }”混用了两种容易混淆的文字：“{ $letter }”（{ $code }）属于 { $script }。每个词请只用一种文字。
problem-name-reserved = “{ $name }”容易被当成棋馆的程序或工作人员。请换一个名称。
problem-session-too-large = 浏览器或程序发来的身份信息超过 { $limit } 字节。请删除本站的 Cookie。
problem-session-bearer = “Authorization: Bearer”后面不是本馆发出的密钥，或不止一个。请只发本馆给出的那一个。
problem-session-twice = 浏览器发来了两个不同的 { $name } Cookie，无法判断哪个是你的。请删除本站的 Cookie。
