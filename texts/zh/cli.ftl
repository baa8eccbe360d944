# 程序在终端里说的话。
cli-hall-connections-fine = 设置无误，文件夹、地址、数据库和总线均可使用；棋馆未开门。
cli-hall-settings-fine = 设置无误；棋馆未开门。
cli-hall-is-open = 棋馆已开门：{ $url }
cli-hall-is-measured = 运行指标：{ $url }
cli-hall-has-weights = 已载入 { $count } 张棋图的引擎权重。
cli-weights-unread = { $place }：这一行不是权重。请使用 `qiguan learn fit --map` 写出的文件，或把这个文件移出文件夹。
cli-at = { $place }：{ $why }
cli-verified = 与棋馆的承诺一致：{ $table } 桌的 { $draws } 次抽取和扩展的 { $numbers } 个随机数都由公布的数得出。
cli-standard-output = 标准输出
cli-press-to-close = 按 Ctrl-C 关门。
cli-traces-url = --traces { $url }：地址须以 http:// 开头，例如 http://127.0.0.1:4318/v1/traces；不支持 https。
cli-traces-not = 不能使用 --traces { $url }：{ $why }
cli-admin-bus-key = 棋馆 { $hall } 的总线现在有了密钥 { $key }。运行中的节点半分钟后开始使用。
cli-admin-bus-name = 棋馆在总线上现在叫 { $hall }。请重新启动它的节点。
cli-admin-bus-needs-store = 只有共用数据库的馆才有总线：请用 --store postgres://user:password@host:5432/database 指明它。
cli-option-from = { $place }：{ $why }
cli-option-twice = { $variable } 与 { $file } 说的是同一件事：请只设其中一个。
cli-option-odd = { $key } 既不是文字、数字，也不是 true 或 false。
cli-option-unknown = qiguan serve 没有选项 { $key }。[serve] 中可以有：{ $keys }。
cli-option-switch = “{ $value }”既不是 true 也不是 false。
cli-option-large = 文件超过 { $most } 字节。
cli-option-levels = “{ $value }”不是日志级别：请写 info，或 info,hall=debug。
cli-bus-needs-store = --bus { $bus } 用来连接共用同一数据库的几个馆：请用 --store postgres://user:password@host:5432/database 指明它。
cli-node-buried = 这个节点六秒没有回应，它的桌子已由其他节点接管。什么都没有丢失。请重新启动它；如果常常这样，说明这台机器或它到数据库的连接太慢。
cli-hall-closes = 棋馆关门，时钟已记下。
cli-console-alone = --seed-console 不能与 { $option } 同用；可以用 --level、--side、--load、--fen 和 --option。
cli-console-is-gomoku = 经典控制台只下五子棋，不下 { $game }。

# qiguan convert
cli-convert-game = 第 { $number } 局：{ $problem }
cli-convert-failed = { $read } 局中有 { $failed } 局无法转换，其余都已写出。
cli-convert-nothing = 输入中没有对局。
cli-convert-unknown = 输入不像任何能读的格式。请用 --from 指明。
cli-convert-one = { $format } 格式的文件只能放一局，输入中不止一局。第一局已写出。
cli-convert-same = { $file } 不能既是输入又是输出。

cli-library-at = ，第 { $count } 回合后出现

# qiguan learn
cli-learn-games = { $file } 里有 { $games } 局。
cli-learn-packed = { $file } 里有 { $taken } 个局面（共 { $seen } 个）。
cli-learn-openings = { $file } 里有 { $openings } 个开局。
cli-learn-found = { $learned } 个局面用于学习，{ $aside } 个留作检验。
cli-learn-loss = 第 { $epochs } 遍：学习 { $learned }，检验 { $aside }
cli-learn-written = 已写入 { $file }：{ $count } 个权重，每单位对数几率 { $scale } 分；检验损失由 { $before } 变为 { $after }。

