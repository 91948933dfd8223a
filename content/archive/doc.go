// Package archive makes, keeps and opens content packages (docs/design/018-content-engine.md, Packages).
//
//	files ──► headers + bytes ──► gzip ──► AES-256-CBC ──► content.zip.aes ──► RIPEMD-160 = the folder's name
//
//	Store  <hash>/content.zip.aes, content.cus, Samples/, .state/lock
//
// Everything is streamed: memory does not grow with the content. What is made stands beside its place under a name of its own until
// it is whole and on the disk, and is moved then: a program that is killed leaves nothing half made in place, only a folder that
// RemoveLeftovers removes at the next start.
//
// A package comes from strangers. Nothing of it is written before the hash of all of it is the one on the ledger. Its names lead nowhere but
// below the folder they are extracted to, its sizes count only as far as bytes follow, and the limits of the caller hold.
package archive
