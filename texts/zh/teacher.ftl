# 老师：运行之前在扩展里发现的错误。
problem-map-full-width = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”是中文（全角）符号，Python 不认识。请切换到英文输入法，改写成“{ $near }”。（{ $text }）
problem-map-bad-character = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”是 Python 不认识的字符。请删去，或写进引号里。（{ $text }）
problem-map-string-not-closed = { $place } 第 { $line } 行第 { $column } 列：从这里的 { $found } 开始的文字没有结束，请在末尾写上同样的引号。（{ $text }）
problem-map-bracket-not-closed = { $place } 第 { $line } 行第 { $column } 列：这个括号“{ $found }”没有配对的右括号。（{ $text }）
problem-map-brackets-differ = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”没有配对的左括号{ $has ->
        [near] ，前面打开的是“{ $near }”。
       *[none] 。
    }（{ $text }）
problem-map-no-colon = { $place } 第 { $line } 行第 { $column } 列：以“{ $found }”开头的行要以英文冒号“:”结尾。（{ $text }）
problem-map-one-equals = { $place } 第 { $line } 行第 { $column } 列：一个等号“=”是赋值，比较要用两个等号“==”。（{ $text }）
problem-map-else-if = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”在 Python 里写成一个词“elif”。（{ $text }）
problem-map-not-python = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”不是 Python 的写法，Python 写作“{ $near }”。（{ $text }）
problem-map-indentation = { $place } 第 { $line } 行第 { $column } 列：{ $near ->
        [missing] 上一行以冒号结尾，属于它的行要缩进：请在本行前面加四个空格。
        [unexpected] 本行缩进得比上一行多，而上一行末尾没有冒号。请去掉多余的空格。
        [tabs] 行首混用了制表符和空格。请一律用四个空格。
       *[unmatched] 本行的缩进与上面任何一行都对不上。请让它与所属的行对齐。
    }（{ $text }）
problem-map-syntax = { $place } 第 { $line } 行第 { $column } 列：Python 读不懂“{ $found }”这里{ $near ->
        [comma] ，前面也许缺一个逗号。
       *[other] 。
    }（{ $text }）
problem-map-no-hook = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”不会被用到。是不是想写“{ $near }”？
problem-map-no-hooks = { $place } 第 { $line } 行第 { $column } 列：文件里没有定义 check_can_go、after_move 或 loc_rules，对局不会有任何变化。
problem-map-never-called = { $place } 第 { $line } 行第 { $column } 列：没有地方调用函数“{ $found }”。对局只会调用 check_can_go、after_move 和 loc_rules 里的函数。
problem-map-defined-twice = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”在第 { $near } 行又定义了一次，只有最后一个有效。
problem-map-hook-arguments = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”的调用方式是 { $near }，参数个数要一样。
problem-map-no-return = { $place } 第 { $line } 行第 { $column } 列：{ $near ->
        [never] “{ $found }”没有返回值。请在末尾写“return can_go”。
        [bare] “{ $found }”的这个 return 没有返回值。请写“return can_go”；没有可去的格则写“return []”。
        [place] “{ $found }”没有返回值，这个位置条件永远不成立。请返回 True 或 False。
       *[some] “{ $found }”可能走到结尾而没有 return，得到的 None 不是格的列表。请在末尾补上“return can_go”。
    }
problem-map-not-groups = { $place } 第 { $line } 行第 { $column } 列：{ $near ->
        [square] “{ $found }”：格要放在组里，请再加一层方括号：[(行, 列)]。
        [division] “{ $found }”：行和列要是整数，请用 // 相除，不要用 /。
        [list] “{ $found }”：格要用圆括号写成 (行, 列)。
       *[other] “{ $found }”不是分组的格，应如 [[(0, 1)], [(2, 3)]]。
    }
