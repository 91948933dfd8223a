// Package chain is the ledger behind the sandbox: one chain under one lock, which
// accepts transactions, makes blocks and rewinds them.
//
// It knows no sockets, no files and no clock: the caller provides the time of a
// block, so the same calls yield the same ids.
//
//	transaction ─► Prepare (no lock: bytes, id, keys of the signatures)
//	            ─► Push    (lock: checks in the node's order, pending state)
//	            ─► Mine    (lock: pending undone, applied again in a block)
//
// Its parts:
//
//	chain ─► produce (blocks, schedule, maintenance) ─► evaluate (a rule per operation)
//	  │                                                   │        │
//	  └────► genesis ─► state (tables, indexes, undo) ◄───┘        └─► authority
//
// Every change of an object goes through the state's journal, so that a refused
// transaction leaves nothing behind. Objects returned are never changed
// afterwards: a change replaces the object.
package chain
