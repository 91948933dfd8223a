package walletcore

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/cosign"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// FileOf makes the transaction file of a request, for others to sign: it can be used for life seconds.
// Nothing is signed; what it holds is meant to be, so it is judged and approved like a spend, as how says.
// Errors: those of Payments.Export.
func (w *Wallet) FileOf(ctx context.Context, r build.Request, life uint32, how payment.Sending) (*cosign.File, error) {
	tx, err := w.Payments.Export(ctx, r, life, how)
	if err != nil {
		return nil, err
	}
	hints, err := w.hintsOf(ctx, tx.Operations)
	if err != nil {
		return nil, err
	}
	return cosign.New(w.View.Pins.Chain(), ledger.SignedTransaction{Transaction: tx}, hints)
}

// hintsOf describes the accounts and assets of operations, and who may act for those that have to sign.
func (w *Wallet) hintsOf(ctx context.Context, ops []ledger.Operation) (h cosign.Hints, err error) {
	props, err := w.View.Chain.Parameters(ctx)
	if err != nil {
		return h, err
	}
	h.Accounts, h.Assets = []cosign.AccountHint{}, []cosign.AssetHint{}
	h.Depth = int(props.Parameters.MaxAuthorityDepth)
	signers, err := w.View.Accounts.AuthorityTree(ctx, ledger.NeedsOf(ops), h.Depth)
	if err != nil {
		return h, err
	}
	mentions := ledgerview.MentionsOf(ops...)
	for id := range signers {
		mentions.AccountName(id)
	}
	mentions.Distinct()
	names, err := w.View.Namer(ctx, mentions)
	if err != nil {
		return h, err
	}
	for _, id := range mentions.Accounts {
		hint := cosign.AccountHint{ID: id, Name: names.AccountName(id)}
		if a := signers[id]; a != nil {
			hint.Owner, hint.Active = &a.Owner, &a.Active
		}
		if hint.Name != id.String() {
			h.Accounts = append(h.Accounts, hint)
		}
	}
	for _, id := range slices.Compact(mentions.Assets) {
		if a := names.Assets[id]; a.ID == id && a.Symbol != id.String() {
			h.Assets = append(h.Assets, cosign.AssetHint{ID: id, Symbol: a.Symbol, Precision: a.Precision})
		}
	}
	return h, nil
}

// KnownOf returns what the wallet knows of a file of its chain; nothing where it is of another.
func (w *Wallet) KnownOf(ctx context.Context, file *cosign.File) cosign.Known {
	if w.Vault.ChainID() != file.Chain {
		return cosign.Known{}
	}
	view := w.View
	mentions := ledgerview.MentionsOf(file.Transaction.Operations...)
	for _, a := range file.Unchecked.Accounts {
		mentions.AccountName(a.ID)
	}
	for _, a := range file.Unchecked.Assets {
		mentions.AssetName(a.ID)
	}
	mentions.Distinct()
	assets := view.Recall(ctx, mentions)
	return cosign.Known{
		Account: view.Accounts.Name,
		Asset: func(id ledger.AssetID) (string, uint8, bool) {
			ref, known := assets[id]
			if !known {
				ref = view.Pins.AssetOr(ledgerview.AssetRef{ID: id})
			}
			return ref.Symbol, ref.Precision, ref.Symbol != "" && ref.Symbol != id.String()
		},
		Memo: func(m *ledger.Memo) (string, bool) {
			text, state := w.Vault.OpenMemo(m)
			return text, state == vault.MemoOpen || state == vault.MemoPlain
		},
	}
}
