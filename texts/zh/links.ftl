# 链接在没有脚本的地方怎样介绍自己：网页头、卡片、嵌入的棋盘。

hall-line = 清静的馆，好用的盘
link-hall = 下象棋、国际跳棋、五子棋、锁棋和自制的精班棋，对手是人或引擎。无需注册。
link-versus = { $first } 对 { $second }
link-table = { $game }：{ $players }
link-invite = { $game }：邀请
link-invite-text = 打开链接即可入座对局，无需注册。
link-room-text = 棋馆里的房间：打开链接即可入座对局。
link-watch-text = 已走 { $moves } 回合，{ $side }行棋。打开链接观看。
link-over-text = { $end }共 { $moves } 回合。打开链接复盘。
link-to-move = { $side }行棋
link-move = 第 { $move } 回合，共 { $of } 回合
link-picture = { $game }：第 { $move } 回合后的棋盘
link-rules = { $game }规则
link-rules-text = 图解规则，以及这里可以下的各种变体。
link-game-text = { $about }与人或电脑下{ $game }，无需注册。
link-game-card = 在棋馆下这种棋，无需注册
link-place-games = 全部棋种
link-place-games-text = 这里能下的所有棋种和变体，附棋盘：与人、与电脑或同屏对弈。
link-place-learn = 学棋
link-place-learn-text = 各种棋的图解规则，以及练习局面。
link-place-make = 创作
link-place-make-text = 画棋盘，编棋子和规则，和别人一起下自己的棋。
link-place-watch = 观战
link-place-watch-text = 正在进行的对局，好棋在前。
link-library = 棋谱库
link-library-text = 棋谱合集：按棋手、赛事和局面查找，看看别人从这里怎么走。
link-maps = 地图
link-maps-text = 大家制作的精班棋：下一局，读规则，也可以自己做。
link-map-text = 精班棋地图：{ $rows } × { $files }。打开链接读规则、开始对局。
link-person = 棋馆的 { $name }
link-person-text = { $name } 的等级分和已结束的对局。
link-embed-first = 开头
link-embed-back = 上一步
link-embed-on = 下一步
link-embed-last = 结尾
link-embed-open = 在棋馆打开

problem-picture-query = 没有 { $name }={ $found } 这样的图片，可以是：{ $may }。
problem-oembed-format = oEmbed 只以 JSON 回答，请去掉 format 参数。
