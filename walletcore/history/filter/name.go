package filter

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// named is accounts for a word that must mean at least one.
func (f *question) named(w word) (all []ledger.AccountID, err error) {
	for part := range strings.SplitSeq(strings.ToLower(w.value), ",") {
		found, err := f.accounts(part)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			if a, known := f.elsewhere(part); known {
				found = append(found, a)
			}
		}
		if len(found) == 0 {
			return nil, w.part(part, "no such account here", f.nearestAccount(part))
		}
		all = append(all, found...)
	}
	if len(all) > mostAccounts {
		return nil, w.tooMany()
	}
	return all, nil
}

// askAtMost is how long a daemon may take to tell of a name that the rows do not
// speak of.
const askAtMost = 2 * time.Second

// elsewhere finds an account that the rows do not speak of, while a daemon can be
// asked: that it has no rows is then no mistake.
func (f *question) elsewhere(name string) (ledger.AccountID, bool) {
	if f.reader.Daemon.Status().State != daemonclient.Online || strings.Contains(name, "*") {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(f.ctx, askAtMost)
	defer cancel()
	a, err := f.reader.View.Accounts.Get(ctx, name)
	if err != nil {
		return 0, false
	}
	return a.ID, true
}

// assetElsewhere is elsewhere for an asset.
func (f *question) assetElsewhere(symbol string) (ledger.AssetID, bool) {
	if f.reader.Daemon.Status().State != daemonclient.Online {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(f.ctx, askAtMost)
	defer cancel()
	a, err := f.reader.View.Assets.Get(ctx, strings.ToUpper(symbol))
	if err != nil {
		return 0, false
	}
	return a.ID, true
}

// nearestAccount looks among names that begin with the same letter.
func (f *question) nearestAccount(name string) string {
	if name == "" || strings.ContainsAny(name, "*%_\\") {
		return ""
	}
	var all []string
	for _, pattern := range []string{name + "%", name[:1] + "%"} {
		found, err := f.reader.Index.AccountsNamed(f.ctx, pattern, mostAccounts)
		if err != nil {
			return ""
		}
		for _, n := range found {
			all = append(all, n)
		}
	}
	for _, n := range f.recent {
		all = append(all, n)
	}
	for _, own := range f.reader.Vault.Listed() {
		all = append(all, own.Name)
	}
	slices.Sort(all)
	return nearest(name, all)
}

func (f *question) with(w word) (historyindex.Filter, error) {
	all, err := f.named(w)
	return historyindex.Filter{With: all}, err
}

// side is who paid or acted, or who was paid. Rows say who the other side is and
// which way it went; the account itself is one of the two.
func (f *question) side(w word) (historyindex.Filter, error) {
	all, err := f.named(w)
	if err != nil {
		return historyindex.Filter{}, err
	}
	theirs := []historyindex.Direction{historyindex.In, historyindex.Other} // of what does not move, the payer is kept
	ours := []historyindex.Direction{historyindex.Out, historyindex.Self}
	if w.field == "to" {
		theirs, ours = []historyindex.Direction{historyindex.Out}, []historyindex.Direction{historyindex.In, historyindex.Self}
	}
	out := historyindex.Filter{Any: []historyindex.Filter{{With: all, Direction: theirs}}}
	if slices.Contains(all, f.account) {
		out.Any = append(out.Any, historyindex.Filter{Direction: ours})
	}
	return out, nil
}

func (f *question) asset(w word) (out historyindex.Filter, err error) {
	known, err := f.knownAssets()
	if err != nil {
		return out, err
	}
	var symbols []string
	for _, a := range known {
		symbols = append(symbols, a.Symbol)
	}
	for part := range strings.SplitSeq(w.value, ",") {
		i := slices.IndexFunc(
			known,
			func(a ledgerview.AssetRef) bool { return strings.EqualFold(a.Symbol, part) || a.ID.String() == part },
		)
		if i < 0 {
			if id, known := f.assetElsewhere(part); known {
				out.Asset = append(out.Asset, id)
				continue
			}
			return out, w.part(strings.ToLower(part), "no such asset here", nearest(strings.ToUpper(part), symbols))
		}
		out.Asset = append(out.Asset, known[i].ID)
	}
	return out, nil
}
