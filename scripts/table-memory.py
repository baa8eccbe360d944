#!/usr/bin/env python3
"""What a table of 300 plies weighs in a hall's memory: `scripts/table-memory.py BINARY [TABLES]`.

Imports that many games of gomoku, starts the hall again so that nothing but their logs is known, and opens every table.
Prints kilobytes of resident memory a table.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

PLIES = 300
binary = sys.argv[1]
tables = int(sys.argv[2]) if len(sys.argv) > 2 else 1000


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Hall:
    def __init__(self, folder):
        self.port = free_port()
        words = ["serve", "--limits", "off", "--listen", f"127.0.0.1:{self.port}", "--data", folder]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([binary, *words], **quiet)
        for _ in range(200):
            try:
                self.ask("GET", "/health")
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the hall does not answer")

    def ask(self, method, path, body=None, secret=None):
        head = {"content-type": "application/json"}
        if secret:
            head["authorization"] = "Bearer " + secret
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, head, method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text[:1] in b"{[" else None

    def resident_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def stop(self):
        self.process.terminate()
        self.process.wait()


def cell(ply):
    """Stones of both sides that never stand five in a row."""
    row, column = divmod(ply // 2, 10)
    pair = column // 2 * 2 + (row + ply) % 2
    return chr(97 + pair * 2 + column % 2) + str(row + 1)


with tempfile.TemporaryDirectory() as folder:
    hall = Hall(folder)
    secret = hall.ask("POST", "/api/guests")["secret"]
    record = {
        "format": "qiguan-record",
        "version": 1,
        "game": "gomoku/freestyle",
        "options": {"size": 20},
        "moves": [cell(ply) for ply in range(PLIES)],
    }
    wish = {"content": json.dumps(record)}
    ids = [hall.ask("POST", "/api/records", wish, secret)["id"] for _ in range(tables)]
    hall.stop()
    hall = Hall(folder)
    hall.ask("GET", f"/api/tables/{ids[0]}", None, secret)
    before = hall.resident_kb()
    for table in ids:
        hall.ask("GET", f"/api/tables/{table}", None, secret)
    print(f"{(hall.resident_kb() - before) / tables:.1f} kB a table of {PLIES} plies, {tables} tables")
    hall.stop()
    os.sync()
