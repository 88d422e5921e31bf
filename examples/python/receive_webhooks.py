"""Receives the events of a webhook: verifies the signature, stores the event, responds, and handles it then.

WEBHOOK_SECRET=whsec_… python3 receive_webhooks.py

A proxy in front of it has the certificate. The file is the database of this example: the ids are its unique index.
"""

import json
import os
import queue
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook

WEBHOOK = Webhook(os.environ["WEBHOOK_SECRET"])
PATH = os.environ.get("EVENTS_FILE", "events.jsonl")
HOST = os.environ.get("HOST", "127.0.0.1")
PORT = int(os.environ.get("PORT", "8080"))
MAX_BODY_BYTES = 65_536  # A body has at most 20 kB.
MAX_MISSING = 1_000  # More missing numbers than a receiver of all types ever has.
MAX_WAITING = 10_000

ids = set()
registrations = {}
states = {}
lock = threading.Lock()
waiting = queue.Queue(MAX_WAITING)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60  # Of an idle connection.

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BODY_BYTES:
            self.close_connection = True
            return self.respond(413)
        body = self.rfile.read(length)
        try:
            # Over the bytes as they were received: another serializer would write other ones.
            event = WEBHOOK.verify(body, dict(self.headers.items()))
        except Exception as error:  # The library also raises ValueError for a malformed header.
            print(f"rejected: {error}", file=sys.stderr, flush=True)
            return self.respond(401)
        try:
            store(event)
        except OSError as error:
            # Not stored: the service keeps the event and tries again.
            print(error, file=sys.stderr, flush=True)
            return self.respond(503)
        # Also for a duplicate: the response to its first delivery was lost.
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


def store(event):
    with lock:
        if event["id"] in ids:
            return
        file.write(json.dumps(event) + "\n")
        file.flush()
        # On the disk before the response: the service does not send it again.
        os.fsync(file.fileno())
        ids.add(event["id"])
        # In the order of storing. A full queue delays the response, and so slows the service down.
        waiting.put(event)


def restore():
    """Reads what was stored before. Drops an event that was half written, which was not acknowledged."""
    if not os.path.exists(PATH):
        return
    with open(PATH, "r+b") as stored:
        content = stored.read()
        whole = content[: content.rfind(b"\n") + 1]
        stored.truncate(len(whole))
    for line in whole.splitlines():
        event = json.loads(line)
        ids.add(event["id"])
        handle(event, lambda line: None)


def handle(event, show):
    show(f"event {event['id']} {event['type']}")
    sequence = event["sequence"]
    if sequence is None:  # Of no charger.
        return
    check_gap(event, sequence, show)
    if event["type"] != "socket.state_changed":
        return
    # An event that arrives late must not undo a newer one.
    data = event["data"]
    key = (registration_of(event), data["socketId"])
    if key in states and states[key][0] > sequence:
        return
    states[key] = (sequence, data["state"])
    show(f"state {event['chargerId']}/{data['socketId']} {data['state']}")


def check_gap(event, sequence, show):
    """The numbers have no gap only for a webhook that has all types: ["*", "socket.state_reported", "meter.values"]."""
    known = registrations.setdefault(registration_of(event), {"last": sequence, "missing": set()})
    if sequence in known["missing"]:
        known["missing"].remove(sequence)
        show(f"late {event['chargerId']} {sequence}")
    if sequence > known["last"] + 1:
        show(f"gap {event['chargerId']} {known['last'] + 1}-{sequence - 1}")
    room = MAX_MISSING - len(known["missing"])
    known["missing"].update(range(known["last"] + 1, min(sequence, known["last"] + 1 + room)))
    known["last"] = max(known["last"], sequence)


def registration_of(event):
    """A charger that is deleted and created again counts anew. The id has its registration in front of the sequence."""
    return event["id"].rpartition("_")[0]


def work():
    while True:
        handle(waiting.get(), lambda line: print(line, flush=True))


restore()
file = open(PATH, "a", encoding="utf-8")
threading.Thread(target=work, daemon=True).start()
server = ThreadingHTTPServer((HOST, PORT), Receiver)
signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
print(f"listening on {server.server_address[1]}", flush=True)
server.serve_forever()
