// Package rpcserver is the interface for programs: JSON-RPC over HTTP and over
// websocket. It owns the envelope (what a request and an answer look like), the
// rules about who may call, and the limits that keep one client from harming
// another. What a call does is the business of the Caller behind it.
//
//	HTTP  ──► filter ──► body ──┐                                ┌─► HTTP answer
//	                           ├─► envelope ──► dispatcher ──► Caller
//	ws    ──► filter ──► frame ─┘                                └─► one writer per websocket
//
// # Two dialects, one envelope
//
// A request that says "jsonrpc":"2.0" is answered by JSON-RPC 2.0: its error
// numbers (-32700, -32600, -32601, -32602), HTTP status 200 whatever the
// outcome, notifications and batches. One that does not say so gets the habits
// of the reference wallet: 51 (no such method), 50 (too few parameters), 54 (a
// wrong one), and HTTP status 500 with an error, 400 where "method" is missing.
// Text that is no JSON, and an empty batch, say nothing, so they get the
// reference's 500 too, but with an answer that explains it. HTTP POST to the
// websocket's port is answered with 200 always, as the reference does. Every
// other error carries the reference's own number in both dialects; NumbersOf is
// the table.
//
// The id is echoed byte for byte. A request without an id is executed and not
// answered: silence on a websocket, 200 with an empty body over HTTP. (The
// reference answers those over HTTP with a random id; that is not copied.)
// {"method":"call","params":[0,"transfer",[…]]} means transfer with these
// parameters. Calls of one batch run in their order; separate messages of one
// websocket run at the same time and may be answered out of order.
//
// # Who may call
//
// Loopback keeps other machines out, not web pages: a browser on this machine
// sends what any page tells it to. So, before a body is read:
//
//   - Host must name this listener: a loopback name or address, or the address
//     the connection came in on, with the port listened on. A page that rebinds
//     its own DNS name to 127.0.0.1 still sends its own name.
//   - An Origin header is refused unless listed, "null" included, as is
//     Sec-Fetch-Site with anything but none or same-origin. Browsers attach one
//     or the other to every cross-site POST and websocket; curl attaches neither.
//   - A body that a page may send without asking first (text/plain, a form, no
//     type) is accepted only from what is no browser: with Origin or Referer it
//     is refused. Scripts written for the reference use "curl -d", which sends
//     application/x-www-form-urlencoded, and go on working.
//   - No CORS header is ever sent, so that no page can read an answer, and a
//     pre-flight request fails. A listed origin is therefore of use to
//     websockets and to programs that happen to send Origin.
//
// New refuses addresses beyond loopback without both an Authenticator and TLS,
// unless Options.BeyondLoopback insists.
//
// An Authenticator (package token has one) is asked after all of that, and for each
// call again: 401 says that nobody knows the client, -32010 that it may not make
// this call. The unix socket has mode 0600 and refuses processes of other users
// by what the system says of them; no web page reaches it, so its Host is not
// checked, and a client that shows no token may do what its user may.
//
// # Promises
//
// Nothing a client sends crashes or hangs the server, and nothing it sends is
// logged: neither parameters nor results. A call's context ends with its
// client, with its deadline, or when draining has lasted too long. When Serve
// returns, every goroutine it started has ended.
package rpcserver
