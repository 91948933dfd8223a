package keys

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// XRay lists the parties that may act for accounts, for a UI that shows it row by row.
type XRay struct{ authorities }

// Party is a key or an account of an authority, and how far it counts here.
type Party struct {
	Role      string // "active" or "owner", on the first party of each
	Level     int    // how many accounts it is nested in
	Weight    uint16
	Threshold uint32 // of the authority that names it
	Key       ledger.PublicKey
	Account   ledgerview.AccountRef // its id is 0 for a key
	State     string                // "here", "in part", "not here"
}

// ReadXRay reads accounts and all accounts that their authorities name.
func ReadXRay(ctx context.Context, core Core, accounts []vault.OwnAccount) (*XRay, error) {
	read, err := readTree(ctx, core, accounts)
	if err != nil {
		return nil, err
	}
	x := &XRay{authorities{core: core}}
	x.tree, _ = read.(tree)
	return x, nil
}

// Parties returns who may act for an account: those of its active authority, then those of its owner authority.
func (x *XRay) Parties(id ledger.AccountID) (out []Party) {
	for _, p := range x.tree.partyRows(id) {
		row := Party{Role: p.role, Level: len(p.bars), Weight: p.weight, Threshold: p.threshold, Key: p.key,
			State: map[presence]string{absent: "not here", partial: "in part", present: "here"}[p.state]}
		if p.account != 0 {
			row.Account = x.nameOf(p.account)
		}
		out = append(out, row)
	}
	return out
}

// Held returns the keys of an account that are in this wallet.
func (x *XRay) Held(id ledger.AccountID) []screen.HeldKey { return x.tree.heldKeys(id) }

// Flip switches whether a key or an account counts.
func (x *XRay) Flip(p Party) {
	if x.tree.flipped == nil {
		x.tree.flipped = map[string]bool{}
	}
	which := party{key: p.Key, account: p.Account.ID}.flipKey()
	if x.tree.flipped[which] = !x.tree.flipped[which]; !x.tree.flipped[which] {
		delete(x.tree.flipped, which)
	}
}

// Verdict returns a sentence on what the keys here can do for an account, and what is wrong or risky about its authorities.
func (x *XRay) Verdict(id ledger.AccountID) (result string, warnings []canvas.Line) {
	a := x.tree.lookup(id)
	if a == nil {
		return "The node does not have this account.", nil
	}
	return x.tree.verdict(a), x.tree.warnings(id)
}