# qiguan admin
cli-admin-tables-and-events = { $tables } 张棋桌、{ $events } 个事件
cli-admin-checked = { $place }：已读取 { cli-admin-tables-and-events }，并按规则重走了一遍。
cli-admin-check-in-use = 有棋馆正在使用 { $folder }：只检查数据库，不检查预写日志。要一并检查，请先停下棋馆。
cli-admin-found = { $folder } 中有 { $count } 处损坏。请先把整个文件夹复制一份，再用 `qiguan admin restore FILE --data DIR` 恢复备份；也可以照常开馆，其他棋桌不受影响。
cli-admin-backed-up = 已写好 { $place }：{ cli-admin-tables-and-events }。
cli-admin-file-is-there = { $file } 已经存在，没有改动。请给备份另取一个名字。
cli-admin-no-folder = 没有文件夹 { $folder }，备份无处可写。请先建好它。
cli-admin-no-backup = 没有文件 { $file }。请给出 `qiguan admin backup` 写的备份。
cli-admin-bad-backup = { $file } 不是完好的备份：{ $what }（{ $place }）。什么都没有改动。请换一份用 `qiguan admin backup` 写的备份。
cli-admin-not-empty = { $folder } 不是空的，什么都没有改动。请恢复到空的或新的文件夹；或加上 --replace，原有的数据会移到一旁。
cli-admin-restored = 备份已放进 { $place }：{ cli-admin-tables-and-events }。开馆时请用 --data { $place }。
cli-admin-in-use = 有棋馆正在使用 { $folder } 里的数据。请先停下它。
cli-admin-no-data = { $folder } 里没有棋馆的数据。请用 --data 指明文件夹。
cli-admin-no-table = { $folder } 里没有棋桌 { $table }。编号是棋桌链接的最后一段。
cli-admin-no-strikes = 棋桌 { $table } 没有需要清除的故障记录。
cli-admin-pardoned = 下次开馆时，棋桌 { $table } 会重新开放。
cli-admin-rebuilt = { $folder }：保存了 { $games } 盘对局；缺少 { $made } 行，错误 { $mended } 行，多余 { $deleted } 行；{ $ratings } 项等级分或其变化有误，{ $deadlines } 个慢棋时限有误。现在都与日志一致。
cli-admin-ratings = { $folder }：{ $ratings } 项等级分或其变化与对局不符。现在都已改正。
cli-admin-accepted = 又可以用 { $folder } 开馆了。丢失的已无法找回；`qiguan admin check` 会说明哪些棋桌仍有损坏。
cli-data-damaged = { $folder } 里的数据已损坏：{ $what }（{ $place }）。请先把整个文件夹复制一份。`qiguan admin check --data { $folder }` 说明哪里损坏，`qiguan admin restore FILE --replace --data { $folder }` 用备份替换，`qiguan admin accept-damage --data { $folder }` 用剩下的数据继续。
cli-data-in-use = 使用 { $folder } 的棋馆因磁盘已满而只能读取，独占着数据库。请腾出空间或停下棋馆，然后再试。
cli-data-disk-full = { $folder } 所在的磁盘已满。请腾出空间后再试。
cli-data-newer = { $folder } 里的数据来自更新版本的程序（结构版本 { $version }）。请用那个版本开馆，或用 --data 指明另一个文件夹。
cli-data-failed = 无法使用 { $folder } 里的数据：{ $why }

# qiguan perft
cli-perft-late = 数到深度 { $depth } 已超过 { $seconds } 秒，中止。请减小深度，用 --threads 增加线程，或用 --seconds 放宽时间（0 表示不限）。

