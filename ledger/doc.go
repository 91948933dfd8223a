// Package ledger holds the types of the DCore ledger: object ids, amounts,
// names, keys, authorities, operations, transactions and memos, with their two
// forms, JSON and bytes, exactly as the reference node writes them.
//
// The package is pure: no files, no sockets, no clock. Randomness is read only
// where a key, a nonce or a brain key is made.
//
// # Two forms, one declaration
//
// Every ledger type is a plain Go struct whose fields are in the reference's
// order. From that one declaration package codec derives the JSON and the bytes;
// there are no hand-written codecs for operations.
//
//	struct ──► codec.Pack ─────► bytes ──► SHA-256 ──► transaction id, signing digest
//	   ▲  └──► codec.Marshal ──► JSON (integers above 4294967295 as strings)
//	   └────── codec.Unmarshal, codec.Unpack (strict: what they accept packs to the same bytes)
//
// # Operations
//
// Each family of operations has one file (transfer.go, account.go, asset_operation.go,
// …). It holds the structs, their codes, and a declaration for each: rules, fee, who
// must sign, whose history it enters, what it moves, and its sentence.
//
// # Units
//
// Amounts are int64 in the asset's smallest unit, heights are blocks, times
// are UTC seconds. Nothing here is a float.
package ledger
