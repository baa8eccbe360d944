# 每一页都有的框架，以及首页

frame-main = 主导航
frame-skip = 跳到正文
frame-play = 对弈
frame-puzzles = 习题
frame-learn = 学棋
frame-watch = 观战
frame-library = 棋谱库
frame-make = 创作
frame-people = 棋友
frame-more = 更多
frame-all-games = 全部棋种
frame-slow-games = 我的慢棋
frame-rooms = 按名字进房间
frame-records = 查找棋谱
frame-studies = 研究
frame-new-study = 新建研究
frame-maps = 地图
frame-workshop = 工坊
frame-search = 全馆搜索
frame-notices = 等着你的事
frame-account = 帐号
frame-you = { $name }：帐号
frame-my-page = 我的主页
frame-sign-in = 登录或注册
frame-sign-out = 退出登录
set-letters = 用单个字母作快捷键
seeking-begun = 正在找对手：{ $name }。你可以继续浏览。
seeking-others = { $others ->
    [0] 暂无他人
   *[other] 另有 { $others } 人在等
}
seeking-found = 找到对手：入座
home-title = 下一盘棋
home-line = 不用注册。选一种棋，与电脑、朋友或在线的人下。
news-title = 有人约战
home-all = 全部 { $count } 种
home-way-friend = 邀请朋友
home-friend-hint = 发链接，不用注册
home-screen-hint = 两人一盘棋
home-games = 全部棋盘
card-engine = 电脑：{ $game }
card-screen = 同屏：{ $game }
card-invite = 邀请：{ $game }
tiles-of = { $game }：找对手
tile-bullet = 超快棋
tile-blitz = 快棋
tile-rapid = 中速棋
tile-long = 慢棋
tile-byo-yomi = 读秒
tile-days = 按天走
tile-none = 不限时
tile-other = 其他时限
tile-waiting = { $count } 人在等
faces-characters = 汉字
