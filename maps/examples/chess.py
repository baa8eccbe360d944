EX_NAME = "国际象棋 / Chess"
EX_VERSION = "1.0"

HELP = """
国际象棋，红方即白方。将死获胜；无子可动而未被将军、连续 100 步既没有吃子也没有走兵，则和棋。王车易位时走王两格；吃过路兵照常。
兵到底线一律变后：精班棋的一步只有起点和终点，没有地方可以选择变什么。

Chess; red has the white pieces. Checkmate wins. Whoever cannot move without being in check has drawn, and so have both
after 100 moves in a row without a capture or a move of a pawn. To castle, move the king two squares; pawns take in passing.
A pawn on the last row always becomes a queen: a move has only a start and an end here, and nowhere to choose.
"""


class Chess:
    def __init__(self):
        # The square that a pawn has just passed, and moves without a capture or a pawn.
        self.passed = None
        self.standing = 32
        self.quiet = 0

    def piece(self, arr, change):
        # What stands there; a change is a pair of squares, from and to, as if that had been played.
        if change:
            if arr == change[0]:
                return None
            if arr == change[1]:
                return JBQ.get_chess_by_arr(change[0])
        return JBQ.get_chess_by_arr(arr)

    def knight_squares(self, arr):
        found = []
        for straight, slants in ((2, (1, 3)), (4, (1, 6)), (5, (3, 8)), (7, (6, 8))):
            middle = JBQ.get_arr_by_rd(arr, straight, 1)
            if middle:
                found += [JBQ.get_arr_by_rd(middle, slant, 1) for slant in slants]
        return [square for square in found if square]

    def attacked(self, arr, by, change):
        for square in self.knight_squares(arr):
            chess = self.piece(square, change)
            if chess and chess.belong == by and chess.name == "马":
                return True
        # Red's pawns take upwards, so they stand below what they attack.
        pawns = (6, 8) if by == 1 else (1, 3)
        for d in range(1, 9):
            square = JBQ.get_arr_by_rd(arr, d, 1)
            steps = 1
            while square and self.piece(square, change) is None:
                square = JBQ.get_arr_by_rd(square, d, 1)
                steps += 1
            chess = self.piece(square, change) if square else None
            if chess is None or chess.belong != by:
                continue
            line = "车" if d in (2, 4, 5, 7) else "象"
            if chess.name in ("后", line):
                return True
            if steps == 1 and (chess.name == "王" or (chess.name == "兵" and d in pawns)):
                return True
        return False

    def king(self, side):
        for row in range(JBQ.rl):
            for col in range(JBQ.cl):
                chess = JBQ.get_chess_by_arr((row, col))
                if chess and chess.belong == side and chess.is_captain:
                    return (row, col)
        return None

    def pawn_squares(self, chess, arr):
        ahead = -1 if chess.belong == 1 else 1
        home = JBQ.rl - 2 if chess.belong == 1 else 1
        row = arr[0] + ahead
        if row < 0 or row >= JBQ.rl:
            return []
        found = []
        if JBQ.get_chess_by_arr((row, arr[1])) is None:
            found.append((row, arr[1]))
            if arr[0] == home and JBQ.get_chess_by_arr((row + ahead, arr[1])) is None:
                found.append((row + ahead, arr[1]))
        for col in (arr[1] - 1, arr[1] + 1):
            if 0 <= col < JBQ.cl:
                other = JBQ.get_chess_by_arr((row, col))
                if (other and JBQ.can_eat(chess, other)) or (row, col) == self.passed:
                    found.append((row, col))
        return found

    def castling(self, chess, arr):
        home = JBQ.rl - 1 if chess.belong == 1 else 0
        enemy = 3 - chess.belong
        if arr != (home, 4) or chess.attr.get("moved") or self.attacked(arr, enemy, None):
            return []
        found = []
        for corner, between, step, to in ((7, (5, 6), 5, 6), (0, (1, 2, 3), 3, 2)):
            rook = JBQ.get_chess_by_arr((home, corner))
            if rook is None or rook.name != "车" or rook.belong != chess.belong or rook.attr.get("moved"):
                continue
            free = all(JBQ.get_chess_by_arr((home, col)) is None for col in between)
            if free and not self.attacked((home, step), enemy, None):
                found.append((home, to))
        return found

    def goes(self, chess, arr, can_go, king):
        # The squares where the own king is not left in check.
        if chess.name == "兵":
            squares = self.pawn_squares(chess, arr)
        elif chess.name == "马":
            others = [(JBQ.get_chess_by_arr(square), square) for square in self.knight_squares(arr)]
            squares = [square for other, square in others if other is None or JBQ.can_eat(chess, other)]
        else:
            squares = [group[-1] for group in can_go]
        if chess.name == "王":
            squares += self.castling(chess, arr)
        enemy = 3 - chess.belong
        found = []
        for square in squares:
            at = square if chess.is_captain else king
            if at is None or not self.attacked(at, enemy, (arr, square)):
                found.append(square)
        return found

    def check_can_go(self, can_go, chess, arr):
        king = self.king(chess.belong)
        return [[square] for square in self.goes(chess, arr, can_go, king)]

    def reach(self, chess, arr):
        # The groups of squares that the map allows, as check_can_go gets them.
        groups = []
        sections = chess.now_move
        for section in (0, 1):
            for d in sections[section]:
                square = JBQ.get_arr_by_rd(arr, d, 1)
                while square:
                    other = JBQ.get_chess_by_arr(square)
                    if other is None or JBQ.can_eat(chess, other):
                        groups.append([square])
                    if other or section == 0:
                        break
                    square = JBQ.get_arr_by_rd(square, d, 1)
        return groups

    def after_move(self, arr1, arr2):
        chess = JBQ.get_chess_by_arr(arr2)
        chess.attr["moved"] = True
        ahead = -1 if chess.belong == 1 else 1
        passed = self.passed
        self.passed = None
        self.quiet += 1
        if chess.name == "兵":
            self.quiet = 0
            if arr2 == passed:
                # Nothing stands on arr1: moving nothing onto a piece takes it off the board.
                JBQ.move(arr1, (arr2[0] - ahead, arr2[1]))
            elif abs(arr1[0] - arr2[0]) == 2:
                self.passed = (arr1[0] + ahead, arr1[1])
            if arr2[0] in (0, JBQ.rl - 1):
                JBQ.add_chess(chess.id - 4, arr2)
        if chess.name == "王" and abs(arr1[1] - arr2[1]) == 2:
            corner, to = (7, 5) if arr2[1] == 6 else (0, 3)
            JBQ.move((arr2[0], corner), (arr2[0], to))
        self.judge(3 - chess.belong)

    def judge(self, side):
        squares = [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]
        pieces = [(JBQ.get_chess_by_arr(square), square) for square in squares]
        pieces = [(chess, square) for chess, square in pieces if chess]
        if len(pieces) < self.standing:
            self.standing = len(pieces)
            self.quiet = 0
        king = self.king(side)
        for chess, square in pieces:
            if chess.belong == side and self.goes(chess, square, self.reach(chess, square), king):
                if self.quiet >= 100:
                    JBQ.stalemate()
                return
        if king and self.attacked(king, 3 - side, None):
            JBQ.win(3 - side)
        else:
            JBQ.stalemate()


game = Chess()
check_can_go = game.check_can_go
after_move = game.after_move
