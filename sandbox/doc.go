// Package sandbox is a one-node DCore network inside the program: a ledger
// (package chain) that serves the daemon interface on one port, websocket and
// HTTP POST, for tests, for development and for trying out the wallet.
//
// It behaves as the node does where docs/protocol/daemon-api.md describes it:
// envelope, error objects, order of checks, ids of new objects, notices. Where
// docs/protocol/interface.md is stricter than the node, it is strict: sets other than login
// and database work only after the login set has enabled them, and HTTP serves
// the database set alone.
//
//	frame ─► envelope ─► session (set ids, callbacks) ─► method table (api) ─► chain
//	                                                          │
//	frame ◄─ writer goroutine ◄─ replies and notices ◄────────┘
//
// The developer set, called by names that begin with sandbox_, does what no real
// node does: blocks, time, snapshots, money and faults on demand. With a state
// file the ledger survives restarts; see docs/design/006-sandbox.md.
//
// It is a tool for one machine: it has no peers, and its demo keys are public.
package sandbox
