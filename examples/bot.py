#!/usr/bin/env python3
"""A program that plays every game of a Qiguan hall, by chance. Python 3.9 or newer, nothing else.

Make an account for it, a token with the scopes read, play and challenge on the account's page, and run
    QIGUAN_TOKEN=qg_... python3 bot.py http://localhost:8080
It becomes a program (once, before its first game), accepts every challenge, and plays it to the end."""
import json, os, random, sys, threading, time, urllib.error, urllib.parse, urllib.request

HALL, TOKEN = sys.argv[1].rstrip("/"), os.environ["QIGUAN_TOKEN"]


def ask(path, method="GET", body=None):
    """Opens a path of the hall; the answer is read line by line by whoever needs it."""
    data = json.dumps(body).encode() if body is not None else b"" if method == "POST" else None
    head = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(HALL + path, data, head, method=method), timeout=60)


def lines(path):
    """The objects of a stream; empty lines only say that the hall is there."""
    with ask(path) as stream:
        yield from (json.loads(line) for line in stream if line.strip())


def play(game):
    """Plays one game to its end, or until the connection is lost."""
    try:
        for event in lines("/api/bot/game/stream/" + game):
            state = event.get("state", event)
            if state.get("takebackOffer"):
                ask(f"/api/bot/game/{game}/takeback/no", "POST")
            if state.get("status") == "started" and state["legal"]:
                move = urllib.parse.quote(random.choice(state["legal"]), safe="")
                ask(f"/api/bot/game/{game}/move/{move}", "POST")
    except OSError as lost:  # Also what the hall refused: the game may have ended meanwhile.
        print(game, lost, flush=True)
    playing.discard(game)


try:
    ask("/api/bot/account/upgrade", "POST")
except urllib.error.HTTPError as refused:  # It is a program already, or its account has played.
    print(json.load(refused)["message"], flush=True)
playing = set()
while True:
    try:
        for event in lines("/api/stream/event"):
            if event["type"] == "gameStart" and event["game"]["id"] not in playing:
                playing.add(event["game"]["id"])
                threading.Thread(target=play, args=(event["game"]["id"],), daemon=True).start()
            elif event["type"] == "challenge" and event["challenge"]["to"].get("program"):
                ask(f"/api/challenge/{event['challenge']['id']}/accept", "POST")
    except OSError as lost:  # Also what the hall refused; it may stop and come back.
        print(lost, flush=True)
    time.sleep(2)
