"""A hall of one's own and a WebSocket to it, for the scripts beside this file. Python 3.9, nothing but its library."""

import base64, http.client, json, os, shutil, signal, socket, struct, subprocess, tempfile, threading, time

MOVE_ON = 15.0  # s: what is not answered then is not answered


class Hall:
    """A program that serves a folder."""

    def __init__(self, program, folder=None, words=(), wrap=()):
        self.folder = folder or tempfile.mkdtemp(prefix="rows.")
        self.new = b"--admin-listen" in subprocess.run([program, "serve", "--help"], capture_output=True).stdout
        free = socket.create_server(("127.0.0.1", 0))
        self.admin = free.getsockname()[1] if self.new else None
        free.close()
        admin = ["--admin-listen", f"127.0.0.1:{self.admin}"] if self.new else []
        self.child = subprocess.Popen(
            [*wrap, program, "serve", "--listen", "127.0.0.1:0", "--data", self.folder, *admin, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
            env={**os.environ, "LANG": "en_US.UTF-8", "RUST_LOG": "error"})
        self.port = None
        for line in self.child.stdout:
            found = [word for word in line.split() if "://127.0.0.1:" in word or "://localhost:" in word]
            if found:
                self.port = int(found[-1].rstrip("/").rsplit(":", 1)[1])
                break
        self.said = []
        for pipe in (self.child.stdout, self.child.stderr):
            threading.Thread(target=lambda pipe=pipe: self.said.extend(pipe), daemon=True).start()

    def alive(self):
        return self.port is not None and self.child.poll() is None

    def kill(self, how=signal.SIGKILL):
        if self.child.poll() is None:
            self.child.send_signal(how)
        self.child.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, who=None, body=None, address=2, headers=None, timeout=60):
        """Status, body read as JSON where it is, headers; 0 where nothing was answered."""
        try:
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout,
                                              source_address=(f"127.0.0.{address}", 0))
            given = {"content-type": "application/json"} if body is not None else {}
            if who:
                given["authorization"] = f"Bearer {who}"
            given.update(headers or {})
            text = body if body is None or isinstance(body, str) else json.dumps(body)
            line.request(method, path, text, given)
            answer = line.getresponse()
            data = answer.read()
            try:
                data = json.loads(data)
            except ValueError:
                pass
            return answer.status, data, dict((k.lower(), v) for k, v in answer.getheaders())
        except (OSError, http.client.HTTPException):
            return 0, None, {}

    def guest(self, address=2):
        for _ in range(40):
            status, got, _ = self.ask("POST", "/api/guests", address=address)
            if status != 429:
                break
            time.sleep(0.5)
        return got["secret"], got["player"]["id"]

    def open(self, who, address=2, **wish):
        wish = {"game": "gomoku/standard", "how": "invite", "clock": {"kind": "none"}, "side": "first", **wish}
        status, got, _ = self.ask("POST", "/api/tables", who, wish, address)
        return got["id"] if status == 201 else None

    def gauge(self, name):
        line = http.client.HTTPConnection("127.0.0.1", self.admin or self.port, timeout=30)
        line.request("GET", "/metrics")
        lines = line.getresponse().read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.split("{")[0].split(" ")[0] == name)

    def health(self):
        since = time.monotonic()
        status, *_ = self.ask("GET", "/health", address=1)
        return status, time.monotonic() - since


class Line:
    """A WebSocket."""

    def __init__(self, hall, path, who, address=2):
        self.socket = socket.create_connection(("127.0.0.1", hall.port), 60, (f"127.0.0.{address}", 0))
        version = "hall.2" if hall.new else "hall.1"
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{hall.port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                             f"Sec-WebSocket-Protocol: {version}\r\nAuthorization: Bearer {who}\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        status = self.file.readline()
        if b" 101 " not in status:
            raise OSError(status.decode())
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def frame(self, kind, data):
        mask = os.urandom(4)
        size = len(data)
        head = bytes([0x80 | kind]) + (bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def say(self, **message):
        self.frame(1, json.dumps(message).encode())

    def do(self, ver, cmd=None, **act):
        self.say(t="do", cmd=cmd or base64.urlsafe_b64encode(os.urandom(9)).decode(), ver=ver, act=act)

    def hear(self, patience=MOVE_ON):
        """The next message, or None: nothing in time, or the end."""
        until = time.monotonic() + patience
        while True:
            self.socket.settimeout(max(0.01, until - time.monotonic()))
            try:
                head = self.file.read(2)
                if len(head) < 2:
                    return None
                size = head[1] & 127
                if size == 126:
                    size = struct.unpack(">H", self.file.read(2))[0]
                elif size == 127:
                    size = struct.unpack(">Q", self.file.read(8))[0]
                data = self.file.read(size)
            except OSError:
                return None
            if head[0] & 15 == 9:
                self.frame(10, data)
            elif head[0] & 15 == 8:
                return None
            elif head[0] & 15 == 1:
                return json.loads(data)

    def until(self, *kinds, patience=MOVE_ON):
        """Until an event of these kinds (or 'full'); None where it did not come. Refusals end it, too."""
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            message = self.hear(left)
            if message is None:
                return None
            kind = message.get("k") or message.get("e", {}).get("k") if message["t"] == "ev" else message["t"]
            if kind in kinds:
                return message
            if message["t"] == "no":
                return message
        return None
