#!/usr/bin/env python3
"""Tries the attacks that hurt halls before version hall.2, one row each, on a built program, over loopback.

    scripts/attack-rows.py PROGRAM...        # e.g. of an old commit and of this one

Prints for each program and attack what came of it, and "hurt" or "holds". It speaks the wire of either version, so that what
was mended can be seen red on the program of before. A few minutes a program; as root also the full disk. Linux, Python 3.9.
"""

import base64, json, os, shutil, signal, socket, subprocess, sys, tempfile, threading, time

from halls import Hall, Line


def text(ply):
    """A move of a game of gomoku on 20 lines in which nobody ever has three in a row."""
    row, k = ply // 2 // 10, ply // 2 % 10
    return f"{chr(97 + (k // 2 * 2 + (row + ply) % 2) * 2 + k % 2)}{row + 1}"


def record(plies):
    """A game of xiangqi in which the horses go back and forth; without rules about repetition it may be long."""
    game = {"format": "qiguan-record", "version": 1, "game": "xiangqi/free", "options": {},
            "moves": ["h0g2", "h9g7", "g2h0", "g7h9"] * (plies // 4)}
    return {"content": json.dumps(game)}


def pair(hall, clock, **wish):
    """Two people at a table, and the version."""
    people = [hall.guest(), hall.guest(3)]
    table = hall.open(people[0][0], clock=clock, **wish)
    lines = [Line(hall, f"/ws?table={table}", people[0][0]), Line(hall, f"/ws?table={table}", people[1][0], 3)]
    version = [line.until("full") for line in lines][1]["v"]
    lines[1].do(version, k="sit")
    version = lines[1].until("sit")["v"]
    lines[0].until("sit")
    return table, lines, version, people


def play(lines, version, ply, move=None):
    lines[ply % 2].do(version, k="move", move=move or text(ply))
    got = [line.until("move") for line in lines]
    return got[ply % 2]["v"] if got[ply % 2] and got[ply % 2]["t"] == "ev" else None


# -- the rows: each returns what was seen, and whether somebody was hurt --------------------------------------------------

def s1(program):
    with Hall(program) as hall:
        for offset in range(1, 6):
            who, _ = hall.guest()
            table = hall.open(who, opponent={"level": 1})
            line = Line(hall, f"/ws?table={table}", who)
            version = line.until("full")["v"]
            line.do(version, f"engine-declines-{version + offset}", k="move", move="h8")
            version = (line.until("move") or {}).get("v", version + 1)
            line.until("move", patience=3)
            line.do(version + 1, f"engine-agrees-{version + offset - 1}", k="offer", what="takeback")
            line.until("takeback", "decline", patience=2)
            time.sleep(0.3)
            if not hall.alive():
                return f"the hall died (offset {offset})", True
        return "the hall lives", False


def s2(program):
    with Hall(program) as hall:
        who, _ = hall.guest()
        for offset in range(1, 4):
            table = hall.open(who, opponent={"level": 1})
            line = Line(hall, f"/ws?table={table}", who)
            version = line.until("full")["v"]
            line.do(version, f"engine-move-{version + offset}", k="move", move="h8")
            line.until("move")
            if line.until("move", patience=8) is None:
                return f"the program never moved (offset {offset})", True
        return "the program moves", False


def s3(program):
    with Hall(program) as hall:
        who, _ = hall.guest()
        status, got, _ = hall.ask("POST", "/api/records", who, record(20_000), timeout=120)
        plies = 20_000
        if status != 201:
            plies = 4000
            _, got, _ = hall.ask("POST", "/api/records", who, record(plies))
        path = f"/api/tables/{got['id']}/replay"
        threads = [threading.Thread(target=hall.ask, args=("GET", path), kwargs={"timeout": 90}, daemon=True)
                   for _ in range(60)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        slowest = 0
        for _ in range(5):
            slowest = max(slowest, hall.health()[1])
        return f"20 000 plies: {status}; 60 replays of {plies} plies: /health took {slowest:.2f} s", slowest > 2


def s4(program):
    with Hall(program) as hall:
        def alone(address):
            who, _ = hall.guest(address)
            since = time.monotonic()
            table = hall.open(who, address, game="xiangqi", side="second", opponent={"level": 10})
            line = Line(hall, f"/ws?table={table}", who, address)
            got = line.until("full")
            if not got.get("record"):
                line.until("move", patience=200)
            return time.monotonic() - since
        before = alone(5)
        lines = []
        for _ in range(30):
            who, _ = hall.guest(6)
            table = hall.open(who, 6, game="xiangqi", side="second", opponent={"level": 10})
            if table:
                lines.append(Line(hall, f"/ws?table={table}", who, 6))
        waited = alone(7)
        return f"a move of level 10: {before:.1f} s; beside 30 guests of one address {waited:.1f} s", waited > 4 * before


def s5(program):
    with Hall(program) as hall:
        _, public = hall.guest()
        bits = len(public) * 6
        chosen = base64.urlsafe_b64encode(b"chosen by myself 123")[:27].decode()
        seen = []
        for size in (16, 20, 22, 27, 32, 43):
            wish = (chosen * 2)[:size]
            _, _, headers = hall.ask("GET", "/api/me", headers={"cookie": f"qiguan={wish}"})
            if "set-cookie" not in headers:
                seen.append(size)
        return f"public ids of {bits} bits; secrets of one's own choosing taken: {seen or 'none'}", bits < 80 or bool(seen)


def s6_frozen(program):
    with Hall(program) as hall:
        _, lines, version, _ = pair(hall, {"kind": "fischer", "base_ms": 6000, "increment_ms": 0})
        if version is None:
            return "no table", True
        for ply in range(4):
            version = play(lines, version, ply)
        hall.child.send_signal(signal.SIGSTOP)
        time.sleep(10)
        hall.child.send_signal(signal.SIGCONT)
        fell = lines[0].until("flag", patience=1)
        return ("frozen 10 s on a clock of 6 s: " + ("a flag fell" if fell else "nobody lost")), bool(fell)


def s6_disk(program):
    if not shutil.which("strace"):
        return "strace is missing", None
    wrap = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e",
            "inject=fsync,fdatasync:delay_exit=500000"]
    with Hall(program, wrap=wrap) as hall:
        table, lines, version, _ = pair(hall, {"kind": "fischer", "base_ms": 60_000, "increment_ms": 0}, options={"size": 20})
        left = []
        # What may be given back for a slow way is used up first.
        for upto in (24, 40):
            for ply in range(24 * len(left), upto):
                version = play(lines, version, ply)
            _, full, _ = hall.ask("GET", f"/api/tables/{table}")
            left.append(sum(full["clk"]["ms"]))
        charged = (left[0] - left[1]) / 16
        subprocess.run(["pkill", "-9", "-P", str(hall.child.pid)])
        return f"a disk of 500 ms: {charged:.0f} ms charged a move", charged > 150


def s7(program):
    with Hall(program) as hall:
        for person in range(14):
            _, lines, version, _ = pair(hall, {"kind": "fischer", "base_ms": 86_400_000, "increment_ms": 0})
            for ply in range(4):
                version = play(lines, version, ply)
            for line in lines:
                line.socket.close()
        time.sleep(100)
        left = hall.gauge("hall_tables")
        return f"{left:.0f} of 14 tables that nobody looks at are in memory after 100 s", left > 0


def s8(program):
    with Hall(program) as hall:
        who, _ = hall.guest()
        _, got, _ = hall.ask("POST", "/api/records", who, record(60))
        line = Line(hall, f"/ws?table={got['id']}", who)
        line.do(line.until("full")["v"], k="resign")
        line.until("resign", "end")
        status, *_ = hall.ask("POST", f"/api/tables/{got['id']}/report")
        return f"a report without a secret: {status}", status == 200


def s9(program):
    with Hall(program) as hall:
        held = []
        for i in range(20):
            stream = socket.create_connection(("127.0.0.1", hall.port), 5, ("127.0.0.8", 0))
            if i % 2:
                stream.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ")
            held.append(stream)
        until = time.monotonic() + 100
        open_still = 0
        for stream in held:
            stream.settimeout(max(0.05, until - time.monotonic()))
            try:
                while stream.recv(4096):
                    pass
            except TimeoutError:
                open_still += 1
            except OSError:
                pass
        return f"{open_still} of 20 half heads and silent connections are open after 100 s", open_still > 0


def s10(program):
    came, hurt = [], False
    for how in ("flipped", "halved", "deleted"):
        with Hall(program) as hall:
            who, _ = hall.guest()
            tables = [hall.open(who, how="screen", side=None) for _ in range(20)]
            time.sleep(0.5)
            hall.kill()
            logs = [name for name in os.listdir(hall.folder) if name.endswith("-wal")]
            path = os.path.join(hall.folder, logs[0]) if logs else None
            if not path:
                came.append(f"{how}: no log")
                continue
            size = os.path.getsize(path)
            if how == "deleted":
                os.remove(path)
            else:
                with open(path, "r+b") as file:
                    if how == "halved":
                        file.truncate(size // 2)
                    else:
                        file.seek(size // 3)
                        file.write(b"\xff" * 64)
            with Hall(program, hall.folder) as again:
                if not again.alive():
                    time.sleep(0.3)
                    came.append(f"{how}: refuses to open, and says why" if again.said else f"{how}: ended in silence")
                    hurt |= not again.said
                    continue
                lost = sum(again.ask("GET", f"/api/tables/{table}")[0] == 404 for table in tables)
                status, _ = again.health()
                came.append(f"{how}: opened, /health {status}, {lost} of 20 tables answer 404")
                hurt |= lost > 0
    return "; ".join(came), hurt


def s11(program):
    if os.geteuid():
        return "only as root", None
    folder = tempfile.mkdtemp(prefix="rows.")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], check=True)
    try:
        hall = Hall(program, folder)
        if not hall.alive():
            return "does not open on 24 MB", None
        who, _ = hall.guest()
        with open(os.path.join(folder, "filler"), "wb") as file:
            try:
                while True:
                    file.write(b"x" * 65536)
                    file.flush()
            except OSError:
                pass
        for _ in range(60):
            hall.open(who)
        time.sleep(3)
        status, *_ = hall.ask("GET", "/health")
        hall.kill()
        again = Hall(program, folder)
        opened = again.alive()
        again.kill()
        return f"/health says {status}; a restart on the full disk {'opens' if opened else 'ends'}", status == 200 or not opened
    finally:
        subprocess.run(["umount", "-l", folder])
        os.rmdir(folder)


def s12(program):
    with Hall(program, words=["--public-url", "https://hall.example"]) as hall:
        at = {"host": "hall.example"}
        made = [hall.ask("POST", "/api/guests", headers=at)[1] for _ in range(2)]
        cookies = f"qiguan={made[0]['secret']}; __Host-qiguan={made[1]['secret']}"
        _, me, headers = hall.ask("GET", "/api/me", headers={**at, "cookie": cookies})
        beaten = me.get("id", me.get("player", {}).get("id")) != made[1]["player"]["id"]
        status, *_ = hall.ask("PUT", "/api/me", None, {"name": "Someone"},
                              headers={**at, "cookie": f"__Host-qiguan={made[1]['secret']}", "origin": "http://hall.example"})
        hsts = "strict-transport-security" in headers
        return (f"plain cookie wins: {beaten}; an http origin: {status}; HSTS: {hsts}", beaten or status < 400 or not hsts)


def s13(program):
    with Hall(program) as hall:
        _, got, _ = hall.ask("GET", "/metrics")
        shown = b"# TYPE" in (got if isinstance(got, bytes) else b"")
        return f"/metrics {'is everybody' + chr(39) + 's' if shown else 'is not public'}", shown


def s14(program):
    with Hall(program) as hall:
        who, _ = hall.guest(30)
        first = hall.open(who, 30, how="open", room="the first one")
        here = [Line(hall, f"/ws?table={first}", who, 30)]
        for person in range(6):
            who, _ = hall.guest(31 + person)
            for _ in range(20):
                table = hall.open(who, 31 + person, how="open")
                here.append(Line(hall, f"/ws?table={table}", who, 31 + person))
        time.sleep(1)
        path, pages, lines = "/api/tables", 0, ""
        while path and first not in lines and pages < 30:
            _, got, headers = hall.ask("GET", path)
            lines, pages = json.dumps(got), pages + 1
            path = headers["link"].split("<")[1].split(">")[0] if "next" in headers.get("link", "") else None
        return f"the oldest of 121 open tables is {'on page ' + str(pages) if first in lines else 'nowhere'}", first not in lines


def s15(program):
    with Hall(program) as hall:
        names = {"U+3164": "a\u3164b", "U+2800": "\u2800\u2800", "U+FFA0": "a\uffa0", "U+061C": "a\u061cb",
                 "U+00AD": "a\u00adb", "tags": "a\U000e0041b", "marks": "a" + "\u0301" * 15, "program": "Level 10"}
        passed = []
        for what, name in names.items():
            who, _ = hall.guest()
            status, got, _ = hall.ask("PUT", "/api/me", who, {"name": name})
            given = (got or {}).get("name") or (got or {}).get("player", {}).get("name", "") if status == 200 else ""
            if status == 200 and given == name:
                passed.append(what)
        return f"names taken: {', '.join(passed) or 'none'}", bool(passed)


def s16(program):
    with Hall(program) as hall:
        table, lines, version, people = pair(hall, {"kind": "none"}, game="xiangqi", options={})
        for ply, move in enumerate(["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0a2", "c6c5"]):
            version = play(lines, version, ply, move)
        _, kept, _ = hall.ask("GET", f"/api/tables/{table}/record?format=qiguan-record", people[0][0])
        if not isinstance(kept, dict) or "moves" not in kept:
            _, kept, _ = hall.ask("GET", f"/api/tables/{table}/record?format=json", people[0][0])
        status, copy, _ = hall.ask("POST", "/api/records", people[0][0], {"content": json.dumps(kept)})
        if status != 201:
            return f"the record of a running game: {status} {copy}", False
        status, *_ = hall.ask("POST", f"/api/tables/{copy['id']}/hint", people[0][0], {})
        return f"a hint on a copy of one's running game: {status}", status == 200


ENGINE = """#!{python}
import os, socket, sys
parent = os.getppid()
def tried(what, how):
    try:
        how()
        print("came", what, flush=True)
    except Exception as why:
        print("refused", what, flush=True)
tried("signal", lambda: os.kill(parent, 0))
tried("environ", lambda: open(f"/proc/{{parent}}/environ").read())
tried("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)))
tried("memory", lambda: bytearray(6 << 30))
tried("shadow", lambda: open("/etc/shadow").read())
"""


def s17(program):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "engine.py")
        with open(path, "w") as file:
            file.write(ENGINE.format(python=sys.executable))
        os.chmod(path, 0o755)
        reads = [word for root in ("/usr", "/lib", "/lib64", sys.prefix) if os.path.isdir(root)
                 for word in ("--reads", root)]
        new = b"--memory-mb" in subprocess.run([program, "confined", "--help"], capture_output=True).stdout
        # An engine that stays root: the hardest case, and Python may lie where only root reads.
        bounds = ["--memory-mb", "4096", *([] if os.geteuid() else ["--user", "0"])] if new else []
        done = subprocess.run([program, "confined", "--folder", folder, *reads, *bounds, "--", sys.executable, path],
                              capture_output=True, text=True, timeout=60)
        came = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("came")]
        refused = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("refused")]
        if not came and not refused:
            return f"the engine did not run: {done.stderr.strip()[:200]}", None
        return f"came to something: {', '.join(came) or 'none'}; refused: {', '.join(refused) or 'none'}", bool(came)


