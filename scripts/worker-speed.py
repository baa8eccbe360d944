#!/usr/bin/env python3
"""Measures what workers bring to a hall: `scripts/worker-speed.py [--cap 40] [--tables 32] [--seconds 60] [--rounds 2]`

People who answer at once play level 8 at some tables of a hall that has CAP percent of a core, by a control group (root is
needed): first alone, then beside one and two workers that have as much of a core each. Prints the turns of the computer a
minute, their ratio, and the longest wait for one. Each table begins another game where one ends. Levels 1 to 9 count
positions, so a turn is the same work everywhere. A program waits
a third of a second before it answers, so a table has three turns a second at most: few tables measure that instead. --game: one whose legal moves the hall lists, so not gomoku. QIGUAN: the program, else the debug build.
"""
import argparse, os, pathlib, random, subprocess, sys, tempfile, threading, time

from halls import Hall, Line

parser = argparse.ArgumentParser()
parser.add_argument("--cap", type=int, default=40)
parser.add_argument("--tables", type=int, default=32)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--rounds", type=int, default=2)
parser.add_argument("--game", default="xiangqi")
parser.add_argument("--level", type=int, default=8)
wish = parser.parse_args()
qiguan = os.environ.get("QIGUAN", str(pathlib.Path(__file__).resolve().parent.parent / "target/debug/qiguan"))
groups = pathlib.Path("/sys/fs/cgroup/cpu")
if not (groups / "cpu.cfs_quota_us").exists():
    groups = pathlib.Path("/sys/fs/cgroup")


def capped(name, process):
    """Gives a process, and what it starts, the share of a core."""
    group = groups / f"qiguan-speed-{name}"
    group.mkdir(exist_ok=True)
    if (group / "cpu.cfs_quota_us").exists():
        (group / "cpu.cfs_period_us").write_text("5000")
        (group / "cpu.cfs_quota_us").write_text(str(50 * wish.cap))
        (group / "cpu.shares").write_text("262144")  # before whatever else runs on this machine
    else:
        (group / "cpu.max").write_text(f"{50 * wish.cap} 5000")
        (group / "cpu.weight").write_text("10000")
    (group / "cgroup.procs").write_text(str(process.pid))


class Table(threading.Thread):
    """A guest who plays one game after another against the computer, by chance and at once."""

    def __init__(self, hall, seed):
        super().__init__(daemon=True)
        self.hall, self.chance = hall, random.Random(seed)
        self.guest = hall.ask("POST", "/api/guests", body={})[1]["secret"]
        self.waits = []  # (when answered, s)
        self.on = True

    def run(self):
        try:
            self.play()
        except (TypeError, AttributeError, OSError):
            if self.on:  # otherwise the hall has been closed meanwhile
                raise

    def play(self):
        while self.on:
            opened = {"game": wish.game, "how": "invite", "clock": {"kind": "none"}, "side": "first", "opponent": {"level": wish.level}}
            table = self.hall.ask("POST", "/api/tables", self.guest, opened)[1]["id"]
            line = Line(self.hall, f"/ws?table={table}", self.guest)
            while self.on and self.turn(table, line):
                pass
            line.socket.close()

    def turn(self, table, line):
        """Plays a turn and waits for the computer's; false where the game is over."""
        full = self.hall.ask("GET", f"/api/tables/{table}", self.guest)[1]
        moves = (full.get("view") or {}).get("moves")
        if full.get("end") or not isinstance(moves, list) or not moves:
            return False
        begun = time.monotonic()
        line.do(full["v"], k="move", move=self.chance.choice(moves)["text"])
        while self.on:
            event = line.hear(60)
            if event is None:
                return False
            if event["t"] != "ev":
                continue
            event = event.get("e", event)
            if event.get("end"):
                return False
            if event.get("k") == "move" and event["ply"][1] == "second":
                self.waits.append((time.monotonic(), time.monotonic() - begun))
                return True
        return False


def measured(many):
    """Turns of the computer a minute, and the longest wait, beside that many workers."""
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(qiguan, folder + "/data", ["--limits", "off"])
        capped("hall", hall.child)
        helpers = []
        for n in range(many):
            key = subprocess.run([qiguan, "admin", "worker-key", "add", f"w{n}", "--data", folder + "/data"], capture_output=True, text=True, check=True)
            file = pathlib.Path(folder) / f"key{n}"
            file.write_text(key.stdout)
            file.chmod(0o600)
            words = [qiguan, "worker", "--hall", f"http://127.0.0.1:{hall.port}", "--token-file", str(file), "--cores", "1"]
            helpers.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            capped(f"worker{n}", helpers[-1])
        try:
            tables = [Table(hall, n) for n in range(wish.tables)]
            for table in tables:
                table.start()
            time.sleep(10)  # until each has begun, and workers have their weights
            begun = time.monotonic()
            time.sleep(wish.seconds)
            until = time.monotonic()
            waits = [wait for table in tables for at, wait in table.waits if begun <= at <= until]
            for table in tables:
                table.on = False
            lost = [n for n, helper in enumerate(helpers) if helper.poll() is not None]
            if lost or not hall.alive():
                sys.exit(f"ended: workers {lost}, the hall {hall.said[-3:]}")
            return len(waits) * 60 / wish.seconds, max(waits, default=0)
        finally:
            for helper in helpers:
                helper.kill()
                helper.wait()
            hall.kill()


for _ in range(wish.rounds):
    found = {many: measured(many) for many in (0, 1, 2)}
    alone = found[0][0]
    for many, (turns, wait) in found.items():
        print(f"{many} workers: {turns:.0f} turns a minute, {turns / max(alone, 1):.2f} x, longest wait {wait:.1f} s", flush=True)
