package payout

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"billfold/ledger"
)

// Fingerprint identifies a payment by chain, payer, recipient, asset and amount, whatever plan makes it. All of these are on the
// ledger in plain text; the memo is not in it. Journals keep fingerprints, so their form must not change.
func Fingerprint(chain ledger.ChainID, payer, to ledger.ObjectID, amount ledger.AssetAmount) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "billfold payout row\n%s\n%s\n%s\n%d\n%d", chain, payer, to, amount.AssetID, amount.Amount))
	return hex.EncodeToString(sum[:sha256.Size/2])
}
