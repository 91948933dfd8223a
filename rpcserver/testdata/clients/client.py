"""Calls the wallet as Python programs do: client.py HTTP-URL WS-URL. One line for each way; a way that fails ends it."""
import asyncio
import http.client
import json
import sys
import urllib.parse
import urllib.request

rpc, ws = sys.argv[1:3]


def call(name):
    return json.dumps({"jsonrpc": "2.0", "id": name, "method": "is_locked", "params": []})


def check(name, text):
    answer = json.loads(text)
    if answer.get("result") is not False or answer.get("id") != name:
        sys.exit(f"failed {name}: {text}")
    print("ok", name)


def library(name):
    try:
        return __import__(name)
    except ImportError:
        print("skip", name, "is not installed")


def with_urllib():
    name = "python-urllib"
    check(name, urllib.request.urlopen(rpc, call(name).encode()).read())
    name = "python-urllib-octet-stream"
    headers = {"Content-Type": "application/octet-stream"}
    check(name, urllib.request.urlopen(urllib.request.Request(rpc, call(name).encode(), headers)).read())


def with_http_client():
    url = urllib.parse.urlsplit(rpc)
    conn = http.client.HTTPConnection(url.netloc)
    for name in "python-http-client", "python-http-client-again":  # over one connection
        conn.request("POST", url.path, call(name), {"Content-Type": "text/json"})
        check(name, conn.getresponse().read())
    conn.close()


def with_requests(requests):
    name = "python-requests-json"
    check(name, requests.post(rpc, json=json.loads(call(name))).text)
    name = "python-requests-data"
    check(name, requests.post(rpc, data=call(name)).text)
    name = "python-requests-empty-login"
    check(name, requests.post(rpc, data=call(name), auth=("", "")).text)
    name = "python-requests-chunked"
    check(name, requests.post(rpc, data=iter([call(name).encode()])).text)


async def with_aiohttp(aiohttp):
    async with aiohttp.ClientSession() as session:
        name = "python-aiohttp-json"
        async with session.post(rpc, json=json.loads(call(name))) as answer:
            check(name, await answer.text())
    async with aiohttp.ClientSession() as session:
        name = "python-aiohttp-data"
        async with session.post(rpc, data=call(name)) as answer:
            check(name, await answer.text())
    async with aiohttp.ClientSession() as session:
        name = "python-aiohttp-ws"
        async with session.ws_connect(ws) as conn:
            await conn.send_str(call(name))
            check(name, (await conn.receive()).data)


def with_websocket_client(websocket):  # it sends the origin of the address that it calls
    name = "python-websocket-client"
    conn = websocket.create_connection(ws)
    conn.send(call(name))
    check(name, conn.recv())
    conn.close()


async def with_websockets(websockets):
    name = "python-websockets"
    async with websockets.connect(ws) as conn:
        await conn.send(call(name))
        check(name, await conn.recv())


with_urllib()
with_http_client()
if found := library("requests"):
    with_requests(found)
if found := library("aiohttp"):
    asyncio.run(with_aiohttp(found))
if found := library("websocket"):
    with_websocket_client(found)
if found := library("websockets"):
    asyncio.run(with_websockets(found))