problem-file-is-there = { $file } 已经存在，保持原样。要覆盖请加 --force，或换一个文件名。
cli-convert-kept = 第 { $number } 局，只保留到此处之前：{ $problem }
cli-convert-cut = { $read } 局中有 { $cut } 局只保留到不可能的着法之前；其余完整。
cli-convert-lost = 格式 { $format } 存不下全部内容；略去的有（括号内为对局数）：{ $parts }。
cli-convert-guessed = 文件不是 UTF-8，按其文字的样子读作 { $encoding }。
cli-admin-no-account = { $folder } 里没有名为“{ $name }”的账号。
cli-admin-no-socket = 棋馆正在使用 { $folder } 中的数据，而其中的套接字无法应答：{ $why }。请先停止它，或用此版本重新启动。
cli-admin-banned = 已限制 { $who }，为期 { $days } 天。
cli-admin-range-wide = { $range } 是很大的地址段，什么都没有改动。确要封禁，请加 --wide。
cli-admin-unbanned = 已解除对 { $who } 的限制。
cli-admin-no-ban-of = 没有恰好针对 { $range } 的封禁。`qiguan admin bans` 列出现有的封禁。
cli-admin-decided = 已作出处理。
cli-admin-uninvited = 该邀请已失效。
cli-admin-registration = 已决定谁可以来。
cli-admin-announced = 已发布。
cli-admin-withdrawn = 已撤下。
cli-admin-taken-down = 棋图 { $map } 已下架。
cli-admin-put-back = 棋图 { $map } 已恢复。
cli-admin-role-changed = 已更改 { $name } 的职务。
cli-admin-forgotten = { $name } 已注销。棋馆下次启动时会让未完的棋局认输，并从记录中去掉这个名称。
cli-admin-exported = 已写出关于 { $name } 的全部数据。
cli-admin-found-in-database = 数据库中有 { $count } 处损坏。请先用 `pg_dump` 复制一份，再恢复 PostgreSQL 的备份；也可以照常开馆，其他棋桌不受影响。
cli-admin-move-where = 请指明移到哪里：--store postgres://user:password@host:5432/database，须是用 `createdb` 新建的空数据库。
cli-admin-move-written = { $table }：已写入 { $rows } 行，共 { $of } 行
cli-admin-move-compared = 已重读 { $tables } 张棋桌，共 { $of } 张
cli-admin-moved = { $folder } 里的全部数据已移入数据库：共 { $rows } 行、{ $tables } 张棋桌，逐桌重读无误。请用 --store 开馆；原文件夹没有改动，但不应再用它开馆。
# 自行提供 https 的棋馆的证书（`qiguan serve --tls-cert FILE --tls-key FILE`）。
problem-tls-unreadable = 无法读取 { $file }：{ $reason }。
problem-tls-no-certificate = { $file } 里没有证书。请用 --tls-cert 指定含证书及其证书链的 PEM 文件，通常名为 fullchain.pem。
problem-tls-no-key = { $file } 里没有私钥。请用 --tls-key 指定该证书的私钥的 PEM 文件，不要加密码。
problem-tls-mismatch = { $file } 里的证书与 { $key } 里的私钥不能一起使用：{ $reason }。
problem-bus-unknown = --bus { $bus }：没有这种总线。请写 local、postgres 或 nats://host:4222。
problem-bus-without-database = --bus postgres 通过 --store postgres://… 的数据库通信，请同时指明数据库。
problem-bus-database-silent = --bus postgres：--store 的数据库没有应答（{ $why }）。它在运行吗？
problem-bus-silent = --bus { $place }：那里没有 NATS 服务器应答（{ $why }）。它在运行吗？主机和端口对吗？
problem-bus-wants-credentials = --bus { $place }：没有凭证，服务器不让任何人进。请用 --bus-creds 指明一个写有 user:password 或令牌的文件，或写成 nats://user:password@host:4222。
problem-bus-wrong-credentials = --bus { $place }：服务器不接受这个密码、令牌或密钥。请把 --bus-creds 或 @ 前面的内容与服务器的设置对照。
problem-bus-tls-failed = --bus { $place }：没能建立加密连接（{ $why }）。服务器支持 TLS 吗？它的证书是给这个主机的吗？--bus-ca 指的是签发者的证书吗？服务器要求证书时，请用 --bus-cert 和 --bus-key 指明。
problem-bus-keys-damaged = 数据库里总线的密钥无法读取。请在没有节点运行时新建：qiguan admin bus-key --new-name。
problem-bus-file-unreadable = 文件 { $path } 不能用于总线：{ $why }。
problem-tls-public-url = 用了 --tls-cert，棋馆只提供 https，但 --public-url 是 { $url }。请改成以 https:// 开头的地址。
# 所访问的棋馆的证书（`qiguan play --hall https://…`）。
problem-hall-not-trusted = 棋馆的证书不被信任：{ $reason }。如果这是俱乐部自己的证书，请用 --ca FILE 指定签发它的证书。
problem-ca-unreadable = 无法读取 { $file }：{ $reason }。
problem-ca-no-certificate = { $file } 里没有证书。请用 --ca 指定含棋馆证书或其签发者证书的 PEM 文件。

