package payrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payout"

	"golang.org/x/sync/errgroup"
)

// maxParallel is the maximum number of calls that run at the same time.
const maxParallel = 8

// names are the accounts and assets of a file, by the words in it.
type names struct {
	accounts map[string]*account // nil = no such account
	assets   map[string]*asset   // nil = no such asset
	meant    sync.Map            // by a word that names no account: the name of one that the wallet knows
}

// lookUp asks for every account and asset of the rows once.
func lookUp(ctx context.Context, w shell.Wallet, rows []payout.Row) (*names, error) {
	n := &names{accounts: map[string]*account{}, assets: map[string]*asset{}}
	for _, r := range rows {
		if r.Account != "" {
			n.accounts[r.Account] = nil
		}
		if r.Asset != "" {
			n.assets[r.Asset] = nil
		}
	}
	err := fillEach(ctx, n.accounts, func(ctx context.Context, word string) (*account, error) {
		out, err := call[account](ctx, w, "get_account", word)
		switch fault.CodeOf(err) {
		case fault.NoSuchAccount, fault.EmptyAccount:
			n.meant.Store(word, fault.MeantBy(err))
			return nil, nil
		}
		return &out, err
	})
	if err == nil {
		err = fillEach(ctx, n.assets, func(ctx context.Context, word string) (*asset, error) {
			return findOrNil[asset](ctx, w, "get_asset", word, fault.NoSuchAsset)
		})
	}
	return n, err
}

// fillEach sets the values of a map by calling ask for each key, a few at a time.
func fillEach[T any](ctx context.Context, into map[string]*T, ask func(context.Context, string) (*T, error)) error {
	words := make([]string, 0, len(into))
	for word := range into {
		words = append(words, word)
	}
	values := make([]*T, len(words))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(maxParallel)
	for i, word := range words {
		g.Go(func() (err error) {
			values[i], err = ask(ctx, word)
			return err
		})
	}
	err := g.Wait()
	for i, word := range words {
		into[word] = values[i]
	}
	return err
}

// findOrNil returns what a word names, nil if the error code is one of none.
func findOrNil[T any](ctx context.Context, w shell.Wallet, method, word string, none ...fault.Code) (*T, error) {
	out, err := call[T](ctx, w, method, word)
	switch {
	case err == nil:
		return &out, nil
	case slices.Contains(none, fault.CodeOf(err)):
		return nil, nil
	}
	return nil, err
}

// faults returns what the ledger objects to in the rows, besides the known faults.
func (n *names) faults(payer *account, rows []payout.Row, known []payout.Fault) (faults []payout.Fault) {
	wrong, named := map[int]bool{}, map[payout.Fault]bool{} // lines with an amount that is none of the asset; known faults
	for _, r := range rows {
		fault := func(format string, args ...any) {
			faults = append(faults, payout.Fault{Line: r.Line, Text: fmt.Sprintf(format, args...)})
		}
		to, of := n.accounts[r.Account], n.assets[r.Asset]
		switch {
		case r.Account == "":
		case ledger.IDProblem(r.Account) != "":
			fault("the account %s", ledger.IDProblem(r.Account))
		case to == nil:
			text := fmt.Sprintf("there is no account %q%s", r.Account, n.near(r.Account))
			if foreign := ledger.ForeignCharacter(r.Account); foreign != "" {
				text += "; " + foreign
			}
			fault("%s", text)
		case to.ID == payer.ID:
			fault("%s would pay itself; leave the line out", payer.Name)
		case r.Memo != "" && to.Options.MemoKey.IsNull():
			fault("%s has no memo key, so nothing can be encrypted for it; leave the memo out", to.Name)
		}
		switch {
		case r.Asset == "":
			continue
		case ledger.IDProblem(r.Asset) != "":
			fault("the asset %s", ledger.IDProblem(r.Asset))
			continue
		case of == nil:
			fault("there is no asset %q; list_assets shows them", r.Asset)
			continue
		}
		if why := r.Objection(of.Symbol, of.Precision); why != "" {
			fault("%s", why)
			wrong[r.Line] = true
		}
	}
	if len(wrong) == 0 {
		return faults
	}
	for _, f := range known {
		named[f] = true
	}
	for _, doubt := range payout.Doubts(rows) {
		if !wrong[doubt.Line] && !named[doubt] {
			faults = append(faults, doubt)
		}
	}
	return faults
}

