package progress

import (
	"slices"

	"billfold/walletcore/payment"
)

// Underway returns the payments that are not final: those with an unknown outcome first, then the oldest.
func Underway(all []payment.Payment) []payment.Payment {
	var out []payment.Payment
	for _, p := range all {
		if p.State <= payment.InBlock || p.State == payment.Unknown {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b payment.Payment) int {
		switch {
		case a.State == payment.Unknown && b.State != payment.Unknown:
			return -1
		case a.State != payment.Unknown && b.State == payment.Unknown:
			return 1
		}
		return a.Prepared.Compare(b.Prepared)
	})
	return out
}
