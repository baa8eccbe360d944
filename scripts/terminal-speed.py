#!/usr/bin/env python3
"""Measures the hall in a terminal: start to first board, key to effect, CPU while idle.

Usage: terminal-speed.py PATH_OF_QIGUAN [GAME]
"""
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time


def start(program, game):
    """Runs it in a terminal of 80x24; its process and the terminal's other end."""
    home = tempfile.mkdtemp()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(LANG="en_US.UTF-8", LC_ALL="en_US.UTF-8", TERM="xterm-256color", XDG_DATA_HOME=home)
        time.sleep(0.05)  # until the size is set
        os.execv(program, [program, "play", game])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    return pid, terminal


def drain(terminal, quiet, patience=1):
    """Reads until nothing comes for so many seconds; when the first and the last bytes came."""
    first = last = None
    data = b""
    while select.select([terminal], [], [], quiet if first else patience)[0]:
        try:
            data += os.read(terminal, 65536)
        except OSError:  # the program has left
            break
        last = time.perf_counter()
        first = first or last
    return first, last, data


def ticks(pid):
    """CPU ticks of a process and its threads so far."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def main():
    program, game = os.path.realpath(sys.argv[1]), (sys.argv[2:] or ["xiangqi"])[0]
    boards, keys, busy = [], [], 0
    for _ in range(10):
        begun = time.perf_counter() + 0.05
        pid, terminal = start(program, game)
        _, last, _ = drain(terminal, 0.5)
        boards.append((last - begun) * 1000)
        before = ticks(pid)
        for key in b"ljljljljljljljljljlj":
            pressed = time.perf_counter()
            os.write(terminal, bytes([key]))
            _, last, _ = drain(terminal, 0.05)
            keys.append((last - pressed) * 1000)
        busy += ticks(pid) - before
        if len(boards) == 10:
            before = ticks(pid)
            time.sleep(5)
            idle = ticks(pid) - before
        os.write(terminal, b"q")
        drain(terminal, 0.2)
        os.waitpid(pid, 0)
        os.close(terminal)
    keys.sort()
    print(f"start to first board  median {statistics.median(boards):.1f} ms  least {min(boards):.1f} ms")
    print(f"key to effect         median {statistics.median(keys):.2f} ms  95 of 100 {keys[len(keys) * 95 // 100]:.2f} ms")
    print(f"CPU of a key          {busy * 1000 / os.sysconf('SC_CLK_TCK') / len(keys):.2f} ms")
    print(f"idle for 5 s          {idle} ticks of CPU (of {os.sysconf('SC_CLK_TCK')} a second)")


main()
