// Package history is the page of all operations of the account in focus:
// table, filter, detail, jumps, export. Rows are addressed by their position among
// those that match, in the wallet's index on disk; of them a window of about
// three screens is available.
//
//	key, event ──► question ──Tasks──► index ──Result──► answer ──► table, counts
//	                  │ a later one ends the earlier
//
// The newest row that the page was opened with is its edge: newer ones wait and
// are announced, they never push the view. Without an index, rows are read page by
// page as the person moves down (plain.go), and the filter waits.
package history
