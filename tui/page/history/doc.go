// Package history is the page of all operations of the account in focus:
// table, filter, detail, jumps, export. Rows are addressed by their position among
// those that match, in the wallet's index on disk; a window of about four screens
// of them is loaded.
//
//	key, event ──► question ──Tasks──► index ──Result──► answer ──► table, counts
//	                  │ a later one ends the earlier
//
// The newest row that the page was opened with is its edge: newer ones are
// announced, but wait until they are asked for, so that nothing moves. Without an
// index, rows are read from the node page by page as the person moves down
// (index.go), and the filter waits.
package history
