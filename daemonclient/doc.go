// Package daemonclient talks to a DCore daemon over one websocket.
//
// It owns the line: dialling, login, the numbers under which this connection
// reaches the API sets, the check of the chain id, keep-alive, and the way back
// after a break. Callers see methods with typed results, and errors they can
// branch on.
//
//	caller ──Call──► encode ──► outbox ──► writer ══► websocket ══► daemon
//	   ▲                                                              │
//	   └── decode ◄── pending[id] ◄── reader ◄══════ answers, notices ┘
//	                                     └──► subscribers (blocks, states)
//
// Promises: many calls share the line and are answered in any order; a query
// whose line broke is asked once more on the next line; a broadcast is never
// sent twice; every call ends, at the latest after Config.CallTimeout; when Run
// returns, no goroutine of the package is left.
//
// Refuses: a daemon of another chain, and one that sends what is not JSON or is
// larger than Config.ReadLimit. The daemon is not trusted: its texts are
// cleaned before they get into an error.
package daemonclient
