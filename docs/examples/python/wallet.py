"""Calls a Billfold server. Needs nothing but Python 3.9."""

import http.client
import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ.get("WALLET_URL", "http://127.0.0.1:8093/rpc")
TOKEN_FILE = os.environ.get("WALLET_TOKEN_FILE")


class Refused(Exception):
    """The wallet answered with an error. key is what a program that pays under a request key may do with that key:
    "same", "new" or "taken"; None: the error is about no key."""

    def __init__(self, error):
        data = error.get("data") or {}
        super().__init__(error["message"])
        self.code, self.name, self.key = error["code"], data.get("name"), data.get("request_key")


def call(method, **params):
    """Returns the result of one operation. Raises Refused, and OSError where no answer came: then nobody knows
    whether it was done."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json"}
    if TOKEN_FILE is not None:
        with open(TOKEN_FILE, encoding="utf-8") as file:
            headers["Authorization"] = "Bearer " + file.read().strip()
    request = urllib.request.Request(URL, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=90) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as refusal:  # its body says why, if a wallet wrote it
        try:
            answer = json.load(refusal)
        except ValueError:
            raise OSError(f"{URL} answers {refusal.code} {refusal.reason}") from None
    except (ValueError, http.client.HTTPException) as garbage:
        raise OSError(f"{URL} gives no whole answer: {garbage}") from None
    if answer.get("error"):
        raise Refused(answer["error"])
    return answer["result"]


def pause(seconds=2):
    time.sleep(seconds)
