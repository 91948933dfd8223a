package walletcore

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/cosign"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// FileOf makes the transaction file of a request, for others to sign; it can be used for life seconds. Nothing is
// signed yet, but because the file is meant to be, it is checked and approved like a spend, as how requires. Errors:
// those of Payments.Export.
func (w *Wallet) FileOf(ctx context.Context, r txbuild.Request, life uint32, how payment.Sending) (*cosign.File, error) {
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

// hintsOf describes the accounts and assets in operations, and who may act for the accounts that have to sign.
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
		if ledger.ValidAccountName(hint.Name) == nil { // an unknown name is the id
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

// KnownOf returns what the wallet knows about a file, nothing if it is of another chain. If a daemon of the chain
// answers, it is asked for the names that are not known. Errors: the daemon's, fault.DaemonContradicts, fault.File.
func (w *Wallet) KnownOf(ctx context.Context, file *cosign.File) (cosign.Known, error) {
	if w.View.Pins.Chain() != file.Chain {
		return cosign.Known{}, nil
	}
	assets, present, err := w.loadNames(ctx, file)
	if err != nil {
		return cosign.Known{}, err
	}
	holders, err := w.findHolders(ctx, file.Unchecked)
	if err != nil {
		return cosign.Known{}, err
	}
	return cosign.Known{
		Account: w.View.Accounts.Name,
		Asset: func(id ledger.AssetID) (string, uint8, bool) {
			ref, known := assets[id]
			if !known {
				ref = w.View.Pins.AssetOr(ledgerview.AssetRef{ID: id})
			}
			return ref.Symbol, ref.Precision, ref.Symbol != "" && ref.Symbol != id.String()
		},
		Named:  holders.account,
		Symbol: holders.asset,
		Alike:  w.lookAlikes,
		Memo: func(m *ledger.Memo) (string, bool) {
			text, state := w.Vault.OpenMemo(m)
			return text, state == vault.MemoOpen || state == vault.MemoPlain
		},
		Before: present,
	}, nil
}

// lookAlikes returns the own accounts and contacts whose names are easily mistaken for this one.
func (w *Wallet) lookAlikes(id ledger.AccountID, name string) (others []string) {
	known := contact.Known(w.Contacts.List())
	for _, own := range w.Vault.Listed() {
		known[own.ID] = own
	}
	delete(known, id)
	for _, other := range ledgerview.LookAlikes(name, known) {
		others = append(others, other.Name+" ("+other.ID.String()+")")
	}
	return others
}

// loadNames looks up all names that a file mentions, whether or not the file gives them. It returns the assets and, if
// a daemon answers, the present state of the ledger.
func (w *Wallet) loadNames(ctx context.Context, file *cosign.File) (map[ledger.AssetID]ledgerview.AssetRef, ledger.Before, error) {
	mentions := ledgerview.MentionsOf(file.Transaction.Operations...)
	for _, op := range file.Transaction.Operations {
		mentions.Accounts = append(mentions.Accounts, op.Receivers()...)
	}
	for _, a := range file.Unchecked.Accounts {
		mentions.AccountName(a.ID)
	}
	for _, a := range file.Unchecked.Assets {
		mentions.AssetName(a.ID)
	}
	if status := w.Status(); status.Daemon != DaemonOnline || status.ChainID != file.Chain {
		mentions.Distinct()
		return w.View.Recall(ctx, mentions), nil, nil
	}
	present, err := txbuild.Present(ctx, w.View, file.Transaction.Operations, mentions)
	if err != nil {
		return nil, nil, err
	}
	mentions.Distinct()
	if err := w.View.Quorum.CheckCertain(ctx, mentions.Assets); err != nil {
		return nil, nil, err
	}
	names, err := w.View.Namer(ctx, mentions)
	if err != nil {
		return nil, nil, err
	}
	return names.Assets, present, nil
}

// nameHolders are the accounts and assets that have the names and symbols in a file.
type nameHolders struct {
	accounts map[string]ledger.AccountID
	assets   map[string]ledger.AssetID
}

func (h nameHolders) account(name string) (ledger.AccountID, bool) {
	id, known := h.accounts[name]
	return id, known
}

func (h nameHolders) asset(symbol string) (ledger.AssetID, bool) {
	id, known := h.assets[symbol]
	return id, known
}

// findHolders finds the accounts and assets that have the names in a file, from the contacts, the key file, the pins,
// the history index and what daemons said in this run.
func (w *Wallet) findHolders(ctx context.Context, said cosign.Hints) (nameHolders, error) {
	h := nameHolders{map[string]ledger.AccountID{}, map[string]ledger.AssetID{}}
	for _, a := range said.Accounts {
		id, known, err := w.View.Pins.AccountNamed(ctx, a.Name)
		if err != nil {
			return h, err
		}
		if known {
			h.accounts[a.Name] = id
		}
	}
	for _, c := range w.Contacts.List() {
		h.accounts[c.Name] = c.ID
	}
	for _, a := range said.Assets {
		ref, known, err := w.View.Pins.Symbol(ctx, a.Symbol)
		if err != nil {
			return h, err
		}
		if known {
			h.assets[a.Symbol] = ref.ID
		}
	}
	return h, nil
}
