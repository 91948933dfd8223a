// Package ipfs is a client of the HTTP interface of an IPFS daemon, as far as content packages need it (docs/design/018-content-engine.md,
// IPFS): it publishes packages and downloads them.
//
// The daemon is not trusted, and neither is what it gets from others. Of a listing only the names that a package has are used, none as a path that was
// not checked. What was downloaded counts only after its hash is the one on the ledger; until then it is kept beside its place, where the next try
// finds it. Answers are limited in size, and a daemon that stops in the middle is given up after a while without a byte.
package ipfs