def s18(program):
    with Hall(program) as hall:
        for name in os.listdir(hall.folder):
            if name.endswith("lock"):
                os.remove(os.path.join(hall.folder, name))
        second = Hall(program, hall.folder)
        alive = second.alive()
        second.kill()
        help = subprocess.run([program, "admin", "--help"], capture_output=True)
        return (f"a second hall on the same data: {'opens' if alive else 'is refused'}; "
                f"backup: {'yes' if b'backup' in help.stdout else 'none'}", alive or b"backup" not in help.stdout)


ROWS = [("S1 command ids of programs", s1), ("S2 the program's move", s2), ("S3 replays", s3), ("S4 level 10 for thirty guests", s4),
        ("S5 ids and secrets", s5), ("S6 a frozen hall", s6_frozen), ("S6 a slow disk", s6_disk), ("S7 tables nobody needs", s7),
        ("S8 reports by nobody", s8),
        ("S9 half heads", s9), ("S10 damage", s10), ("S11 a full disk", s11), ("S12 cookies on https", s12), ("S13 metrics", s13),
        ("S14 the lobby", s14), ("S15 names", s15), ("S16 help with one's own game", s16), ("S17 foreign engines", s17), ("S18 two halls, backup", s18)]


def main():
    programs = [os.path.abspath(word) for word in sys.argv[1:] if not word.startswith("-")]
    only = [word[1:] for word in sys.argv[1:] if word.startswith("-")]
    if not programs:
        sys.exit(__doc__)
    print("| attack | " + " | ".join(os.path.basename(program) for program in programs) + " |")
    print("|---" * (len(programs) + 1) + "|")
    for name, row in ROWS:
        if only and name.split()[0] not in only:
            continue
        cells = []
        for program in programs:
            try:
                what, hurt = row(program)
            except Exception as why:  # the row itself failed: seen, not hidden
                what, hurt = f"could not be tried: {why!r}", None
            cells.append(f"{'?' if hurt is None else 'HURT' if hurt else 'holds'}: {what}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


main()
