// Package daemonclient talks to DCore daemons, one websocket each.
//
// It owns the connections: dialling, login, the numbers under which a connection reaches the API sets, the check of the
// chain id, keep-alive and reconnecting; and the choice of the daemon in use (pool_choice.go, rank.go). Callers see
// methods with typed results, and errors they can branch on.
//
//	caller ──Call──► encode ──► connection in use: outbox ──► writer ══► websocket ══► daemon
//	   ▲                           ▲                                              │
//	   └── decode ◄── pending[id] ◄┼───────── reader ◄═══════ answers, notices ═══┘
//	                               │             └──► subscribers (blocks, states)
//	      chain, head age, silence, latency, faults
//	                               └── probes all connections
//
// Promises: many calls share the connection and are answered in any order; a query whose connection broke is asked
// again on the next connection, to the same daemon or to the one that took over; a broadcast is never sent twice, and
// never to a stale daemon; a usable daemon is not left because of noise; every call ends after Config.CallTimeout at
// the latest; when Run returns, no goroutine of the package is left.
//
// What has to be true before an answer is believed, in layers:
//
//  1. the connection: TLS and its certificate (tls.go), the login and the chain id (connect.go)
//  2. the frame: JSON (parseFrame in request.go), of a call that was made and no larger than it may be (dispatch in conn.go); otherwise the
//     connection breaks
//  3. the answer: neither too deep nor ambiguous (inspect in answer.go), it fits its question, and could be on a ledger (answer_rule.go has the
//     table, and each check is beside its query); all called by call.judge; otherwise a FalseAnswerError, and the connection stays
//  4. ids, names, decimals, keys and fees are what they were when they were accepted (ledgerview/pin_table.go, docs/design/009)
//  5. with --daemon-quorum, several daemons say the same (ledgerview/quorum.go)
//  6. what is final: blocks that the miners signed (walletcore/finality, docs/design/010)
//  7. the daemon as a whole: not stale, ahead of time, or without a block that is proven (ledgerview/readiness.go)
//
// Before a signature the bytes are compared once more with what was asked for and accepted (walletcore/txbuild/sign.go).
//
// Refuses: a daemon of another chain, and one that sends anything but JSON, an answer to a call that was not made, or
// more bytes than the answer may have. Each answer is checked against its question before anybody sees it
// (answer_rule.go has the table of methods): one that does not fit, or that holds what no ledger can hold, is a
// FalseAnswerError. The daemon is not trusted: its texts are cleaned before they get into an error.
package daemonclient