// identify returns the rows with the ids of accounts and assets, as far as they exist.
func (n *names) identify(rows []payout.Row) []payout.Row {
	out := slices.Clone(rows)
	for i, r := range out {
		if to := n.accounts[r.Account]; to != nil {
			out[i].AccountID = to.ID.String()
		}
		if of := n.assets[r.Asset]; of != nil {
			out[i].AssetID = of.ID.String()
		}
	}
	return out
}

// near suggests an account of the wallet or of the file that a word was perhaps meant to be.
func (n *names) near(word string) string {
	if meant, _ := n.meant.Load(word); meant != nil && meant != "" {
		return fmt.Sprintf("; did you mean %s?", meant)
	}
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, a := range n.accounts {
		if a != nil {
			known[a.ID] = ledgerview.AccountRef{ID: a.ID, Name: a.Name}
		}
	}
	if like := ledgerview.LookAlikes(word, known); len(like) > 0 {
		return "; did you mean " + like[0].Name + "?"
	}
	return "; correct the name"
}

// sums adds up rows by asset, in smallest units.
func (n *names) sums(rows []payout.Row) (map[ledger.AssetID]int64, error) {
	out := map[ledger.AssetID]int64{}
	for _, r := range rows {
		of := n.assets[r.Asset]
		amount, err := ledger.ParseAmount(r.Amount, of.Precision)
		if err != nil {
			return nil, err
		}
		total, fits := ledger.AddAmounts(out[of.ID], amount)
		if !fits {
			return nil, errors.New("the amounts of " + of.Symbol + " add up to more than there can be")
		}
		out[of.ID] = total
	}
	return out, nil
}

// ref returns an asset by id; fees are in DCT, which the file may not name.
func (n *names) ref(id ledger.AssetID) ledgerview.AssetRef {
	for _, a := range n.assets {
		if a != nil && a.ID == id {
			return ledgerview.AssetRef{ID: a.ID, Symbol: a.Symbol, Precision: a.Precision}
		}
	}
	return ledgerview.DCT()
}

// lookAlikes warns of paid accounts whose names look like those of known ones.
func (n *names) lookAlikes(known map[ledger.AccountID]ledgerview.AccountRef) (warnings []string) {
	seen := map[ledger.AccountID]bool{}
	for _, a := range n.accounts {
		if a == nil || seen[a.ID] {
			continue
		}
		seen[a.ID] = true
		if _, itself := known[a.ID]; itself {
			continue
		}
		for _, like := range ledgerview.LookAlikes(a.Name, known) {
			warnings = append(warnings, fmt.Sprintf("%s (%s) looks like %s (%s), whom you know", a.Name, a.ID, like.Name, like.ID))
		}
	}
	slices.Sort(warnings)
	return warnings
}

// knownAccounts returns the wallet's own accounts and those that the payer has paid lately.
func knownAccounts(ctx context.Context, w shell.Wallet, payer *account) (map[ledger.AccountID]ledgerview.AccountRef, error) {
	own, err := call[[]account](ctx, w, "list_my_accounts")
	if err != nil {
		return nil, err
	}
	out := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, a := range own {
		out[a.ID] = ledgerview.AccountRef{ID: a.ID, Name: a.Name}
	}
	const latest = 100
	rows, err := call[[]struct {
		Op ledger.HistoryRecord `json:"op"`
	}](ctx, w, "get_account_history", payer.Name, latest)
	if err != nil {
		return nil, err
	}
	paid := map[string]*account{}
	for _, row := range rows {
		for _, m := range row.Op.Op.Moves() {
			if m.From == payer.ID.Object() && strings.HasPrefix(m.To.String(), "1.2.") {
				paid[m.To.String()] = nil
			}
		}
	}
	err = fillEach(ctx, paid, func(ctx context.Context, id string) (*account, error) {
		return findOrNil[account](ctx, w, "get_account", id, fault.NoSuchAccount)
	})
	for _, a := range paid {
		if a != nil {
			out[a.ID] = ledgerview.AccountRef{ID: a.ID, Name: a.Name}
		}
	}
	return out, err
}
