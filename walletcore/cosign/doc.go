// Package cosign is about transactions that several wallets sign one after the other, as files that are carried between
// them (docs/transactions.md).
//
//	transaction ─► File ─► written ─► Parse ─► Inspect, Sign, Merge ─► written … ─► broadcast
//
// Promises: what is shown comes from the bytes that are signed. Nothing here asks a daemon, so all of it works without
// one; what only a daemon could confirm is marked as unchecked. A transaction's reference block and expiration are
// never changed.
//
// Refuses: a file whose JSON and bytes differ, or with a duplicate or unknown member; more than 1 MiB; signatures that
// the transaction does not need; to sign for a chain other than that of the keys, what has expired or lasts longer than
// a day, and fees above the ceiling.
package cosign
