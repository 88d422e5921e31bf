"""Starts charging, finds the session that the command began, and stops it. The charger must be connected.

API_KEY=… python3 start_session.py ACME_1 1 04E91C5A123B80
"""

import json
import sys
import time
import uuid

from busbar import call

charger_id, socket_id, tag = sys.argv[1:4]
WITHIN_S = 60


def wait_for(read):
    """Reads once a second until there is a result: the driver has to plug in."""
    end = time.monotonic() + WITHIN_S
    while not (found := read()):
        if time.monotonic() > end:
            sys.exit(f"nothing after {WITHIN_S} seconds")
        time.sleep(1)
    return found


# The id of the order: a repeated request with it starts nothing new.
order = f"order-{uuid.uuid4()}"
body = {"socketId": int(socket_id), "rfidTag": tag}
started = call("POST", f"/chargers/{charger_id}/start-charging", body, headers={"idempotency-key": order})
if started["status"] != "Accepted":
    sys.exit(f"the charger refused: {started['status']}")

command_id = started["commandId"]
session = wait_for(lambda: call("GET", "/sessions", query={"commandId": command_id})["items"])[0]
transaction_id = session["transactionId"]
print(f"session {transaction_id} of command {command_id}")

body = {"transactionId": transaction_id}
call("POST", f"/chargers/{charger_id}/stop-transaction", body, headers={"idempotency-key": f"{order}-stop"})


def ended():
    found = call("GET", f"/sessions/{transaction_id}")
    return found if found["state"] != "ongoing" else None


print(json.dumps(wait_for(ended)))
