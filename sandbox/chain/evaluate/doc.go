// Package evaluate has the rules of the ledger: what an operation needs, what it
// costs and what it does, checked in the node's order and in the node's words.
//
// A rule is the value of type on for one type of operation. Each family of
// operations has a file that lists its rules, and NewRules lists the families:
// there is no other place where an operation has to be named. An operation
// without a rule is refused with a fault that says so.
//
//	Rules.Prepare ─► Engine.Apply ─► for each operation: fee ─► evaluate ─► apply ─► charge
//
// The rules are those of the reference after its last hard fork, but for two things:
//
//   - Of an odd fee for a new asset, the unit that cannot be halved is collected;
//     of such a fee in another asset the whole worth leaves that asset's pool.
//     The reference makes units out of nothing in both cases.
//   - A claim takes no more out of a pool than its own fee has left there.
package evaluate