# qiguan map test, qiguan map watch
cli-case-fine = 通过：{ $name }
cli-case-wrong = 不符：{ $name }
cli-cases = { $place }：{ $all } 个用例中 { $fine } 个符合。
cli-cases-none = { $place } 旁边没有用例。请写进 { $file }；写法见 docs/maps.md。
cli-watching = 正在看着 { $folder }：地图、扩展或用例一保存就检查。Ctrl-C 结束。
cli-watched = { $place } 没有问题：{ $games } 局随机对局，中位数 { $plies } 步。
problem-cases-file = 用例读不懂：{ $text }
problem-cases-too-large = 用例或其前的着法太多，最多 { $most }。
problem-cases-missing = 应当能走却不能走：{ $moves }
problem-cases-extra = 不应能走却能走：{ $moves }
problem-cases-ends = 对局应为“{ $wanted }”，实为“{ $found }”。
problem-cases-reaches = 局面应为 { $wanted }，实为 { $found }。
problem-cases-unplayed = 第 { $ply } 步 { $move } 走不了：{ $why ->
        [illegal] 不是合法着法
       *[other] 对局已经结束（{ $why }）
    }。
problem-map-folder = { $folder } 里没有地图：需要一个 .xlsx 文件，或每个名字一个。
cli-puzzles-so-far = 已看 { $games } 盘棋，新得 { $puzzles } 题
cli-puzzles-made = 看了 { $games } 盘棋（{ $refused } 盘无法复盘），新得 { $puzzles } 题。
cli-fit-games = 已下 { $games } 盘
cli-fit-loss = 第 { $round } 轮：留出损失 { $loss }
cli-fit-found = 留出损失：通用权重 { $before }，拟合权重 { $after }。
cli-fit-match = { $pairs } 对：拟合权重得 { $points } %，对数似然比 { $ratio }（±2.94 即有结论）
cli-fit-kept = 拟合权重获胜，已保存：{ $file }。以 MAP.weights 为名放在地图旁边，引擎即按它行棋。
cli-fit-not-kept = 拟合权重未能胜过通用权重，不予保留。

# 参数有误时的说明，以及帮助后面的内容
help-examples = 示例：
help-status = 退出码：0 完成；1 未完成或未全部完成；2 参数有误；130 被 Ctrl-C 中断，143 被 SIGTERM 结束。
usage-is = 用法：{ $usage }
usage-meant = 你是否想写 { $meant }？
usage-no-value = { $arg } 需要一个值。
usage-invalid-value = { $arg } 不能是“{ $value }”；可以是：{ $valid }。
usage-validation = { $arg } 不能是“{ $value }”：
usage-unknown = 这里没有参数 { $arg }。
usage-missing = 缺少：{ $arg }。必须给出。
usage-no-command = 没有命令“{ $command }”。
usage-conflict = { $arg } 与 { $other } 不能同时使用。
usage-too-many = “{ $value }”对 { $arg } 来说多余了。
usage-too-few = { $arg } 需要更多的值。
usage-not-utf8 = 有参数不是 UTF-8 文本。
usage-write-address = 请写带端口的地址，例如 127.0.0.1:8080、localhost:8080 或 :8080。
usage-write-guest = 请写 1 到 40 个字母、数字、- 或 _。
usage-write-rate = 请写每秒步数，从 0.001 到 1000000。
usage-write-day = 请写日期，例如 2026-11-21，也可只写月或年。
usage-write-clock = 请写秒数，例如 10+0.1。
usage-write-adjudicate = 请写 SCORE,PLIES（分数与步数），例如 1000cp,6。
usage-write-sprt = 请写 LOW,HIGH（下界与上界）或 LOW,HIGH,norm，例如 0,5,norm。
usage-write-url = 请写 https://hall.example；棋馆在某个路径下时写 https://club.example/games/。
usage-write-option = 请写 名称=数值（整数），例如 size=15。

