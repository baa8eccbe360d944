EX_NAME = "斗兽棋 / Jungle"
EX_VERSION = "1.0"

HELP = """
走进对方兽穴即获胜；对方无子可动也获胜。每次横走或直走一格，吃同级或更低的兽：象、狮、虎、豹、狼、狗、猫、鼠，依次降低。
鼠能吃象，象不能吃鼠。只有鼠能下水；水里的鼠只能吃水里的鼠，也只会被水里的鼠吃掉。狮和虎可以直线跳过河面，河里有鼠挡住时不能跳。
进了对方陷阱的兽谁都能吃。自己的兽穴不能进。连续 100 步没有吃子则和棋。

Whoever enters the enemy's den wins, and so does whoever leaves the enemy without a move. An animal goes one square along
a row or a column and takes what ranks as high or lower: elephant, lion, tiger, leopard, wolf, dog, cat, rat.
But the rat takes the elephant, and the elephant no rat. Only the rat swims; between water and land nothing is taken. Lion
and tiger leap straight over water unless a rat is in the way. Whoever stands in a trap of the other side may be taken
by anything. Nobody enters their own den. After 100 moves in a row without taking the game is drawn.
"""


class Jungle:
    def __init__(self):
        self.animals = 16
        self.quiet = 0

    # The ground: pieces hide it, so it is told by rows and columns, which count from 0.

    def water(self, arr):
        return 3 <= arr[0] <= 5 and arr[1] in (1, 2, 4, 5)

    def den(self, side):
        return (8, 3) if side == 1 else (0, 3)

    def trap(self, arr, side):
        den = self.den(side)
        return abs(arr[0] - den[0]) + abs(arr[1] - den[1]) == 1

    def animal(self, arr):
        chess = JBQ.get_chess_by_arr(arr)
        return chess if chess and chess.belong != 3 else None

    def takes(self, chess, arr, to):
        other = self.animal(to)
        if other is None:
            return True
        if not JBQ.can_eat(chess, other) or self.water(arr) != self.water(to):
            return False
        if self.trap(to, chess.belong):
            return True
        mine = chess.attr["rank"]
        theirs = other.attr["rank"]
        if mine == 1 and theirs == 8:
            return True
        return mine >= theirs and not (mine == 8 and theirs == 1)

    def goes(self, chess, arr):
        groups = []
        rank = chess.attr["rank"]
        for d in (2, 4, 5, 7):
            to = JBQ.get_arr_by_rd(arr, d, 1)
            if rank in (6, 7):
                # Tiger and lion: as far as there is free water.
                while to and self.water(to) and self.animal(to) is None:
                    to = JBQ.get_arr_by_rd(to, d, 1)
            if to is None or to == self.den(chess.belong) or (self.water(to) and rank != 1):
                continue
            if self.takes(chess, arr, to):
                groups.append([to])
        return groups

    def check_can_go(self, can_go, chess, arr):
        return [] if chess.belong == 3 else self.goes(chess, arr)

    def after_move(self, arr1, arr2):
        # What an animal stood on shows again.
        if self.water(arr1):
            JBQ.add_chess(17, arr1)
        elif self.trap(arr1, 1) or self.trap(arr1, 2):
            JBQ.add_chess(18, arr1)
        other = 3 - JBQ.turn
        if arr2 == self.den(other):
            JBQ.win(JBQ.turn)
            return
        squares = [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]
        left = [(self.animal(square), square) for square in squares]
        left = [(chess, square) for chess, square in left if chess]
        self.quiet += 1
        if len(left) < self.animals:
            self.animals = len(left)
            self.quiet = 0
        if not any(chess.belong == other and self.goes(chess, square) for chess, square in left):
            JBQ.win(JBQ.turn)
        elif self.quiet >= 100:
            JBQ.stalemate()


game = Jungle()
check_can_go = game.check_can_go
after_move = game.after_move
