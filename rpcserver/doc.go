// Package rpcserver is the interface for programs: JSON-RPC over HTTP and
// websocket. It owns the envelope (the form of requests and answers), the rules
// about who may call, and the limits that keep one client from harming another.
// The Caller behind it executes the calls.
//
//	HTTP  ──► filter ──► Authenticator ──► body ──┐                                ┌─► HTTP answer
//	                                             ├─► envelope ──► dispatcher ──► Caller
//	ws    ──► filter ──► Authenticator ──► frame ─┘                                └─► one writer per websocket
//
// # Where a call can be refused
//
// In this order:
//
//  1. requestFilter.check (request_filter.go): Host, Origin, Sec-Fetch-Site. HTTP 403.
//  2. front.authenticate (front.go): who calls; package token reads the credential. 401, or 503 while the file of tokens cannot be read.
//  3. front.post and readBody (front.go), session.receiveFault (session.go): path, method, type and size of the body. 404, 400, 403, 405, 413, 415, 503;
//     sessions.upgrade (sessions.go) for a websocket.
//  4. readMessage (envelope.go): JSON, the form of a request, the size of a batch. -32700, -32600, -32602.
//  5. dispatcher (dispatch.go), connLimit, entrance: room for the call and for its answer, or the server ends. -32005.
//  6. Principal.Authorize: what a token may do. The one of package token (authenticator.go) looks at its end and address, its methods (scope.go), then
//     at account, recipient, asset, amount and what it spent today (authorize.go, count.go). -32010, also on a websocket whose token has ended.
//  7. audit.Decider.Decide: --rpc-spends and --rpc-keys, with a record of the decision; a wrong password has to wait (password_backoff.go). -32010.
//  8. walletapi.Catalogue.Call: no such operation, its parameters (bind.go), the lock, a person who is asked about keys.
//  9. The operation itself, in walletcore. A spend is payment.Payments.Spend, whose package comment has the order. It asks the person, and the token once
//     more, for what was built, where the parameters do not state what is paid to whom (token/judge.go); and the commit proves the token.
//
// An answer whose id is null comes from 1 to 4. A token that limits payments (6) and the policy (7) read parameters and look up names, so that their
// errors are those of 8 and 9 as well.
//
// A code and its number are a row in walletcore/fault/code.go; those of the server itself are in fault.go. The sentence is written where the error is made.
//
// # Two dialects, one envelope
//
// A request that says "jsonrpc":"2.0" is answered by JSON-RPC 2.0: its error
// numbers (-32700, -32600, -32601, -32602), HTTP status 200 whatever the
// outcome, notifications and batches. Any other request is answered as the
// reference wallet does: 51 (no such method), 50 (too few parameters), 54 (an
// invalid one), and HTTP status 500 with an error, 400 if "method" is missing.
// Text that is not JSON, and an empty batch, are in neither dialect and get the
// reference's 500, but with an answer that explains it. HTTP POST to the
// websocket port is always answered with 200, as the reference does. All other
// errors carry the reference's own number in both dialects; NumbersOf is the
// table.
//
// The id is echoed byte for byte. A request without an id is executed and not
// answered: silence on a websocket, 200 with an empty body over HTTP. (The
// reference answers those over HTTP with a random id, which this server does not
// copy.) {"method":"call","params":[0,"transfer",[…]]} means transfer with these
// parameters. The calls of a batch run in order; separate messages of one
// websocket run at the same time and may be answered out of order, except for this:
//
// Operations that change or show what later calls of a connection work with (walletapi.Method.InOrder: the lock, the password,
// keys that are stored, transactions under construction, cursors, events) are done in their place (order.go). Such a message begins
// when all messages before it on its websocket have ended, and what comes after it begins when it has ended. So a whole
// sequence of begin, add, add, sign can be sent at once. Nobody waits for a call that waits for a person, for blocks or
// for deposits; lock waits for Limits.SlotWait at most, and is done even if its client has left. What has waited for
// Limits.CallTime is refused (-32005), and what waits when the client leaves is not begun. Where a sequence is longer
// than Limits.PerClient, the rest is read when there is room, for up to Limits.CallTime, and not refused after SlotWait.
//
// # Who may call
//
// Loopback keeps out other machines, but not web pages: a browser on this machine
// sends what any page tells it to. So, before a body is read:
//
//   - Host must name this listener: a loopback name or address, or the address
//     the connection came in on, with the port listened on. A page that rebinds
//     its own DNS name to 127.0.0.1 still sends its own name.
//   - An Origin header, "null" included, is refused unless it is in the list of
//     allowed origins, or exactly the scheme, host and port that the request was
//     sent to: there are no pages here, but clients for websockets name that
//     origin by themselves. Refused is also Sec-Fetch-Site with anything but none or
//     same-origin. Browsers attach one or the other to every cross-site POST and
//     websocket; curl attaches neither.
//   - A body that is not declared as JSON is refused, before any of it is read, with another page's Origin
//     or Referer, which only browsers send: some types (text/plain, a form, none)
//     need no pre-flight request. The reference does not look at the type, and
//     programs send all kinds: "curl -d" application/x-www-form-urlencoded, others
//     application/octet-stream or text/json. They are all answered.
//   - No CORS header is ever sent, so that no page can read an answer, and a
//     pre-flight request fails. Allowing an origin therefore helps only
//     websockets and programs that happen to send Origin.
//
// New refuses addresses beyond loopback without both an Authenticator and TLS,
// unless Options.BeyondLoopback is set.
//
// Then, still before the body is read, an Authenticator (package token has one) identifies the client, and its
// Principal decides about each call: 401 means that the client is unknown, -32010
// that it may not make this call. Authorization: Basic with neither a user nor a
// password, as clients send that were given none, is no credential. The unix socket has mode 0600 and refuses
// processes of other users, as the operating system identifies them. No web page
// reaches it, so its Host is not checked, and a client that sends no token may do
// what its user may.
//
// # Promises
//
// Nothing a client sends crashes or hangs the server, and neither parameters nor
// results are logged. A call's context ends when its client leaves, at its
// deadline (Limits.CallTime), or when draining has lasted too long. When Serve returns, every
// goroutine it started has ended.
//
// A client of HTTP that has sent a whole request and then shuts down its writing side ("nc -N", shutdownOutput,
// close_notify) has not left: it is answered. It has left when its connection is reset or cannot be written to, or, with TLS,
// when the connection under it has ended. Without TLS that a client has closed its connection looks at first like such a
// half-close; the server sends the first bytes of the answer ahead, one at a time (presence.go), and the second of them fails
// if nobody is there: after 0.2 s, or after some seconds more for one that closes late. On a websocket the end of what is
// sent is the end of the connection.
//
// A spend that has begun is not broken off because its client leaves, only at its deadline or by the end of the server; but while
// it waits for a person, it ends with its client: "the program hung up".
package rpcserver
