#!/usr/bin/env python3
"""Measures how long a hall with many games takes to open: scripts/start-speed.py [--games 1000000] [--folder DIR]

Two people play one game in a hall of its own; that game is written again and again under other ids into every table that names it,
with a guest for every fifth game. Their checksums are not theirs, so `qiguan admin check` would name each of them; a start looks at none.
Then the hall is opened five times; the time is from the process to the first answer of /ready. QIGUAN: the program, else the debug build.
PORT: where it listens, else 9290.
"""
import argparse, os, pathlib, shutil, signal, sqlite3, subprocess, sys, tempfile, time, urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("--games", type=int, default=1_000_000)
parser.add_argument("--folder")
wish = parser.parse_args()
root = pathlib.Path(__file__).resolve().parent.parent
target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
qiguan = os.environ.get("QIGUAN", str(target / "debug/qiguan"))
port = int(os.environ.get("PORT", "9290"))
folder = pathlib.Path(wish.folder or tempfile.mkdtemp(prefix="qiguan-start-"))
data = folder / "data"


def opened():
    """Starts the hall; returns the process and the seconds until /ready answered."""
    begun = time.monotonic()
    words = [qiguan, "serve", "--listen", f"127.0.0.1:{port}", "--data", str(data), "--limits", "off", "--log", "warn"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    while True:
        if process.poll() is not None:
            sys.exit(f"the hall ended with {process.returncode}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=5).read()
            return process, time.monotonic() - begun
        except OSError:
            time.sleep(0.002)


def close(process):
    process.send_signal(signal.SIGTERM)
    process.wait()


def fill(count):
    """Writes a game of the file again under `count` other ids."""
    db = sqlite3.connect(data / "hall.db")
    db.executescript("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; PRAGMA cache_size=-400000;")
    (one,) = db.execute("SELECT seating FROM event GROUP BY seating ORDER BY count(*) DESC LIMIT 1").fetchone()
    have = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    db.executescript("CREATE TEMP TABLE many (k INTEGER PRIMARY KEY)")
    db.execute(
        "INSERT INTO many WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < ?) SELECT k FROM n",
        (count,),
    )
    for table, key in [("seating", "id"), ("tip", "seating"), ("event", "seating"), ("sat", "seating")]:
        columns = [name for (_, name, *_) in db.execute(f"PRAGMA table_info({table})")]
        values = ["printf('g%09d', k)" if name == key else name for name in columns]
        if table == "seating":
            # All of them are over.
            values = ["2" if name == "stage" else value for name, value in zip(columns, values)]
        if table == "sat":
            values = ["'p' || (k / 5 * 2 + rowid_)" if name == "person" else value for name, value in zip(columns, values)]
            source = f"(SELECT *, row_number() OVER () AS rowid_ FROM sat WHERE seating = '{one}')"
        else:
            source = f"(SELECT * FROM {table} WHERE {key} = '{one}' {'ORDER BY ver LIMIT 12' if table == 'event' else ''})"
        db.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM many, {source}")
        db.commit()
    # Guests who were here long ago and sat at a table.
    db.execute(
        "INSERT OR IGNORE INTO person (id, kind, made_ms, seen_ms) SELECT 'p' || (k * 2 + 1), 'guest', 1, 1 FROM many WHERE k <= ?",
        (count // 5,),
    )
    db.commit()
    rows = {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("seating", "event", "sat", "person") if table in have}
    db.close()
    return rows


process, empty = opened()
played = subprocess.run(
    [qiguan, "load", "--hall", f"http://127.0.0.1:{port}", "--connections", "2", "--seconds", "3", "--rate", "10"],
    stdout=subprocess.DEVNULL,
)
close(process)
if played.returncode:
    sys.exit("nobody played")
print(f"without games: {empty * 1000:.0f} ms")
print("rows:", fill(wish.games), f"{(data / 'hall.db').stat().st_size / 1e9:.2f} GB")
times = []
for _ in range(5):
    process, seconds = opened()
    times.append(seconds)
    close(process)
print("with them:", ", ".join(f"{seconds * 1000:.0f} ms" for seconds in times), f"(the first with a cold cache of pages)")
if not wish.folder:
    shutil.rmtree(folder)
sys.exit(0 if sorted(times)[len(times) // 2] < 1 else "that is more than a second")
