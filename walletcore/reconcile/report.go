package reconcile

import (
	"math/big"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Report is the reconciliation of one account. Amounts are decimal text.
type Report struct {
	Account     string           `json:"account"`
	AccountID   ledger.AccountID `json:"account_id"`
	Complete    bool             `json:"complete"`     // the index has every operation up to head; otherwise there are no lines
	Exact       bool             `json:"exact"`        // balances and operations are of one block; false while transactions are under way: there are no lines
	Operations  uint64           `json:"operations"`   // in the index
	Total       uint64           `json:"total"`        // of the account
	Head        uint32           `json:"head"`         // the block as of which everything is
	Final       uint32           `json:"irreversible"` // the last irreversible block
	Opening     string           `json:"opening"`      // "zero": nothing was held before the first operation; "derived": from the balance
	Lines       []Line           `json:"lines"`
	Differences []Difference     `json:"differences"`
}

// Line is a day of one asset: opening + in − out − fees = closing.
type Line struct {
	Day     string         `json:"day"` // UTC, 2026-11-22; empty for what is not irreversible yet
	Asset   string         `json:"asset"`
	AssetID ledger.AssetID `json:"asset_id"`
	Opening string         `json:"opening"`
	In      string         `json:"in"`
	Out     string         `json:"out"`
	Fees    string         `json:"fees"`
	Closing string         `json:"closing"`
}

// Difference is a mismatch between an expected and a found amount.
type Difference struct {
	Day      string         `json:"day"` // empty: before the first operation of the index
	Asset    string         `json:"asset"`
	AssetID  ledger.AssetID `json:"asset_id"`
	Expected string         `json:"expected"`
	Found    string         `json:"found"`
	Amount   string         `json:"amount"` // found less expected
	What     string         `json:"what"`
}

// lines returns the days from … to (empty: all) of one asset, starting from its opening.
func (s sheet) lines(asset ledgerview.AssetRef, opening *big.Int, from, to string) (out []Line) {
	at := new(big.Int).Set(opening)
	text := func(n *big.Int) string { return decimals(n, asset.Precision) }
	for _, day := range s.days() {
		of := s[day][asset.ID]
		if of == nil {
			continue
		}
		next := new(big.Int).Add(at, of.net())
		if (day == pending && to == "") || day != pending && day >= from && (to == "" || day <= to) {
			out = append(out, Line{Day: day, Asset: asset.Symbol, AssetID: asset.ID, Opening: text(at),
				In: text(&of.in), Out: text(&of.out), Fees: text(&of.fees), Closing: text(next)})
		}
		at = next
	}
	return out
}

// difference returns nil if both are the same.
func difference(day string, asset ledgerview.AssetRef, expected, found *big.Int, what string) []Difference {
	if expected.Cmp(found) == 0 {
		return nil
	}
	return []Difference{{Day: day, Asset: asset.Symbol, AssetID: asset.ID, Expected: decimals(expected, asset.Precision),
		Found: decimals(found, asset.Precision), Amount: decimals(new(big.Int).Sub(found, expected), asset.Precision), What: what}}
}
