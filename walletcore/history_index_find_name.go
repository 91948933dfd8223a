package walletcore

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// readNames reads what is not kept by name: the accounts and assets of rows that
// are not final yet. They are few.
func (f *historyFinder) readNames() error {
	if f.read {
		return nil
	}
	var m ledgerview.Mentions
	var err error
	if m.Accounts, m.Assets, err = f.w.index.Unkept(f.ctx, f.account); err != nil {
		return indexFault(err)
	}
	others := slices.Clone(m.Accounts)
	refs, err := f.w.namesFor(f.ctx, &m)
	if err != nil {
		return err
	}
	kept, err := f.w.index.Assets(f.ctx)
	if err != nil {
		return indexFault(err)
	}
	for id, a := range kept {
		refs[id] = ledgerview.AssetRef{ID: id, Symbol: a.Symbol, Precision: a.Precision}
	}
	for _, a := range refs {
		f.assets = append(f.assets, a)
	}
	slices.SortFunc(f.assets, func(a, b ledgerview.AssetRef) int { return int(a.ID) - int(b.ID) })
	f.recent = map[ledger.AccountID]string{}
	for _, id := range others {
		if name, known := f.w.nameOf(id); known {
			f.recent[id] = name
		}
	}
	f.read = true
	return nil
}

func (f *historyFinder) knownAssets() ([]ledgerview.AssetRef, error) {
	err := f.readNames()
	return f.assets, err
}

// accounts are those whose id or name is the value, in which * stands for any text.
func (f *historyFinder) accounts(value string) ([]ledger.AccountID, error) {
	if id, err := ledger.ParseAccountID(strings.Trim(value, "*")); err == nil {
		return []ledger.AccountID{id}, nil
	}
	if err := f.readNames(); err != nil {
		return nil, err
	}
	pattern := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`, "*", "%").Replace(value)
	named, err := f.w.index.AccountsNamed(f.ctx, pattern, mostAccounts+1)
	if err != nil {
		return nil, indexFault(err)
	}
	var out []ledger.AccountID
	for id := range named {
		out = append(out, id)
	}
	for id, name := range f.recent {
		if _, twice := named[id]; !twice && like(name, value) {
			out = append(out, id)
		}
	}
	for _, own := range f.w.Accounts() {
		if !slices.Contains(out, own.ID) && like(own.Name, value) {
			out = append(out, own.ID)
		}
	}
	slices.Sort(out)
	return out, nil
}

// like says whether a name fits a value in which * stands for any text.
func like(name, value string) bool {
	parts := strings.Split(value, "*")
	if len(parts) == 1 {
		return name == value
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return ok && strings.HasSuffix(rest, last)
}

// named is accounts for a word that must mean at least one.
func (f *historyFinder) named(w historyWord) (all []ledger.AccountID, err error) {
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

func (w historyWord) tooMany() error {
	return w.wrong("more than "+strconv.Itoa(mostAccounts)+" accounts are called so", "")
}

// askAtMost is how long a daemon may take to tell of a name that the rows do not
// speak of.
const askAtMost = 2 * time.Second

// elsewhere finds an account that the rows do not speak of, while a daemon can be
// asked: that it has no rows is then no mistake.
func (f *historyFinder) elsewhere(name string) (ledger.AccountID, bool) {
	if f.w.daemon.Status().State != daemonclient.Online || strings.Contains(name, "*") {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(f.ctx, askAtMost)
	defer cancel()
	a, err := f.w.AccountByName(ctx, name)
	return a.ID, err == nil
}

// assetElsewhere is elsewhere for an asset.
func (f *historyFinder) assetElsewhere(symbol string) (ledger.AssetID, bool) {
	if f.w.daemon.Status().State != daemonclient.Online {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(f.ctx, askAtMost)
	defer cancel()
	a, err := f.w.Asset(ctx, strings.ToUpper(symbol))
	if err != nil {
		return 0, false
	}
	return a.ID, true
}

// nearestAccount looks among names that begin with the same letter.
func (f *historyFinder) nearestAccount(name string) string {
	if name == "" || strings.ContainsAny(name, "*%_\\") {
		return ""
	}
	var all []string
	for _, pattern := range []string{name + "%", name[:1] + "%"} {
		found, err := f.w.index.AccountsNamed(f.ctx, pattern, mostAccounts)
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
	for _, own := range f.w.Accounts() {
		all = append(all, own.Name)
	}
	slices.Sort(all)
	return nearest(name, all)
}

func (f *historyFinder) with(w historyWord) (HistoryFilter, error) {
	all, err := f.named(w)
	return HistoryFilter{With: all}, err
}

// side is who paid or acted, or who was paid. Rows say who the other side is and
// which way it went; the account itself is one of the two.
func (f *historyFinder) side(w historyWord) (HistoryFilter, error) {
	all, err := f.named(w)
	if err != nil {
		return HistoryFilter{}, err
	}
	theirs := []historyindex.Direction{historyindex.In, historyindex.Other} // of what does not move, the payer is kept
	ours := []historyindex.Direction{historyindex.Out, historyindex.Self}
	if w.field == "to" {
		theirs, ours = []historyindex.Direction{historyindex.Out}, []historyindex.Direction{historyindex.In, historyindex.Self}
	}
	out := HistoryFilter{Any: []HistoryFilter{{With: all, Direction: theirs}}}
	if slices.Contains(all, f.account) {
		out.Any = append(out.Any, HistoryFilter{Direction: ours})
	}
	return out, nil
}

func (f *historyFinder) asset(w historyWord) (out HistoryFilter, err error) {
	known, err := f.knownAssets()
	if err != nil {
		return out, err
	}
	var symbols []string
	for _, a := range known {
		symbols = append(symbols, a.Symbol)
	}
	for part := range strings.SplitSeq(w.value, ",") {
		i := slices.IndexFunc(known, func(a ledgerview.AssetRef) bool { return strings.EqualFold(a.Symbol, part) || a.ID.String() == part })
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
