// Package history reads what happened to accounts: the rows that a daemon returns, in
// the reference's words, and the index that is kept for the wallet's own accounts.
//
//	daemon ──► Filler ──► historyindex (on disk) ──► Reader ──► pages, counts, totals
//	   └──────────────────────────────────────────────┘  rows that the index does not have
//
// Memos are decrypted for display and are never stored. A row that is in no proven block
// is marked as the node's word. If a daemon contradicts final rows of the index, that is
// logged and the account is read again. Package filter parses the words that people filter
// by, package export writes the rows to files.
package history
