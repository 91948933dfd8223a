package explain

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// explainer collects the sections about a word.
type explainer struct {
	wallet      shell.Wallet
	sections    []section
	missing     bool  // the word has the form of something that the ledger does not have
	daemonError error // why the ledger could not be asked; nil = it could
}

// withoutLedger keeps a section as it is if err means that no daemon answers. It returns any other error.
func (e *explainer) withoutLedger(s section, err error) error {
	if fault.CodeOf(err) != fault.DaemonAway {
		return err
	}
	e.daemonError = err
	if s.title != "" {
		e.sections = append(e.sections, s)
	}
	return nil
}

// notFound is withoutLedger for an error that may also mean that the ledger has no such object.
func (e *explainer) notFound(s section, err error) error {
	switch fault.CodeOf(err) {
	case fault.NoSuchAccount, fault.NoSuchAsset, fault.EmptyAccount:
		if s.title != "" {
			s.add("ledger", "has no such object")
			e.sections = append(e.sections, s)
		}
		e.missing = len(e.sections) == 0 || s.title != ""
		return nil
	}
	return e.withoutLedger(s, err)
}

// accountName returns the name of an account with its id, or only the id if it cannot be asked for.
func (e *explainer) accountName(ctx context.Context, id ledger.AccountID) string {
	a, err := ask[ledger.Account](ctx, e.wallet, "get_account", id.String())
	if err != nil {
		return id.String()
	}
	return a.Name + " (" + id.String() + ")"
}

// ledgerNames names objects for sentences, by their ids if the ledger cannot be asked.
type ledgerNames struct {
	ctx    context.Context
	wallet shell.Wallet
}

func (n ledgerNames) AccountName(id ledger.AccountID) string {
	if a, err := ask[ledger.Account](n.ctx, n.wallet, "get_account", id.String()); err == nil && a.Name != "" {
		return a.Name
	}
	return id.String()
}

func (n ledgerNames) KindName(id ledger.NFTID) string { return id.String() }

func (n ledgerNames) AssetName(id ledger.AssetID) string {
	if a, known := n.asset(id); known {
		return a.Symbol
	}
	return id.String()
}

func (n ledgerNames) AmountText(of ledger.AssetAmount) string {
	if a, known := n.asset(of.AssetID); known {
		return ledger.FormatAmount(of.Amount, a.Precision) + " " + a.Symbol
	}
	return fmt.Sprintf("%d of %s", of.Amount, of.AssetID)
}

func (n ledgerNames) asset(id ledger.AssetID) (ledger.Asset, bool) {
	a, err := ask[ledger.Asset](n.ctx, n.wallet, "get_asset", id.String())
	return a, err == nil && a.Symbol != ""
}

// ask executes an operation and decodes its result.
func ask[T any](ctx context.Context, w shell.Wallet, method string, params ...any) (out T, err error) {
	p := walletapi.Params{Positional: make([]json.RawMessage, len(params)), Exact: true}
	for i, value := range params {
		if p.Positional[i], err = json.Marshal(value); err != nil {
			return out, err
		}
	}
	result, err := w.Call(ctx, method, p)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(result, &out)
}
