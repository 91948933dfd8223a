"""Credits every deposit to an account once: python3 deposits.py ACCOUNT BOOKS [--once|--old]

BOOKS is an SQLite file, made if it is missing. A deposit is booked under its position, which is the same at every
server and after every restart, and acknowledged only when the books are on disk. A crash at any instant therefore lists
some deposits again, and books none twice. --once ends when nothing is left to be credited. --old books what there is
without crediting it: another system has, before this one.
"""

import sqlite3
import sys

from wallet import Refused, call, pause


def main(account, path, once, old=False):
    books = sqlite3.connect(path)
    books.execute(
        "CREATE TABLE IF NOT EXISTS credit (position TEXT PRIMARY KEY, transaction_id TEXT, sender TEXT NOT NULL, "
        "asset_id TEXT NOT NULL, amount TEXT NOT NULL, memo TEXT NOT NULL)"
    )
    while True:
        try:
            found = call("deposits.next", account=account, limit=100)
            if not found and once:
                return 0
            if not found:
                found = call("deposits.wait", account=account, limit=100, seconds=50)
        except (OSError, Refused) as problem:
            print("no deposits now:", problem, file=sys.stderr)
            pause()
            continue
        if not found:
            continue
        if any(d["memo_status"] == "locked" for d in found):
            # Whose these are stands in memos that nobody reads while the wallet is locked.
            print("unlock the wallet: there are deposits with memos", file=sys.stderr)
            if once:
                return 4
            pause(10)
            continue
        with books:  # one transaction: all of them, or none
            for d in found:
                # By asset id, not by symbol, and in smallest units, as text: neither can be mistaken for another.
                row = (d["position"], d["transaction_id"], d["from_id"], d["asset_id"], d["amount"], d["memo"])
                known = books.execute("SELECT * FROM credit WHERE position = ?", row[:1]).fetchone()
                if known and known[:5] != row[:5]:
                    sys.exit(f"{path} has another deposit at {d['position']}: it is the books of another ledger")
                if not known:
                    books.execute("INSERT INTO credit VALUES (?, ?, ?, ?, ?, ?)", row)
                    print("old" if old else "credit", d["pretty_amount"], "from", d["from"], "memo", repr(d["memo"]), flush=True)
        try:
            call("deposits.ack", account=account, position=found[-1]["position"])
        except (OSError, Refused) as problem:
            print("not acknowledged, so they are listed again:", problem, file=sys.stderr)
            pause()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], "--once" in sys.argv or "--old" in sys.argv, "--old" in sys.argv))