# qiguan serve
problem-hall-folder-unusable = 无法使用文件夹 { $folder }：{ $why }
problem-hall-folder-in-use = 另一个棋馆正在使用 { $folder } 里的数据。请先停下它，或用 --data 另选文件夹。
problem-hall-address = 无法监听 { $address }：{ $why }。请用 --listen 另选地址，端口 0 取任意空闲端口。
problem-hall-database = 无法使用数据库：{ $why }
help-status-serve = 退出码：0 由 Ctrl-C 或 SIGTERM 正常关门；1 系统或棋馆所需的服务拒绝了某事；2 参数或设置有误；3 地址无法监听；4 数据文件夹或数据库无法使用；5 因数据损坏或棋桌已由其他节点接管而自行关门。

# qiguan solve
cli-solve-odd = --board { $board }：棋盘的列数须为偶数。
cli-solve-memory = 这需要 { $needed } GB 内存，而空闲的只有 { $free } GB。较小的 --box 或 --board 需要得少些。
cli-solve-begins = { $board }x{ $board }，{ $stones } 枚棋子：{ $formations } 种阵形，除去对称为 { $originals } 种，对 { $sets } 个集合
cli-solve-round = 第 { $round } 轮：{ $fallen } 个局面不再安全；{ $seconds } 秒
cli-solve-verdict = { $side ->
        [black] 从开局起，先走的黑方
       *[white] 从开局起，白方
    }{ $verdict ->
        [never] 永远没有必胜。
        [within] 在 { $turns } 回合内没有必胜。
       *[open] 可能有必胜：这种守法守不住。
    }
cli-solve-written = 已写入 { $file }。
cli-solve-unsaid = 文件没有说{ $side ->
        [black] 黑方
       *[white] 白方
    }从开局起是安全的。
cli-solve-white = 白方守，从开局起的每一回合：{ $positions } 个局面，{ $turns } 个回合，都有应对；{ $seconds } 秒
cli-solve-black = 黑方守，从开局起的每一回合：{ $positions } 个局面，{ $turns } 个回合，都有应对；{ $seconds } 秒
cli-solve-games = 随机对局：{ $positions } 个局面，{ $turns } 个回合，都有应对；{ $seconds } 秒
cli-solve-anywhere = 随机局面中的每一回合：{ $positions } 个局面，{ $turns } 个回合，都有应对；{ $seconds } 秒
cli-solve-hole = 文件有误：{ $before } 被称为安全，但走到 { $after } 的一回合没有应对。

