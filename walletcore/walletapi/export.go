package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/cosign"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
)

// exported is a transaction file, see package cosign.
type exported json.RawMessage

// MarshalJSON is the file as it is.
func (e exported) MarshalJSON() ([]byte, error) { return e, nil }

func (exported) schema(*schemas) Schema { return Schema{Type: "object"} }

// export makes the transaction file of a request. Nothing is signed; but what it holds is meant to be
// signed elsewhere, so it is judged and approved like a spend.
func export(ctx context.Context, w *Core, r build.Request, life uint32, how payment.Sending) (exported, error) {
	tx, err := w.Payments.Export(ctx, r, life, how)
	if err != nil {
		return nil, err
	}
	hints, err := hintsOf(ctx, w, tx.Operations)
	if err != nil {
		return nil, err
	}
	file, err := cosign.New(w.View.Pins.Chain(), ledger.SignedTransaction{Transaction: tx}, hints)
	if err != nil {
		return nil, err
	}
	text, err := file.Bytes()
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer
	err = json.Compact(&line, text)
	return line.Bytes(), err
}

// hintsOf describes the accounts and assets of operations, and who may act for those that have to sign.
func hintsOf(ctx context.Context, w *Core, ops []ledger.Operation) (h cosign.Hints, err error) {
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
