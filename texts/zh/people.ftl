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
problem-name-taken = “{ $name }”已有人使用，或与别人的名称太像。请换一个。
problem-name-too-soon = 名称三十天内只能改一次，还要等 { $days } 天。
problem-password-too-short = 密码至少 { $limit } 个字符。三四个词连在一起很好记。
problem-password-too-long = 密码最多 { $limit } 个字符。
problem-password-simple = 这个密码是重复或连续的字符，一猜就中。三四个词连在一起很好记。
problem-password-like-name = 这个密码和你的名称差不多。请换一个。
problem-password-known = 这个密码是最先被人猜的那些之一。请换一个。
problem-sign-in-failed = 名称与密码不符。
problem-recovery-failed = 名称与恢复码不符，或这个恢复码已经用过。
problem-too-many-tries = 用这个名称或从这个地址试得太多了。请等 { $seconds } 秒，或用通行密钥登录。
problem-passkey-malformed = 看不懂浏览器关于通行密钥的回答。请再试一次。
problem-passkey-refused = 通行密钥未被接受：{ $detail }。
problem-passkey-unknown = 本馆不认识这个通行密钥，或已将它移除。请用别的方式登录。
problem-passkey-late = 给浏览器的询问已过期。请再试一次。
problem-passkey-nowhere = 通行密钥需要 https 和域名；在本馆现在的网址上，浏览器不提供通行密钥。请用密码。
problem-openid-off = 本棋馆不支持用其他网站的账号登录。请用别的方式登录。
problem-openid-late = 这次登录已失效：超过了五分钟、已经用过，或者是在另一台设备上开始的。请重新开始。
problem-openid-unreachable = 对方网站没有应答。请稍后再试，或用别的方式登录。
problem-openid-refused = 对方网站的答复无效。请再试一次；如果仍然不行，请告知本棋馆的管理者。
problem-openid-taken = 对方网站的这个账号已经与这里的一个账号相连。
problem-openid-other = 对方网站的这个账号不是你这里账号的登录方式。
problem-not-an-account = 这需要账号。请先注册，你的棋局会一起保留。
problem-is-an-account = 你已经有账号了。请先退出登录。
problem-guest-sign-out = 你是访客：只有这个浏览器认得你的棋局。请先注册账号再退出。
problem-confirm-first = 请先用密码或通行密钥确认是你本人。
problem-credential-last = 这是登录你账号的最后一种方式。请先添加密码或通行密钥。
problem-credential-unknown = 没有这个密码或通行密钥。
problem-credentials-full = 一个账号最多 { $limit } 个。请先移除一个。
problem-session-unknown = 那台设备已经不在登录状态。
problem-token-unknown = 没有这个令牌。
problem-tokens-full = 一个账号最多 { $limit } 个令牌。请先撤销一个。
problem-token-days = 令牌的有效期是 1 到 { $limit } 天。
problem-token-scope = 这个令牌无权这样做：它缺少权限“{ $scope }”。
problem-token-not-here = 不能用令牌做这件事：请登录。
problem-scope-unknown = 没有权限“{ $scope }”。可用的有：{ $known }。
problem-scope-none = 令牌至少需要一项权限。
problem-label-too-long = 标签最多 { $limit } 个字。
problem-closing-name = 要注销账号，请输入它的名称。
problem-device-code = 没有设备在等这个代码，或已过期。请让设备显示新的代码。
problem-not-staff = 只有本馆工作人员能看。
problem-bearer-unknown = 本馆不认识这个密钥或令牌：它已过期、已撤销，或属于别的棋馆。
account-open = 你的账号
account-enter = 登录或注册账号
