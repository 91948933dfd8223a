package payrun

import (
	"context"
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

// lookUp asks for every account and asset of the rows once.
func lookUp(ctx context.Context, w shell.Wallet, rows []payout.Row) (*payout.Names, error) {
	n := payout.NamesIn(rows)
	var mu sync.Mutex
	err := fillEach(ctx, n.Accounts, func(ctx context.Context, word string) (*payout.Account, error) {
		out, err := call[account](ctx, w, "get_account", word)
		switch fault.CodeOf(err) {
		case fault.NoSuchAccount, fault.EmptyAccount:
			mu.Lock()
			defer mu.Unlock()
			n.Meant[word] = fault.MeantBy(err)
			return nil, nil
		}
		return &payout.Account{AccountRef: out.ref(), MemoKey: out.Options.MemoKey}, err
	})
	if err == nil {
		err = fillEach(ctx, n.Assets, func(ctx context.Context, word string) (*ledgerview.AssetRef, error) {
			of, err := findOrNil[asset](ctx, w, "get_asset", word, fault.NoSuchAsset)
			if of == nil {
				return nil, err
			}
			return &ledgerview.AssetRef{ID: of.ID, Symbol: of.Symbol, Precision: of.Precision}, err
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

// knownAccounts returns the wallet's own accounts and those that the payer has paid lately.
func knownAccounts(ctx context.Context, w shell.Wallet, payer *account) (map[ledger.AccountID]ledgerview.AccountRef, error) {
	own, err := call[[]account](ctx, w, "list_my_accounts")
	if err != nil {
		return nil, err
	}
	out := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, a := range own {
		out[a.ID] = a.ref()
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
			out[a.ID] = a.ref()
		}
	}
	return out, err
}
