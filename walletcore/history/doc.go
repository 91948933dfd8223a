// Package history reads what happened to accounts: the rows that a daemon answers, in
// the reference's words, and the index that is kept of own accounts.
//
//	daemon ──► Filler ──► historyindex (on disk) ──► Reader ──► pages, counts, totals
//	   └──────────────────────────────────────────────┘  rows that the index does not have
//
// Memos are opened while they are shown and are never stored. A row that no proven block
// holds is marked as the node's word. What the index contradicts is an error, never
// silently replaced. Package filter parses the words that people filter by, package
// export writes the rows as files.
package history
