package progress

import (
	"slices"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/payment"
)

// Signing reports whether a payment is being signed and is not in the journal yet.
func Signing(p payment.Payment) bool {
	return p.State == payment.Prepared && p.ID == (ledger.TransactionID{})
}

// Underway returns the payments that are not final, including the one being signed: those with an unknown outcome first, then the
// oldest.
func Underway(env screen.Env) []payment.Payment {
	var out []payment.Payment
	for _, p := range append(slices.Clone(env.Payments), env.Signing.Payment) {
		if p.Prepared.IsZero() && Signing(p) {
			continue
		}
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
