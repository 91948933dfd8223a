// Package chain is the ledger behind the sandbox: it holds the objects, checks
// and applies transactions as the reference node does, and makes blocks.
//
// It knows no sockets, no files and no clock: the time of a block is given by
// the caller, so the same calls give the same ids.
//
//	transaction ─► Prepare (no lock: bytes, id, keys of the signatures)
//	            ─► Push    (lock: checks in the node's order, pending state)
//	            ─► Mine    (lock: pending undone, applied again in a block)
//
// Every change of an object goes through a journal, so that a refused
// transaction leaves nothing behind. Objects handed out are never changed
// afterwards: a change replaces the object.
//
// The package owns one evaluator per operation code, in one table. Operations
// without one are refused with a fault that says so.
package chain
