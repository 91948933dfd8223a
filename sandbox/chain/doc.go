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
// Rules are those of the reference after its last hard fork. Elections, the
// order of the miners, slots, missed slots and the budget follow it to the unit,
// but for three things:
//
//   - A block may come before its slot begins. It takes the next slot then, and
//     of the fees its miner gets no more than what is left of the budget.
//   - Of an odd fee for a new asset, the unit that cannot be halved is collected;
//     of such a fee in another asset the whole worth leaves that asset's pool.
//     The reference makes units out of nothing in both cases.
//   - A claim takes no more out of a pool than its own fee has left there.
//
// The package owns one evaluator per operation code, in one table. Operations
// without one are refused with a fault that says so.
package chain
