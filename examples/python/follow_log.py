"""Prints each new row of a charger's OCPP log as JSON, until Ctrl-C. Connects again behind the last row.

API_KEY=… python3 follow_log.py ACME_1
"""

import json
import sys
import time

from busbar import open_url

charger_id = sys.argv[1] if len(sys.argv) > 1 else "ACME_1"
PAUSE_S = 3
FINAL = {"key_revoked", "charger_deleted"}


def events(response):
    """The fields of each event. Comments, which come every 15 seconds, are skipped."""
    event = {}
    for line in response:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "" and event:
            yield event
            event = {}
        elif name != "":
            event[name] = value


last_id = ""
while True:
    try:
        # The timeout is that of each read: a minute without a byte is a broken connection.
        with open_url("GET", f"/chargers/{charger_id}/ocpp-logs/stream", headers={"last-event-id": last_id}) as response:
            for event in events(response):
                if event.get("event") == "end" and json.loads(event["data"])["reason"] in FINAL:
                    sys.exit(event["data"])
                if "id" in event:
                    print(event["data"], flush=True)
                    last_id = event["id"]
    except (OSError, TimeoutError) as error:
        print(f"connection lost: {error}", file=sys.stderr)
    time.sleep(PAUSE_S)