# qiguan load
cli-load-connections = 连接      { $count }
cli-load-memory = 棋馆内存  之前 { $before } MB，连上后 { $with } MB：每个连接 { $each } kB
cli-load-moves = 着法      { $seconds } 秒 { $moves } 着：每秒 { $rate } 着
cli-load-wait = 等待      p50 { $p50 } ms  p90 { $p90 } ms  p99 { $p99 } ms  最长 { $max } ms
cli-load-bytes = 传输      每着 { $bytes } 字节，双方合计
cli-load-watchers = 观众      { $watchers } 名观众收到 { $count } 条消息：p50 { $p50 } ms  p99 { $p99 } ms  最长 { $max } ms
cli-load-profiles = 个人页    查看 { $count } 次：p50 { $p50 } ms  p99 { $p99 } ms  最长 { $max } ms
cli-load-recorded = 得到确认 { $acknowledged }  被拒绝 { $refused }  没有回答 { $unanswered }  最长等待 { $longest } ms
cli-load-line = { $file } 第 { $line } 行：{ $why }
cli-load-nothing = { $file }：没有任何着法得到确认，所以没有可核对的；棋馆开了吗，有人下棋吗？
cli-load-made = { $accounts } 个账号（Sample0 到 Sample{ $last }），{ $games } 局，{ $sleeping } 局慢棋
cli-load-lost = 棋馆没有回答：{ $why }
cli-load-refused = 棋馆拒绝了：{ $why }
cli-load-strange = 棋馆的回答无法理解：{ $why }
cli-load-differs = 得到确认的与存下的不一致。
cli-load-there = { $folder }：那里已有一个棋馆。请另取一个新文件夹。

# qiguan worker
cli-worker-known = { $hall } 认得这个思考机，名为 { $name }。它用 { $cores } 个核心思考。按 Ctrl-C 结束。
cli-worker-lost = { $hall } 没有回应（{ $why }）。{ $seconds } 秒后再问，此后间隔越来越长。
cli-worker-refused = { $hall } 不给任务：{ $why }{ $seconds } 秒后再问，此后间隔越来越长。
cli-worker-back = { $hall } 又有回应了。
cli-worker-ends = 正在结束：已开始的任务会在 10 秒内做完或交还。再按一次 Ctrl-C 立即结束。
cli-worker-ended = 已回答 { $answered } 项，交还 { $back } 项。
cli-worker-no-key = 没有密钥。在棋馆用 `qiguan admin worker-key add` 生成一个；放入变量 QIGUAN_WORKER_TOKEN，或用 --token-file 指明存放它的文件。
cli-worker-odd-key = 这不是思考机的密钥：应为 qw_ 加 32 个字母，与 `qiguan admin worker-key add` 的输出一致。
cli-worker-key-made = { $name } 的密钥：{ $id }，用于 { $scopes }。只在此刻显示；棋馆只保存其散列值。
cli-worker-key-aside = ，已停用：{ $why }
help-status-worker = 退出码：0 由 Ctrl-C 或 SIGTERM 正常结束；1 某项选项无法照办；2 参数有误；6 棋馆不认识这个密钥。
problem-worker-key-unknown = 棋馆不认识这个思考机的密钥：它已被移除，或属于别的棋馆。棋馆的管理者可用 `qiguan admin worker-key add` 生成一个。
problem-worker-key-aside = 这个思考机的密钥因回答有误（{ $why }）而停用。棋馆的管理者可用 `qiguan admin worker-key restore` 恢复。
problem-worker-key-name = 思考机密钥的名称须为 1 到 { $limit } 个可见的字符。
problem-worker-key-unknown-id = 没有这个编号的思考机密钥。`qiguan admin worker-key list` 可列出全部。
problem-worker-keys-full = 已有 { $limit } 个思考机密钥。请移除一个不用的。
problem-worker-scope-unknown = 思考机没有“{ $scope }”这个用途。可用的有：{ $known }。
problem-worker-version = 思考机的版本是 { $worker }，棋馆是 { $hall }。请安装棋馆的版本。
problem-worker-weights = 思考机评估 { $families } 所用的权重与棋馆不同。请安装棋馆运行的同一个程序。
problem-no-such-weights = 棋馆没有这个散列值的棋图权重。
problem-worker-gone = 已经没有人等这次思考了。
problem-work-digest = 这些着法在这里走到的局面与棋馆的不同。两边版本一致吗？
problem-search-stopped = 思考已停止。

