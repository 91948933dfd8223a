package reconcile

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/balance"
)

// sums are the amounts of an asset that moved.
type sums struct{ in, out, fees big.Int }

// net returns what they add to the balance.
func (s *sums) net() *big.Int {
	n := new(big.Int).Sub(&s.in, &s.out)
	return n.Sub(n, &s.fees)
}

// moved returns net without fees.
func (s *sums) moved() *big.Int { return new(big.Int).Sub(&s.in, &s.out) }

// sheet holds the sums that moved, by day and asset. The day "" holds what is not irreversible.
type sheet map[string]map[ledger.AssetID]*sums

// pending is the day of what is not irreversible.
const pending = ""

// dayOf returns the UTC day of a block.
func dayOf(at ledger.Time) string { return time.Unix(int64(at), 0).UTC().Format(time.DateOnly) }

func (s sheet) sumOf(day string, asset ledger.AssetID) *sums {
	if s[day] == nil {
		s[day] = map[ledger.AssetID]*sums{}
	}
	if s[day][asset] == nil {
		s[day][asset] = &sums{}
	}
	return s[day][asset]
}

// clone returns a copy that shares nothing with s.
func (s sheet) clone() sheet {
	out := sheet{}
	for day, assets := range s {
		for asset, of := range assets {
			sum := out.sumOf(day, asset)
			sum.in.Set(&of.in)
			sum.out.Set(&of.out)
			sum.fees.Set(&of.fees)
		}
	}
	return out
}

// add adds what an operation did.
func (s sheet) add(day string, e balance.Effect) {
	for asset, amount := range e.In {
		sum := s.sumOf(day, asset)
		sum.in.Add(&sum.in, amount)
	}
	for asset, amount := range e.Out {
		sum := s.sumOf(day, asset)
		sum.out.Add(&sum.out, amount)
	}
	if e.Fee.Amount != 0 {
		sum := s.sumOf(day, e.Fee.AssetID)
		sum.fees.Add(&sum.fees, big.NewInt(e.Fee.Amount))
	}
}

// days are the days in order; what is not irreversible comes last.
func (s sheet) days() []string {
	var out []string
	for day := range s {
		if day != pending {
			out = append(out, day)
		}
	}
	slices.Sort(out)
	if s[pending] != nil {
		out = append(out, pending)
	}
	return out
}

// assets are those that moved, and those of more, in order.
func (s sheet) assets(more map[ledger.AssetID]int64) []ledger.AssetID {
	var out []ledger.AssetID
	for _, assets := range s {
		for asset := range assets {
			out = append(out, asset)
		}
	}
	for asset := range more {
		out = append(out, asset)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// decimals writes smallest units with all decimals of the asset.
func decimals(n *big.Int, precision uint8) string {
	text, sign := new(big.Int).Abs(n).String(), ""
	if n.Sign() < 0 {
		sign = "-"
	}
	if precision == 0 {
		return sign + text
	}
	if short := int(precision) + 1 - len(text); short > 0 {
		text = strings.Repeat("0", short) + text
	}
	at := len(text) - int(precision)
	return sign + text[:at] + "." + text[at:]
}
