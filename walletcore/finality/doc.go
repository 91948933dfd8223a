// Package finality decides from the miners' signatures which blocks are irreversible, and which transactions are in
// them. What a daemon merely claims decides nothing.
//
//	active miners and keys, pinned at first sight ──► Anchor ─► New ─► Tracker
//	signed headers, one after another ──► Add ──► id, link, time, signature
//	                                       │
//	                                       ▼ the ledger's rule over pinned keys
//	                          Irreversible, Proven, Anchor (to be stored)
//
// # What is proven
//
// A header counts for a miner if its signature, canonical as the ledger requires, recovers to the key pinned for that
// miner. Take the last header that each of the n pinned miners signed on the linked chain, sorted by number: the one at
// index ⌊30 % × n⌋ is irreversible, because 70 % of the miners have signed it or a descendant (docs/protocol/daemon-api.md
// 10). Everything linked below it is irreversible too. Any other header is tentative: it is linked, and proves nothing.
//
// # What changes the pinned miners
//
// Only proven headers do. Miners of a valid chain sign no descendant of a header that the ledger refuses, so a proven
// header shows that its miner was active then, and that the key was the miner's. Going through proven headers in order,
// an unknown miner is pinned, and another key of a pinned miner replaces the old one. An active miner that is down
// misses a slot in every round of the schedule. If for two windows of six rounds the block times show fewer missed slots
// than there are silent miners, not all of those can be active. They then lose their names, and as many as may still be
// active are counted without one, as if they had signed nothing.
//
// So whoever has no miner's key can only make tentative headers, which change nothing here, and whoever has fewer keys than the rule
// asks for can do no more. Holding headers back only delays. docs/design/010-finality.md has the argument, and its weaker points.
//
// # How it is used
//
// The first time, Pin makes the anchor from what daemons say about the active miners (trust on first use). From then on the
// anchor comes from the store, and what Anchor returns is saved there whenever the last irreversible block advances. After a
// long absence CatchUp catches up, reading some thousand headers at most while seven of ten pinned miners still sign. Then:
//
//   - Each new block goes through Transactions (merkle root, computed ids) and
//     Add, in order. Headers without signature (get_block_header) are of no use.
//   - ErrUnlinked means that a fork removed blocks: Rewind those, and Add what
//     replaced them. ErrContradiction means that the daemon's chain lacks a
//     block that is proven: it is not the ledger, and nothing it says counts.
//   - That a payment happened is proven by a block that holds its id and is
//     Proven.
//   - That it never will is proven by linked blocks without it, read by one
//     Tracker without a gap, from a block that cannot hold it to a Proven one
//     later than its expiration. The number of a reference block is a daemon's
//     claim and no such start: by giving an old block a higher number, a daemon
//     could hide the blocks that hold the payment. Start after the block that was
//     Irreversible when the bytes were signed; or after the reference block, once
//     a linked and Proven block of that number has the id that ledger.BlockRef
//     finds in the transaction.
//   - What a daemon calls irreversible and signatures do not show is
//     ByNodesWord: it may be displayed, and decides nothing.
//
// The package is pure: no network, disk or clock; times are passed in. A Tracker is for one goroutine at a time.
package finality
