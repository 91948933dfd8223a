// Package historyindex stores the operations of accounts on disk, as far as they
// were read from a daemon, so that a long history can be searched without reading
// it again.
//
//	daemon's pages ──► Extend (newer rows; after a fork they replace others)
//	               └─► Prepend (older rows, all final)
//	                      │ one transaction each
//	                      ▼
//	                    SQLite file ──► Page, Totals, Position, Jump
//
// For each account it keeps one run of rows without a gap, by the account's own
// count of its operations: Bottom … Top. Rows in blocks up to Final never
// change; those above are provisional, and Extend may remove them.
//
// Promises: a change is written whole or not at all, whenever the program dies. A
// change that would leave a gap, repeat a row or remove a final one is refused.
// Owns: the file and its schema. A file that is damaged, or of another version or
// chain, is set aside: it is only a cache, and its content can be read again.
//
// Refuses: decrypted memos. A row holds the operation as the daemon wrote it.
package historyindex
