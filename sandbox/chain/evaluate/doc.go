// Package evaluate has the rules of the ledger: what an operation needs, what it
// costs and what it does, checked in the node's order and with the node's error
// texts.
//
// A rule is a value of type on for one type of operation. Each family of
// operations has a file that lists its rules, and NewRules lists the families; an
// operation need not be named anywhere else. An operation without a rule is refused
// with a fault that names it.
//
//	Rules.Prepare ─► Engine.Apply ─► for each operation: fee ─► evaluate ─► apply ─► charge
//
// The rules are those of the reference after its last hard fork, with two
// exceptions:
//
//   - The odd unit of an odd fee for a new asset is collected; if the fee is paid
//     in another asset, its whole worth leaves that asset's pool. The reference
//     creates units out of nothing in both cases.
//   - A claim takes no more out of a pool than its own fee has left there.
package evaluate