# 扩展接口页：`qiguan map api`。
api-title = 地图的扩展
api-about = 扩展是地图旁边的 Python 文件，可以禁止走法、增加走法、在走棋之后做事。格是一对 `(row, col)`（行、列），从 0 数起；地图表格里从 1 数起。本页由 `qiguan map api` 根据编辑器补全用的同一张表生成。
api-name = 名称
api-meaning = 含义
api-hooks = 文件里定义什么
api-hooks-about = 每局开始时运行一次文件。EX_NAME 必须有，其余按需要。
api-jbq = 棋盘：JBQ
api-jbq-about = 函数看得见 JBQ（也叫 API）和 Python 内置的名字。扩展可以在上面存自己的值：JBQ.counter = 0。
api-chess = 棋子
api-chess-about = check_can_go 的第二个参数是棋子；JBQ.get_chess_by_arr 得到棋子或 None。
api-hooks-second = 第 2 级地图的文件还可以定义什么
api-hooks-second-about = 这样的文件是普通模块：函数看得见文件里定义的名字。这些函数和 check_can_go 只是被问，所作的改变不保留。第 2 级中 check_can_go 的每一组只有一格；停一手和交换时不调用 after_move。
api-jbq-second = 第 2 级 JBQ 还有什么
api-jbq-second-about = 第 1 级的 JBQ 没有这些。不在棋盘上的格引发 IndexError。第 2 级的棋子没有 move、tran_move、tran_con、now_move。送吃首领的走法（禁送）只按表格判断。
api-example = 一个完整的扩展
api-traps = 常见的坑
api-trap-names = **函数看不见文件里在函数外定义的东西**，无论函数、值还是导入的模块。请定义在函数里面，或都写成类的方法（`game = Game()`，`check_can_go = game.check_can_go`），或存成 `JBQ.名称`。
api-trap-return = **check_can_go 的每条路径都要以 `return can_go` 结束。** None 不是格的列表；没有可去的格写 `return []`。
api-trap-groups = **格要放在组里**：`[[(0, 1)], [(2, 3), (2, 4)]]`。多一个格是 `can_go.append([(row, col)])`。
api-trap-zero = **行列从 0 数起**：最后一行是 `JBQ.rl - 1`。只有工作簿里的行列、棋子编号和方向从 1 数起。
api-trap-none = **格可能是空的**：这时 `JBQ.get_chess_by_arr` 和 `JBQ.get_arr_by_rd` 得到 None。在 after_move 里第一个格是空的，棋子已经离开。
api-trap-asked = **check_can_go 和位置函数只是被询问**，有人看棋盘或引擎搜索时会问很多次，其中的改动会被忘掉。要做的事请写在 after_move 里。
api-trap-data = **JBQ.map_data 只供读取。** 改它的棋盘不会生效，请用 JBQ.add_chess、JBQ.move 或棋子的成员。
api-trap-random = **随机数要在 after_move 里抽。** `import random` 写在抽数的函数里面。
api-trap-keys = **符号用英文的**：`, : ( ) "`，不是 `， ： （ ） “`。`=` 是赋值，`==` 是比较；Python 写 `elif`、`True`、`None`。
api-limits = 限制
api-limits-about = 一次调用最多 { $call_ms } 毫秒处理器时间，一步棋 { $ply_s } 秒，一局 { $memory_mib } MiB，函数互相调用最多 { $depth } 层。可以导入 `math` 和 `random`；没有文件、网络和时钟。`qiguan map check 地图 --extension 文件` 在运行之前指出错误，再下 { $games } 局，告诉哪里出错；`qiguan play 地图 --extension 文件 --debug` 显示打印的内容。
cli-competition-lines = 以下代码的行会保留，但不参与计算：{ $codes }
cli-competition-read = { $entrants } 名参赛者，{ $rounds } 轮。文件没有自相矛盾之处。
cli-competition-compared = 第 { $round } 轮：{ $boards } 台中，本馆的瑞士制有 { $pairs } 台对阵相同，其中 { $seats } 台先后手也相同
