"""Creates a site and a charger in it, and reads the charger.

API_KEY=… python3 quickstart.py ACME_1
"""

import json
import sys

from busbar import call

charger_id = sys.argv[1] if len(sys.argv) > 1 else "ACME_1"

# A repeated run gets the same records: each creation has an Idempotency-Key of its own, for 24 hours.
site = call("POST", "/sites", {"name": "Harbour"}, headers={"idempotency-key": f"site-of-{charger_id}"})
charger = {"name": "Quay", "chargerId": charger_id, "siteId": site["id"]}
call("POST", "/chargers", charger, headers={"idempotency-key": f"charger-{charger_id}"})
print(json.dumps(call("GET", f"/chargers/{charger_id}")))
