"""Pays each order of a list once: python3 payouts.py ACCOUNT < ORDERS

A line of ORDERS is a JSON object: {"order": "w-1001", "to": "bobby", "amount": "1.5", "asset": "DCT", "memo": ""}. The
order is the request key. Whatever happens, the program may be started again with the same lines: what was paid is
answered with its transaction and not paid again. The exit code is 1 if an order was refused.
"""

import json
import sys

from wallet import Refused, call, pause


def pay(account, order):
    """Returns the transaction id, or None if the order is refused for good."""
    while True:
        try:
            sent = call(
                "transfer",
                **{"from": account, "to": order["to"], "amount": order["amount"], "asset_symbol": order["asset"]},
                memo=order["memo"],
                broadcast=True,
                request_key=order["order"],
            )
            return sent["transaction_id"]
        except OSError as problem:
            # Nobody knows whether it was paid. The same request under the same key pays once at most.
            print(order["order"], "no answer:", problem, file=sys.stderr)
        except Refused as refusal:
            print(order["order"], "refused:", refusal, file=sys.stderr)
            if refusal.name == "unauthorized":  # this and all orders behind it: start again with another token
                sys.exit(1)
            if refusal.name == "request_key" and refusal.key == "same":  # it may have been paid before a loss: a person says so with billfold store claim
                sys.exit(1)
            if refusal.key in ("new", "taken") or refusal.name not in PASSING and not was_made(order):
                return None
        pause()


def was_made(order):
    """Whether the order was signed: what the node refused may still happen, until it expires. A repeated request has the outcome."""
    try:
        return bool(call("get_payment", id_or_key=order["order"]))
    except OSError:
        return True  # nobody knows: the request is made again
    except Refused as refusal:
        return refusal.name != "no_such_payment"


# What passes by itself, or once somebody has done something: the same request is made again.
PASSING = {
    "wallet_is_locked_exception", "outcome_unknown", "daemon_away", "daemon_stale", "canceled_exception", "file", "limit_exceeded",
}


FIELDS = ("order", "to", "amount", "asset", "memo")


def main(account):
    failed = False
    for line in sys.stdin:
        if not line.strip():
            continue
        order = json.loads(line)
        wrong = [name for name in FIELDS if not isinstance(order.get(name), str)]
        if wrong or not order["order"]:  # without a key, a payment could be made twice; numbers lose digits
            sys.exit(f"each of {', '.join(FIELDS)} must be text in quotes; this order has none in {', '.join(wrong) or 'order'}: {line.strip()}")
        paid = pay(account, order)
        print(order["order"], paid or "not paid", flush=True)
        failed = failed or paid is None
    return int(failed)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
