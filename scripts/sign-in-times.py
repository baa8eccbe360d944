#!/usr/bin/env python3
"""Measures whether the time of an answer tells a name that somebody has from one that nobody has.

    scripts/sign-in-times.py PROGRAM [TRIES]        # 200 of each kind

Opens a hall without limits on loopback, makes one account, and tries to sign in with a wrong password: in turns with that name and
with names that nobody has, after a few tries that do not count. Prints median and quartiles of both and the ratio of the medians; exits with 1
where it is not within 20 %. Linux, Python 3.9.
"""

import http.client, json, os, shutil, statistics, subprocess, sys, tempfile, time

program, tries = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
folder = tempfile.mkdtemp(prefix="times.")
hall = subprocess.Popen(
    [program, "serve", "--listen", "127.0.0.1:0", "--data", folder, "--limits", "off"],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "LANG": "en_US.UTF-8"})


def ask(path, body, secret=None):
    """The status, what was told, and how long it took, in milliseconds."""
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {secret}"} if secret else {})}
    begun = time.perf_counter()
    line.request("POST", path, json.dumps(body), headers)
    answer = line.getresponse()
    told = json.loads(answer.read() or "null")
    return answer.status, told, (time.perf_counter() - begun) * 1000


try:
    port = next(int(text.rstrip().rstrip("/").rsplit(":", 1)[1]) for text in hall.stdout if "://127.0.0.1:" in text)
    line = http.client.HTTPConnection("127.0.0.1", port)
    secret = ask("/api/guests", None)[1]["secret"]
    status, told, _ = ask("/api/account", {"name": "Ada", "password": "correct horse battery staple"}, secret)
    assert status == 201, told
    took = {"known": [], "unknown": []}
    for n in range(-5, tries):
        for kind, name in (("known", "Ada"), ("unknown", f"Nobody{n % 1000}")):
            status, told, ms = ask("/api/session", {"name": name, "password": "wrong horse battery"})
            assert (status, told["error"]["key"]) == (403, "sign-in-failed"), told
            if n >= 0:
                took[kind].append(ms)
    for kind, times in took.items():
        low, middle, high = statistics.quantiles(times, n=4)
        print(f"{kind:8} median {middle:7.2f} ms   quartiles {low:7.2f} {high:7.2f} ms   {len(times)} tries")
    ratio = statistics.median(took["unknown"]) / statistics.median(took["known"])
    print(f"unknown / known: {ratio:.3f}")
    sys.exit(0 if 1 / 1.2 <= ratio <= 1.2 else 1)
finally:
    hall.terminate()
    hall.wait()
    shutil.rmtree(folder, ignore_errors=True)
