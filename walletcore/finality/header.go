package finality

import "billfold/ledger"

// header is what is needed of a signed header.
type header struct {
	Point
	miner ledger.MinerID
	key   ledger.PublicKey // the signer's; null for the anchor's block
}
