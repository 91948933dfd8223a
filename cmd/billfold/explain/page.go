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

// explainer collects what a word is.
type explainer struct {
	wallet   shell.Wallet
	sections []section
	missing  bool  // the word has the form of something that the ledger does not have
	unasked  error // why the ledger could not be asked
}

// withoutLedger keeps what can be said where no daemon answers; other errors end the page.
func (e *explainer) withoutLedger(s section, err error) error {
	if fault.CodeOf(err) != fault.DaemonAway {
		return err
	}
	e.unasked = err
	if s.title != "" {
		e.sections = append(e.sections, s)
	}
	return nil
}

// notThere is withoutLedger where the ledger may also have nothing of that name.
func (e *explainer) notThere(s section, err error) error {
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

// accountName is the name of an account with its id.
func (e *explainer) accountName(ctx context.Context, id ledger.AccountID) string {
	a, err := ask[ledger.Account](ctx, e.wallet, "get_account", id.String())
	if err != nil {
		return id.String()
	}
	return a.Name + " (" + id.String() + ")"
}

// named names things as the ledger does, by their ids where nobody can be asked.
type named struct {
	ctx    context.Context
	wallet shell.Wallet
}

func (n named) AccountName(id ledger.AccountID) string {
	if a, err := ask[ledger.Account](n.ctx, n.wallet, "get_account", id.String()); err == nil && a.Name != "" {
		return a.Name
	}
	return id.String()
}

func (n named) KindName(id ledger.NFTID) string { return id.String() }

func (n named) AssetName(id ledger.AssetID) string {
	if a, known := n.asset(id); known {
		return a.Symbol
	}
	return id.String()
}

func (n named) AmountText(of ledger.AssetAmount) string {
	if a, known := n.asset(of.AssetID); known {
		return ledger.FormatAmount(of.Amount, a.Precision) + " " + a.Symbol
	}
	return fmt.Sprintf("%d of %s", of.Amount, of.AssetID)
}

func (n named) asset(id ledger.AssetID) (ledger.Asset, bool) {
	a, err := ask[ledger.Asset](n.ctx, n.wallet, "get_asset", id.String())
	return a, err == nil && a.Symbol != ""
}

// ask executes an operation and reads what it answers.
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
