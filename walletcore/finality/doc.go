// Package finality decides from the miners' signatures which blocks are
// irreversible, and which transactions are in them. No daemon's word counts.
//
//	active miners and keys, pinned at first sight ──► Anchor ─► New ─► Tracker
//	signed headers, one after another ──► Add ──► id, link, time, signature
//	                                       │
//	                                       ▼ the ledger's rule over pinned keys
//	                          Irreversible, Proven, Anchor (to be kept)
//
// # What is proven
//
// A header counts for a miner when its signature, canonical as the ledger wants
// it, recovers to the key that is pinned for that miner. Of the last header that
// each of the n pinned miners signed on the linked chain, sorted by number, the
// one at index ⌊30 % × n⌋ is irreversible: 70 % of the miners have signed it or
// a descendant (protocol/daemon-api.md 10). Everything linked below it is
// irreversible too. Any other header is tentative: it is linked, and proves nothing.
//
// # What changes what is pinned
//
// Only proven headers. Miners of a valid chain sign no descendant of a header
// that the ledger refuses, so a proven header shows that its miner was active
// then, and that the key was the miner's. From proven headers in order: an
// unknown miner becomes a pinned one; another key of a pinned miner replaces the
// old one. An active miner that is down misses a slot in every round of the
// schedule. When for two windows of six rounds the times of the blocks show fewer
// missed slots than there are silent miners, not all of those can be active: they lose
// their names, and as many as may still be active are counted on without one,
// as if they had signed nothing.
//
// So whoever has no miner's key can make tentative headers only, which change
// nothing here; whoever has less than what the rule asks for can neither. By
// holding headers back he delays. docs/design/010-finality.md has the argument,
// and what is weaker.
//
// # How it is used
//
// The first time, Pin makes the anchor from what daemons say of the active miners
// (trust on first use); from then on the anchor comes from the store, and what
// Anchor returns is written there when the last irreversible block moves. A long
// absence is made up for by CatchUp, which reads some thousand headers at most
// while seven of ten pinned miners still sign. Then:
//
//   - each new block goes through Transactions (merkle root, computed ids) and
//     Add, in order. Headers without signature (get_block_header) are of no use.
//   - ErrUnlinked says that a fork took blocks away: TakeBack those, and Add
//     what came instead. ErrContradiction says that the daemon's chain lacks a
//     block that is proven: it is not the ledger, and nothing it says counts.
//   - that a payment happened is proven by a block that holds its id and is
//     Proven.
//   - that it never will is proven by linked blocks without it, read by one
//     Tracker without a gap from a block that cannot hold it to a Proven one later than
//     its expiration. A reference block's number is a daemon's word, and no
//     such beginning: by naming an old block with a higher number a daemon could hide the blocks
//     that hold the payment. Begin behind the block that was Irreversible when
//     the bytes were signed; or behind the reference block once
//     a linked and Proven block of that number has the id that ledger.BlockRef
//     finds in the transaction.
//   - what a daemon calls irreversible and signatures do not show is
//     ByNodesWord: it may be shown, and decides nothing.
//
// The package is pure: no network, disk or clock; times are passed in. A
// Tracker is for one goroutine at a time.
package finality
