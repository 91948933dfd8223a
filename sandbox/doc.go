// Package sandbox is a one-node DCore network inside the program: a ledger
// (package chain) that serves the daemon interface on one port, websocket and
// HTTP POST, for tests, for development and for trying the wallet out.
//
// It promises the node's habits where protocol/daemon-api.md describes them:
// envelope, error objects, order of checks, ids of new objects, notices. Where
// INTERFACE.md is stricter than the node, it is strict: sets other than login
// and database work only after the login set has enabled them, and HTTP serves
// the database set alone.
//
//	frame ─► envelope ─► session (set ids, callbacks) ─► method table ─► chain
//	                                                          │
//	frame ◄─ writer goroutine ◄─ replies and notices ◄────────┘
//
// It is a tool for one machine: it has no peers, keeps nothing on disk, and
// its demo keys are known to everybody.
package sandbox
