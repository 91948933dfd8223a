// Package codec writes and reads ledger values in their two forms, JSON and
// bytes, exactly as the reference node does. Both forms follow from one
// declaration, a Go struct whose fields stand in the reference's order:
//
//	struct ──► Pack ────► bytes   Unpack accepts only what Pack would write
//	       ──► Marshal ─► JSON    integers above 4294967295 as strings, sets in order
//
// A type's codec is built by reflection when the type is first seen, and kept.
// Types that have a form of their own implement Coder.
//
// The `json` tag names a member; the `fc` tag says what the type alone cannot:
// "set" for sorted lists, "map" for lists of pairs sorted by their first, "pair"
// for a struct written as an array of two, "variant" for a choice of one. A
// pointer is an optional value and is left out of JSON when nil.
//
// What is read is hostile until it has been read: nesting, sizes and counts are
// bounded before anything is allocated.
package codec
