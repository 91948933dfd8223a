package filter

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// maxAccounts is the maximum number of accounts that one word of a filter may stand for.
const maxAccounts = 5000

// Payments finds the payments that this wallet made.
type Payments interface {
	// Places returns the positions of those in blocks whose transaction id begins with these hexadecimal digits.
	Places(digits string) []historyindex.TrxPosition
}

// Finder turns words into filters.
type Finder struct {
	reader   *history.Reader
	payments Payments
}

// New returns a finder for the rows of a reader.
func New(r *history.Reader, p Payments) *Finder { return &Finder{r, p} }

// query turns words into a filter. Names are read when the first word needs them.
type query struct {
	*Finder
	ctx      context.Context //nolint:containedctx // that of one call
	account  ledger.AccountID
	now      time.Time
	memoTime time.Duration // how long memos may be searched for a word; 0: no limit
	memos    history.MemoSearch

	read   bool
	recent map[ledger.AccountID]string // other sides of provisional rows
	known  []ledgerview.AssetRef
}

// nothing returns a filter that matches no row.
func nothing() historyindex.Filter { return historyindex.Filter{None: []historyindex.Filter{{}}} }

// readNames reads the assets in the index, and the names that it does not store: those
// of accounts and assets in rows that are not final yet, which are few.
func (f *query) readNames() error {
	if f.read {
		return nil
	}
	var m ledgerview.Mentions
	var err error
	if m.Accounts, m.Assets, err = f.reader.Index.ProvisionalIDs(f.ctx, f.account); err != nil {
		return history.IndexFault(err)
	}
	others := slices.Clone(m.Accounts)
	names, err := f.reader.View.Namer(f.ctx, &m)
	if err != nil {
		return err
	}
	kept, err := f.reader.Index.Assets(f.ctx)
	if err != nil {
		return history.IndexFault(err)
	}
	for id, a := range kept {
		names.Assets[id] = ledgerview.AssetRef{ID: id, Symbol: a.Symbol, Precision: a.Precision}
	}
	for _, a := range names.Assets {
		f.known = append(f.known, a)
	}
	slices.SortFunc(f.known, func(a, b ledgerview.AssetRef) int { return int(a.ID) - int(b.ID) })
	f.recent = map[ledger.AccountID]string{}
	for _, id := range others {
		if a := f.reader.View.Accounts.Ref(id); !a.IsUnnamed() {
			f.recent[id] = a.Name
		}
	}
	f.read = true
	return nil
}

func (f *query) knownAssets() ([]ledgerview.AssetRef, error) {
	err := f.readNames()
	return f.known, err
}

// accounts returns the accounts whose id or name is the value, in which * stands for any text.
func (f *query) accounts(value string) ([]ledger.AccountID, error) {
	if id, err := ledger.ParseAccountID(strings.Trim(value, "*")); err == nil {
		return []ledger.AccountID{id}, nil
	}
	if err := f.readNames(); err != nil {
		return nil, err
	}
	pattern := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`, "*", "%").Replace(value)
	named, err := f.reader.Index.AccountsNamed(f.ctx, pattern, maxAccounts+1)
	if err != nil {
		return nil, history.IndexFault(err)
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
	for _, own := range f.reader.Vault.Listed() {
		if !slices.Contains(out, own.ID) && like(own.Name, value) {
			out = append(out, own.ID)
		}
	}
	slices.Sort(out)
	return out, nil
}

// like reports whether a name matches a value in which * stands for any text.
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
