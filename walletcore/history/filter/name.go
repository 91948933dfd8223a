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
	"billfold/walletcore/spelling"
)

// namedAccounts returns the accounts that a word stands for. There must be at least one.
func (f *query) namedAccounts(w word) (all []ledger.AccountID, err error) {
	if err := w.gap(); err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(strings.ToLower(w.value), ",") {
		found, err := f.accounts(part)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			if a, known := f.accountFromDaemon(part); known {
				found = append(found, a)
			}
		}
		if len(found) == 0 {
			why := "no such account here"
			if foreign := ledger.ForeignCharacter(part); foreign != "" {
				why += ": " + foreign
			}
			return nil, w.part(part, why, f.nearestAccount(part))
		}
		all = append(all, found...)
	}
	if len(all) > maxAccounts {
		return nil, w.tooMany()
	}
	return all, nil
}

// daemonTime is the time limit for looking up, at a daemon, a name that is not in the rows.
const daemonTime = 2 * time.Second

// accountFromDaemon looks up an account that is not in the rows, if a daemon is online:
// filtering by an account without rows is not a mistake.
func (f *query) accountFromDaemon(name string) (ledger.AccountID, bool) {
	if f.reader.Daemon.Status().State != daemonclient.Online || strings.Contains(name, "*") {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(f.ctx, daemonTime)
	defer cancel()
	a, err := f.reader.View.Accounts.Get(ctx, name)
	if err != nil {
		return 0, false
	}
	return a.ID, true
}

// assetFromDaemon is accountFromDaemon for an asset.
func (f *query) assetFromDaemon(symbol string) (ledger.AssetID, bool) {
	if f.reader.Daemon.Status().State != daemonclient.Online {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(f.ctx, daemonTime)
	defer cancel()
	a, err := f.reader.View.Assets.Get(ctx, strings.ToUpper(symbol))
	if err != nil {
		return 0, false
	}
	return a.ID, true
}

// nearestAccount returns the nearest among the names that begin with the same letter.
func (f *query) nearestAccount(name string) string {
	if name == "" || strings.ContainsAny(name, "*%_\\") {
		return ""
	}
	var all []string
	for _, pattern := range []string{name + "%", name[:1] + "%"} {
		found, err := f.reader.Index.AccountsNamed(f.ctx, pattern, maxAccounts)
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

func (f *query) with(w word) (historyindex.Filter, error) {
	all, err := f.namedAccounts(w)
	return historyindex.Filter{With: all}, err
}

// side filters by who paid or acted, or by who was paid. A row has only the other side
// and the direction; the account itself is one of the two sides.
func (f *query) side(w word) (historyindex.Filter, error) {
	all, err := f.namedAccounts(w)
	if err != nil {
		return historyindex.Filter{}, err
	}
	theirs := []historyindex.Direction{historyindex.In, historyindex.Other} // if nothing moves, the other side is the payer
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

func (f *query) asset(w word) (out historyindex.Filter, err error) {
	known, err := f.knownAssets()
	if err != nil {
		return out, err
	}
	var symbols []string
	for _, a := range known {
		symbols = append(symbols, a.Symbol)
	}
	if err := w.gap(); err != nil {
		return out, err
	}
	for part := range strings.SplitSeq(w.value, ",") {
		i := slices.IndexFunc(
			known,
			func(a ledgerview.AssetRef) bool { return strings.EqualFold(a.Symbol, part) || a.ID.String() == part },
		)
		if i < 0 {
			if id, known := f.assetFromDaemon(part); known {
				out.Asset = append(out.Asset, id)
				continue
			}
			return out, w.part(strings.ToLower(part), "no such asset here", nearest(strings.ToUpper(part), symbols))
		}
		out.Asset = append(out.Asset, known[i].ID)
	}
	return out, nil
}

// nearest returns the candidate that a word may have been meant to be: one that begins
// with it, otherwise one that differs in few letters; empty if there is none.
func nearest(word string, candidates []string) string {
	best, least := "", max(len(word)/3, 1)+1
	for _, c := range candidates {
		if word != "" && strings.HasPrefix(c, word) && (best == "" || least > 0 || len(c) < len(best)) {
			best, least = c, 0
			continue
		}
		if d := len(word) - len(c); max(d, -d) >= least {
			continue
		}
		if d := spelling.Distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}
