// Package ledger holds the words of the DCore ledger: object ids, amounts,
// names, keys, authorities, operations, transactions and memos, with their two
// forms, JSON and bytes, exactly as the reference node writes them.
//
// The package is pure: no files, no sockets, no clock. Randomness is read only
// where a key, a nonce or a brain key is made.
//
// # Two forms, one declaration
//
// Every ledger type is a plain Go struct whose fields stand in the reference's
// order. From that one declaration come the JSON (Marshal, Unmarshal) and the
// bytes (Pack, Unpack); there are no hand-written codecs per operation.
//
//	struct ──► Pack ──► bytes ──► SHA-256 ──► transaction id, signing digest
//	   ▲  └──► Marshal ─► JSON (integers above 4294967295 as strings)
//	   └────── Unmarshal, Unpack (strict: what they accept packs to the same bytes)
//
// The `json` tag names a member; the `fc` tag says what the type alone cannot:
// "set" for sorted lists, "map" for lists of pairs sorted by their first, "pair"
// for a struct written as an array of two, "variant" for a choice of one.
// A pointer is an optional value and is left out of JSON when nil.
//
// # Units
//
// Amounts are int64 in the asset's smallest unit, heights are blocks, times
// are UTC seconds. Nothing here is a float.
package ledger
