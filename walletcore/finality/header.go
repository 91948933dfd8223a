package finality

import "billfold/ledger"

// header is a header as far as it is needed on.
type header struct {
	Point
	miner ledger.MinerID
	key   ledger.PublicKey // that signed; null for the anchor's block
}
