// Package historyindex keeps the operations of accounts on disk, as far as they
// were read from a daemon, so that a long history is looked through without
// asking for it again.
//
//	daemon's pages ──► Extend (newer rows, after a fork in place of others)
//	               └─► Prepend (older rows, all final)
//	                      │ one transaction each
//	                      ▼
//	                    SQLite file ──► Page, Totals, Position, Jump
//
// Of each account it keeps one run of rows without a gap, by the account's own
// count of its operations: Bottom … Top. Rows in blocks up to Final never
// change; those above are provisional and are taken back by Extend.
//
// Promises: a change is written whole or not at all, whenever the program
// dies; it is refused when it would leave a gap, repeat a row or take back a
// final one. Owns: the file, its schema, and setting it aside when it is
// damaged, of another version or of another chain: it is only a cache, and
// what is in it can be read again.
//
// Refuses: decrypted memos. A row holds the operation as the daemon wrote it.
package historyindex
