// Package share hands the key of content to its buyers through seeders, none of whom can read the content alone
// (docs/protocol/content-engine.md 2, docs/design/018-content-engine.md).
//
//	Key ──Split──► a share per seeder ──Encrypt──► Ciphertext (content_submit) ──Deliver──► Ciphertext + proof (deliver_keys)
//	 ▲                                                                              │
//	 └─────────────────────── Restore ◄── enough shares ◄── Open by the buyer ◄─────┘
//
// Everything that comes from the ledger is parsed within bounds first: a number that is too long, degenerate or outside
// the group is refused before anything is computed with it. Keys and shares are not printed by accident, and their owner
// wipes them.
package share
