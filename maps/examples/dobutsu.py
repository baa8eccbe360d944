EX_NAME = "动物将棋 / Dobutsu Shogi"
EX_VERSION = "1.0"

HELP = """
两堵墙之间是 3×4 的棋盘。狮走八方，鹿（长颈鹿）走直，象走斜，雏向前走，都是一格。吃到的棋子归自己，放在墙外自己的一侧；
轮到时可以不走棋，而把其中一枚放到棋盘上任意空格。雏从棋盘上走到对方底线变成鸡，除了斜后方都能走；被吃后又是雏，放在底线上的雏不变。
吃掉对方的狮获胜；自己的狮走到对方底线而且不会马上被吃，也获胜。同一局面第三次出现则和棋。

The board of 3 by 4 squares lies between the walls. The lion goes one square in all directions, the giraffe (鹿) along rows
and columns, the elephant (象) diagonally, the chick (雏) forward. What you take is yours and waits outside the wall on your
side; instead of a move you may put one such piece on any vacant square of the board. A chick that walks to the far row
becomes a hen (鸡), which goes everywhere but diagonally backwards; taken, it is a chick again, and so is one put on that row.
Whoever takes the lion wins, and so does a lion that reaches the far row where nothing can take it at once. A position that
comes a third time is a draw.
"""


class Dobutsu:
    # Numbers of the table: red's lion, giraffe, elephant and chick are 1 to 4, blue's 5 to 8.
    def __init__(self):
        self.seen = {}

    def on_board(self, arr):
        return 3 <= arr[1] <= 5

    def squares(self, cols):
        return [(row, col) for row in range(JBQ.rl) for col in cols]

    def pieces(self):
        found = [(JBQ.get_chess_by_arr(square), square) for square in self.squares(range(JBQ.cl))]
        return [(chess, square) for chess, square in found if chess and chess.belong != 3]

    def check_can_go(self, can_go, chess, arr):
        if chess.belong == 3 or self.on_board(arr):
            return can_go
        return [[square] for square in self.squares((3, 4, 5)) if JBQ.get_chess_by_arr(square) is None]

    def after_move(self, arr1, arr2):
        side = JBQ.turn
        far_row = 0 if side == 1 else JBQ.rl - 1
        self.take_up(side)
        chess = JBQ.get_chess_by_arr(arr2)
        if arr2[0] == far_row and self.on_board(arr1):
            if chess.id in (4, 8) and not chess.is_tran:
                chess.is_tran = True
                chess.name = "鸡"
            if chess.id in (1, 5) and not self.attacked(arr2, 3 - side):
                JBQ.win(side)
                return
        self.repeated()

    def take_up(self, side):
        # Each animal is there twice; of the one that was taken only one is left.
        count = {2: 0, 3: 0, 4: 0}
        for chess, square in self.pieces():
            kind = (chess.id - 1) % 4 + 1
            if kind in count:
                count[kind] += 1
        for kind in count:
            if count[kind] == 1:
                for square in self.beside_board(side):
                    if JBQ.get_chess_by_arr(square) is None:
                        JBQ.add_chess(kind if side == 1 else kind + 4, square)
                        return

    def beside_board(self, side):
        # Blue's side from the top, red's from the bottom.
        return self.squares((0, 1)) if side == 2 else self.squares((7, 8))[::-1]

    def attacked(self, arr, side):
        for chess, square in self.pieces():
            if chess.belong == side and self.on_board(square):
                for d in chess.now_move[0]:
                    if JBQ.get_arr_by_rd(square, d, 1) == arr:
                        return True
        return False

    def repeated(self):
        # What waits beside the board counts by its kinds, wherever it lies.
        words = []
        for chess, square in self.pieces():
            place = str(square) if self.on_board(square) else "hand"
            words.append(place + chess.name + str(chess.belong))
        words.sort()
        position = str(JBQ.turn) + "".join(words)
        self.seen[position] = self.seen.get(position, 0) + 1
        if self.seen[position] == 3:
            JBQ.stalemate()


game = Dobutsu()
check_can_go = game.check_can_go
after_move = game.after_move
