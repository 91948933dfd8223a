// Package reconcile adds up an account's history and compares the sum with what the node says it holds.
//
//	index ─► what each operation moved ─► days by asset: opening + in − out − fees = closing
//	node  ─► balances now ─► closing of the last day with what is not irreversible yet
//
// Amounts are added up from the operations themselves, not from what the node says they did. An account that was
// created by an operation held nothing before it, so its opening is known and every difference shows. An account of the
// genesis held what the genesis assigned to it, which no operation states: its opening follows from the balance, and
// each day is compared with what the node says the operations moved.
//
// It promises that a report is of one block: index and balances are read at the same head, at a moment at which nothing is
// under way, because the balances of a node hold that too. If the index is not complete, or that moment does not come, the
// report says so.
package reconcile
