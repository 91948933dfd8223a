// Package codec writes and reads ledger values in their two forms, JSON and
// bytes, exactly as the reference node does. Both forms follow from one
// declaration, a Go struct whose fields are in the reference's order:
//
//	struct ──► Pack ────► bytes   Unpack accepts only what Pack would write
//	       ──► Marshal ─► JSON    integers above 4294967295 as strings, sets in order
//
// A type's codec is built by reflection when the type is first seen, then cached.
// Types with a form of their own implement Coder.
//
// The `json` tag names a member; the `fc` tag says what the type alone cannot:
// "set" for sorted lists, "map" for lists of pairs sorted by key, "pair" for a
// struct written as an array of two, "variant" for one of several types. A
// pointer is an optional value and is left out of JSON when nil.
//
// Input is treated as hostile: nesting, sizes and counts are checked before
// anything is allocated.
package codec