problem-map-top-level-name = { $place } 第 { $line } 行第 { $column } 列：函数看不见文件顶层的“{ $found }”，只看得见 JBQ 和内置的名字。{ $near ->
        [function] 请把它定义在函数里面，或把两个函数都写成类的方法：self.{ $found }(…)。
        [module] 请在函数里面导入。
        [class] 请定义在函数里面，或写 JBQ.{ $found } = { $found } 保存起来。
       *[value] 请移到函数里面，或保存成 JBQ.{ $found }。
    }
problem-map-unknown-name = { $place } 第 { $line } 行第 { $column } 列：{ $found ->
        [open] 扩展不能读写文件，没有 open。
        [input] 扩展不能向人提问，没有 input。
       *[other] “{ $found }”没有定义。
    }{ $has ->
        [near] 是不是想写“{ $near }”？
       *[none] {""}
    }
problem-map-unknown-member = { $place } 第 { $line } 行第 { $column } 列：JBQ 没有“{ $found }”。{ $has ->
        [near] 是不是想写“{ $near }”？
       *[none] {""}
    }
problem-map-unknown-piece-member = { $place } 第 { $line } 行第 { $column } 列：棋子没有成员“{ $found }”；地图里写的属性要用 chess.attr["…"]。{ $has ->
        [near] 是不是想写“{ $near }”？
       *[none] {""}
    }
problem-map-unknown-attribute = { $place } 第 { $line } 行第 { $column } 列：地图里没有一枚棋子有属性“{ $found }”：属性是 chesses 第 1 行 H 列起的标题。{ $has ->
        [near] 是不是想写“{ $near }”？
       *[none] {""}
    }
problem-map-api-arguments = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”的参数个数与 { $near } 不同。
problem-map-win-who = { $place } 第 { $line } 行第 { $column } 列：JBQ.win 的参数是 1（红方）或 2（蓝方），不是 { $found }；1 以外都算蓝方胜。
problem-map-import = { $place } 第 { $line } 行第 { $column } 列：不能导入“{ $found }”：只有 math 和 random。
problem-map-map-data-written = { $place } 第 { $line } 行第 { $column } 列：JBQ.map_data 只供读取，对“{ $found }”的修改不会生效。请用 JBQ.add_chess、JBQ.move 或修改棋子的成员。
problem-map-changed-while-walked = { $place } 第 { $line } 行第 { $column } 列：循环正在遍历“{ $found }”，中途删除会{ $near ->
        [index] 让后面的下标越界。
       *[other] 漏掉一些。
    }请生成新列表：[x for x in { $found } if …]。
problem-map-random-while-asked = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”：每次查看走法都会抽一次随机数。请在 after_move 里抽，并保存结果。
problem-map-forgotten-while-asked = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”在只被询问的函数里计数，改动会被忘掉。请在 after_move 里计数。
problem-map-unused = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”赋了值，却没有用到。
problem-map-endless-loop = { $place } 第 { $line } 行第 { $column } 列：循环“{ $found }”没有尽头：{ $has ->
        [near] 循环里没有改变“{ $near }”。
       *[none] 里面没有 break，也没有 return。
    }
problem-map-endless-calls = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”总是调用自己，没有尽头。请先在某种情况下 return。
problem-map-off-board = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”不在棋盘上：行列从 0 数起，最后一个是 { $near }。
problem-map-counts-from-zero = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”永远不会相等：行列从 0 数起，最后一个是 { $near }。
problem-map-bad-direction = { $place } 第 { $line } 行第 { $column } 列：{ $found } 不是方向：方向是 1 到 8，从左上到右下。
problem-map-no-such-piece = { $place } 第 { $line } 行第 { $column } 列：没有编号为 { $found } 的棋子：棋子表的编号是 1 到 { $near }。
problem-map-bad-side = { $place } 第 { $line } 行第 { $column } 列：{ $found } 不是归属：1 红，2 蓝{ $near ->
        [turn] 。
       *[belong] ，3 中立。
    }
