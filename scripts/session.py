#!/usr/bin/env python3
"""Writes down what a client of somebody else and our engine say to each other, and makes a test of it.

    scripts/session.py record LOG PROGRAM ...      between the client and PROGRAM, such as `qiguan engine xiangqi`
    scripts/session.py listen LOG PORT TO          the same between programs that speak DXP: listens on PORT, calls TO
    scripts/session.py trim LOG ARGUMENTS ...      a session for crates/served/tests/sessions, on standard output

ARGUMENTS are those of `qiguan engine`. The first lines of the file, with the client, its version and what it was asked to do,
are to be written by hand.
"""

import os
import re
import socket
import subprocess
import sys
import threading

# Lines of which only the beginning is kept: what a search tells, and what depends on the version.
OPEN = ["info depth", "MESSAGE depth", "option", "param", "id name", "id author", 'name="Qiguan"']
# `id` of Hub, whose name comes first as well.
OPEN_HUB = "id name=Qiguan"


class Log:
    def __init__(self, path):
        # A client may start the program more than once.
        if os.path.exists(path):
            path += f".{os.getpid()}"
        self.file = open(path, "w", buffering=1)
        self.lock = threading.Lock()

    def add(self, sign, line):
        with self.lock:
            self.file.write(f"{sign} {line.decode('utf8', 'replace').rstrip()}\n")


def record(path, command):
    log = Log(path)
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def upwards():
        for line in iter(sys.stdin.buffer.readline, b""):
            log.add(">", line)
            program.stdin.write(line)
        program.stdin.close()

    threading.Thread(target=upwards, daemon=True).start()
    for line in iter(program.stdout.readline, b""):
        log.add("<", line)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    os._exit(program.wait())


def pump(log, sign, here, there):
    rest = b""
    while data := here.recv(4096):
        *messages, rest = (rest + data).split(b"\0")
        for message in messages:
            log.add(sign, message)
        there.sendall(data)
    there.shutdown(socket.SHUT_WR)


def listen(path, port, to):
    listener = socket.create_server(("127.0.0.1", port))
    while True:
        caller, _ = listener.accept()
        called, log = socket.create_connection(("127.0.0.1", to)), Log(path)
        for way in [(">", caller, called), ("<", called, caller)]:
            threading.Thread(target=pump, args=(log, *way), daemon=True).start()


def opened(line):
    for begin in [*OPEN, OPEN_HUB]:
        if line.startswith(f"< {begin}") and not line.startswith("< info string"):
            return f"< {begin}…"
    return None


def trim(lines):
    out, place = [], None
    for line in lines:
        line = line.rstrip("\n")
        if short := opened(line):
            if not out or out[-1] != short:
                out.append(short)
            continue
        if line.startswith("> pos"):
            before, place = place, line
            open_before = before and before.rstrip('"')
            if before and line.startswith(open_before + " "):
                out.append("+ " + line[len(open_before) + 1 :].rstrip('"' if before.endswith('"') else ""))
                continue
        out.append(re.sub(r"^([<>] M)\d{4}", r"\g<1>0000", line) if place is None else line)
    return out


if __name__ == "__main__":
    what, path, *rest = sys.argv[1:]
    if what == "record":
        record(path, rest)
    elif what == "listen":
        listen(path, int(rest[0]), int(rest[1]))
    else:
        print("# ")
        print("$ " + " ".join(rest))
        print("\n".join(trim(open(path, encoding="utf8"))))
