"""A receiver of notifications: NOTIFICATION_SECRETS=whsec_… python3 examples/python/receiver.py

Takes each once, and the newest of an order wins. A file an order stands for a row of your database.
"""
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from signature import problem_of

SECRETS = os.environ.get("NOTIFICATION_SECRETS", "").split(" ")
STATE = os.environ.get("STATE", "state")
PORT = int(os.environ.get("PORT", "3000"))


# region: take
def take(headers, body):
    """What to answer, and what was done. Answer 2xx only after it is stored: everything else is sent again."""
    problem = problem_of(headers, body, SECRETS)
    if problem:
        return 400, problem
    told = json.loads(body)
    if not told.get("order_id"):
        return 200, "noted"  # `test`, and news about a checkout or customer
    order = read_order(told["order_id"])
    notification_id = headers["webhook-id"]
    if notification_id in order["ids"]:
        return 200, "repeated"
    order["ids"].append(notification_id)
    if told["sequence"] < order["sequence"]:
        store_order(told["order_id"], order)
        return 200, "older"  # came late: what is known is newer
    # an event in between did not come: read the order if you book each capture and refund
    missed = (told["previous_sequence"] or 0) > order["sequence"]
    order.update(
        status=told["status"],
        sequence=told["sequence"],
        code=told.get("result", {}).get("code"),
        captured=told["capture_total_amount"],
        refunded=told["refund_total_amount"],
        missed=missed,
    )
    store_order(told["order_id"], order)
    return 200, "applied, one is missing" if missed else "applied"
# endregion


def read_order(order_id):
    try:
        with open(os.path.join(STATE, order_id + ".json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"sequence": 0, "ids": []}


def store_order(order_id, order):
    """Whole or not at all, as a transaction."""
    os.makedirs(STATE, exist_ok=True)
    path = os.path.join(STATE, order_id + ".json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(order, file)
    os.replace(path + ".new", path)


# region: receiver
class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        http, did = take(self.headers, body)  # the bytes as they came, not parsed and written again
        print(self.headers.get("webhook-id"), did, flush=True)
        self.send_response(http)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if SECRETS == [""]:
        print("NOTIFICATION_SECRETS is empty: every notification is refused", flush=True)
    server = HTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()
# endregion