problem-map-rule-as-text = { $place } 第 { $line } 行第 { $column } 列：“{ $near }”是分节的列表，不是文字：地图里的“1,2;”在这里写成 [[(1,), (2,)], []]。
problem-map-no-effect = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”什么也没做{ $near ->
        [equals] ：赋值用一个等号“=”，“==”只是比较。
        [call] ：调用函数要加括号，{ $found }()。
       *[other] 。
    }
problem-map-returns-none = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”的结果是 None：“{ $near }”直接修改列表。请让它单独成一行。
problem-map-left-square = { $place } 第 { $line } 行第 { $column } 列：“{ $found }”：棋子刚离开“{ $near }”，那里没有棋子。它现在在第二个参数的格上。
problem-map-unreachable = { $place } 第 { $line } 行第 { $column } 列：这里永远不会执行：上面的“{ $found }”已经离开。

# 扩展出错的原因：写在出错信息之后。
fault-explained = { $said }——{ $meaning }
fault-name-near = 这里没有“{ $name }”这个名字；是不是想写“{ $other }”？。
fault-name =
    { $name ->
        [open] 扩展不能读写文件，需要的内容请直接写进扩展。
        [input] 扩展不能向人提问，棋手的选择就是走棋。
        [exit] 结束对局用 JBQ.win 或 JBQ.stalemate。
        [quit] 结束对局用 JBQ.win 或 JBQ.stalemate。
        [true] Python 写作 True。
        [false] Python 写作 False。
        [null] Python 写作 None。
       *[other] 这里没有“{ $name }”这个名字；函数只看得见 JBQ 和内置的名字，看不见文件里函数外定义的名字。
    }
