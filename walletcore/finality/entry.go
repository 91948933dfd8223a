package finality

import "billfold/ledger"

// entry is a header as far as it is needed on.
type entry struct {
	Point
	miner ledger.MinerID
	key   ledger.PublicKey // that signed; null for the anchor's block
}
