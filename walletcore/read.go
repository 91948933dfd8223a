package walletcore

import (
	"context"
	"encoding/json"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// Where accounts, 1.2.N, and assets, 1.3.N, live.
const (
	accountSpace, accountType = 1, 2
	assetSpace, assetType     = 1, 3
)

// These pass objects through as the daemon wrote them, so that members of a
// newer daemon survive.

// Block reads a block, null when there is none of that number.
func (w *Wallet) Block(ctx context.Context, num uint32) (json.RawMessage, error) {
	raw, err := w.daemon.GetBlock(ctx, num)
	return orNull(raw), ofDaemon("reading the block", err)
}

// Objects reads objects of any kind, null for missing ones.
func (w *Wallet) Objects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error) {
	rows, err := w.daemon.GetObjects(ctx, ids)
	if err != nil {
		return nil, fault.Daemon("reading objects", err)
	}
	var accounts, assets []json.RawMessage
	for i := range rows {
		rows[i] = orNull(rows[i])
		if i < len(ids) && ids[i].Space() == accountSpace && ids[i].Type() == accountType {
			accounts = append(accounts, rows[i])
		}
		if i < len(ids) && ids[i].Space() == assetSpace && ids[i].Type() == assetType {
			assets = append(assets, rows[i])
		}
	}
	if _, err := w.checkRawAccounts(ctx, accounts); err != nil {
		return nil, err
	}
	_, err = w.checkRawAssets(ctx, assets)
	return rows, err
}

// GlobalProperties reads the object 2.0.0.
func (w *Wallet) GlobalProperties(ctx context.Context) (json.RawMessage, error) {
	raw, err := w.daemon.GlobalPropertiesRaw(ctx)
	return raw, ofDaemon("reading the chain's parameters", err)
}

// DynamicGlobalProperties reads the object 2.1.0.
func (w *Wallet) DynamicGlobalProperties(ctx context.Context) (json.RawMessage, error) {
	raw, err := w.daemon.DynamicGlobalPropertiesRaw(ctx)
	return raw, ofDaemon("reading the head block", err)
}

// ListAccounts lists [name, id] by name from lower on, at most limit (1000).
func (w *Wallet) ListAccounts(ctx context.Context, lower string, limit uint32) (json.RawMessage, error) {
	raw, err := w.daemon.LookupAccountsRaw(ctx, lower, limit)
	if err != nil {
		return nil, fault.Daemon("listing accounts", err)
	}
	var rows []daemonclient.NamedAccount
	if err := codec.Unmarshal(raw, &rows); err != nil {
		return nil, fault.Daemon("listing accounts", err)
	}
	refs := make([]ledgerview.AccountRef, len(rows))
	for i, r := range rows {
		refs[i] = ledgerview.AccountRef{ID: r.ID, Name: r.Name}
	}
	return raw, w.checkAccounts(ctx, refs...)
}

// ListAssets lists assets by symbol from lower on, at most limit (100).
func (w *Wallet) ListAssets(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error) {
	rows, err := w.daemon.ListAssetsRaw(ctx, lower, limit)
	if err != nil {
		return nil, fault.Daemon("listing assets", err)
	}
	_, err = w.checkRawAssets(ctx, rows)
	return rows, err
}

// PrettyBalance is one row of list_account_balances.
type PrettyBalance struct {
	ledger.AssetAmount
	Pretty string `json:"pretty_amount"` // "1.50000000 DCT"; no decimals when whole
}

// ListBalances reads what an account, by name or id, holds, in the daemon's order.
func (w *Wallet) ListBalances(ctx context.Context, account string) ([]PrettyBalance, error) {
	acc, err := w.Account(ctx, account)
	if err != nil {
		return nil, err
	}
	amounts, assets, err := w.holdings(ctx, acc.ID)
	if err != nil {
		return nil, err
	}
	out := make([]PrettyBalance, len(amounts))
	for i, a := range amounts {
		ref := assets[a.AssetID]
		out[i] = PrettyBalance{a, ledger.FormatAmount(a.Amount, ref.Precision) + " " + ref.Symbol}
	}
	return out, nil
}

// fault wraps a daemon error; nil stays nil.
func ofDaemon(op string, err error) error {
	if err == nil {
		return nil
	}
	return fault.Daemon(op, err)
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}