fault-unbound = 用到“{ $name }”时它还没有值：函数里赋过值的名字在整个函数里都是它自己的，先赋值再使用。
fault-not-begun = 加载文件时还没有棋盘：JBQ 只能在 check_can_go、after_move 和位置函数里使用。
fault-none-member = 这里是 None，没有“{ $name }”：空格上没有棋子，盘外没有格，都是 None；先判断“if 棋子:”。
fault-member-near = 没有成员“{ $name }”，是不是想写“{ $other }”？。
fault-api-member = JBQ 没有“{ $name }”；扩展接口页列出了它的全部成员。
fault-piece-member = 棋子没有成员“{ $name }”；地图 H 列起写的属性要写成 chess.attr["{ $name }"]。
fault-member = { $name } 没有成员“{ $other }”。
fault-not-writable = “{ $name }”只能读，不能改。
fault-no-ex-name = 文件里要有 EX_NAME = "扩展的名称"。
fault-key = 字典里没有 { $name } 这个键；用 .get(…) 则得到 None。
fault-pop-empty = 已经空了，没有可以取出的东西。
fault-rule-sections = 走法至少有两节：走一格、走无限格。
fault-index = 没有这个位置：列表和棋盘都从 0 数起，最后一行是 JBQ.rl - 1。
fault-not-in-list = 列表里没有这个值。
fault-not-in-text = 文字里没有要找的内容。
fault-unpack = 等号左边名字的个数与右边值的个数不同。
fault-unpack-one = { $name } 只有一个值，不能拆开赋给几个名字。
fault-no-number = 这段文字不是数字。
fault-stop = 已经没有下一个了。
fault-arguments = 参数个数不对：check_can_go 有三个参数 (can_go, chess, arr)，after_move 有两个 (arr1, arr2)，位置函数有两个 (args, arr)。
fault-keyword = 没有名为“{ $other }”的参数。
fault-none-walked = 应该是列表的地方是 None：check_can_go 如果走到结尾而没有“return can_go”，就会返回 None。
fault-not-walked = 这里要一个列表，不能是 { $name }：check_can_go 要返回分组的格，例如 [[(0, 1)], [(2, 3)]]。
fault-none-indexed = 这里是 None，不能用 […]：例如盘外的格就是 None。
fault-not-indexed = { $name } 不能用 […] 取值。
fault-not-changed = { $name } 里的值不能改；列表可以。
fault-not-called = { $name } 不是函数，后面不能加括号；也许有变量和函数同名。
fault-operands = 这两种值不能用 { $name } 计算：{ $other }
fault-compared = 这两种值不能用 { $name } 比较：{ $other }
fault-joined = 不同种类的值不能用 + 相连；先用 str(…) 变成文字。
fault-indices = 下标要用整数，不能用 { $other }
fault-unhashable = { $name } 不能作字典的键或放进集合；用元组代替列表。
fault-whole = 这里要整数，不能是 { $name }
fault-square = 格是一对 (行, 列)，不能是 { $name }；check_can_go 要返回分组的格：[[(0, 1)], [(2, 3)]]。
fault-square-length = 格是 (行, 列) 两个值，这里有 { $name } 个。
fault-off-board = 这枚棋子不在棋盘上，被吃的棋子没有位置。
fault-places-dictionary = loc_rules 要写成字典：loc_rules = {"{"}"名称": 函数{"}"}
fault-hook-function = “{ $name }”会被调用，要用“def { $name }(…):”定义。
fault-no-piece = 棋子表里没有编号 { $name }，编号从 1 数起。
fault-no-side = 归属不能是 { $name }：1 红，2 蓝，3 中立。
fault-too-many = 数量太多，超过了上限。
fault-zero = 除数是 0。
fault-math = 这个数学函数在这里没有结果。
fault-overflow = 数太大了。
fault-assertion = assert 的条件不成立。
fault-changed = 正在遍历的字典不能增删；先 list(…) 复制一份。
fault-recursion = 函数一层层调用自己没有尽头，或超过 200 层。
fault-memory = 扩展用完了 96 MiB 内存。
fault-module =
    { $name ->
        [typing] 列表、字典、类和 list[int] 这样的注解不用导入。
        [collections] 用字典和列表即可，不用导入。
        [dataclasses] 用普通的类即可。
        [enum] 用普通的数字即可。
        [copy] list(x)、dict(x) 和推导式就是复制。
        [itertools] 请用循环。
        [functools] 请用循环、sorted、min、max。
        [heapq] 请用循环、sorted、min、max。
        [time] 对局里没有时钟。
        [datetime] 对局里没有时钟。
        [numpy] 请用整数、小数和 math。
        [secrets] 请用 random，它由对局的种子开始。
        [re] 请用文字自己的方法，如 split、strip。
        [json] 扩展只有一个文件，值请直接写成 Python。
        [os] 扩展接触不到机器上的任何东西。
        [sys] 扩展接触不到机器上的任何东西。
       *[other] 只能导入 math 和 random。
    }
fault-import-name = 模块 { $other } 里没有“{ $name }”。
fault-not-utf-8 = 请另存为 UTF-8，不要用 ANSI 或 GBK。
fault-return-outside = return 只能写在函数里，比 def 缩进。
fault-break-outside = 它只能写在循环里，比 for 或 while 缩进。
fault-comprehension-as-loop = 这个推导式太复杂，请改写成循环。
fault-before-finally = 请把 finally 里的函数或推导式移到 try 之前。
fault-plain-annotation = 类型注解里不要写函数或推导式。
fault-time-call = 一次调用超过了 { $name } 毫秒的处理器时间：也许循环没有尽头，或一次算得太多。
fault-time-ply = 走一步棋的全部调用合计超过了 { $name } 秒的处理器时间。
fault-time-all = 处理器时间用得太多：也许循环没有尽头。
fault-talks = 打印的内容太多。
fault-stopped = 内存用完了，或向系统要求了扩展不许做的事。
fault-no-worker = 运行扩展的进程无法启动：{ $name }
fault-ended = 运行扩展的进程意外结束：{ $name }
