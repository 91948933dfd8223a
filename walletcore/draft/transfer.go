package draft

import (
	"context"
	"encoding/json"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Draft is a transfer as a person typed it.
type Draft struct {
	Number   int64 // in the order of saving, from 1
	Saved    time.Time
	Request  txbuild.TransferParams
	Proposes bool // it is to be proposed to others, and pays nothing by itself

	Several bool   // it pays several: To is their table, and Asset that of the rows which name none; Amount and Memo are empty
	Label   string // of such a payout

	Wait *Wait       // it leaves by itself, or did not leave when it should have; nil: it was only typed
	kept store.Draft // as it was read
}

// Same reports whether two drafts are typed the same. One that waits is the same as no other: it is a payment of its own.
func (d Draft) Same(other Draft) bool {
	return d.Wait == nil && other.Wait == nil && d.Request == other.Request && d.Proposes == other.Proposes && d.Several == other.Several && d.Label == other.Label
}

// Save saves req for an account of this wallet and returns its number, or the number of an identical draft if there is
// one. Errors: fault.Locked, fault.KeyNotInWallet if the wallet has no key at all, fault.LimitExceeded, fault.File.
func (d *Drafts) Save(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams) (int64, error) {
	return d.saveTyped(ctx, account, Draft{Request: req})
}

// SaveProposal saves req like Save, as a payment that is to be proposed.
func (d *Drafts) SaveProposal(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams) (int64, error) {
	return d.saveTyped(ctx, account, Draft{Request: req, Proposes: true})
}

// SaveTable saves a table of payments like Save.
func (d *Drafts) SaveTable(ctx context.Context, account ledger.AccountID, from, table, asset, label string) (int64, error) {
	return d.saveTyped(ctx, account, Draft{Request: txbuild.TransferParams{From: from, To: table, Asset: asset}, Several: true, Label: label})
}

func (d *Drafts) saveTyped(ctx context.Context, account ledger.AccountID, typed Draft) (int64, error) {
	kept, err := d.List(ctx, account)
	if err != nil {
		return 0, err
	}
	for _, k := range kept {
		if k.Same(typed) {
			return k.Number, nil
		}
	}
	switch r := typed.Request; {
	case typed.Several:
		return d.save(ctx, account, typedSeveral{&typedTable{r.From, r.To, r.Asset, typed.Label}})
	case typed.Proposes:
		return d.save(ctx, account, typedProposal{(*typedTransfer)(&typed.Request)})
	}
	return d.save(ctx, account, typedTransfer(typed.Request))
}

// typedProposal is a transfer to be proposed, as stored. To a program that does not know it, it is an empty transfer, which pays nobody.
type typedProposal struct{ Proposal *typedTransfer }

// typedSeveral is a table of payments, as stored: to a program that does not know it, an empty transfer.
type typedSeveral struct{ Several *typedTable }

type typedTable struct{ From, Table, Asset, Label string }

// typedTransfer is a transfer as stored, independent of the names of the operation's parameters.
type typedTransfer struct {
	From, To, Amount, Asset, Memo string
	Plain                         bool
}

// List returns the drafts of an account, newest first. Those whose key the wallet no longer holds are
// left out. Errors: fault.Locked, fault.File.
func (d *Drafts) List(ctx context.Context, account ledger.AccountID) (out []Draft, err error) {
	err = d.forEach(ctx, account, func(kept store.Draft, text string) {
		made := Draft{Number: kept.Number, Saved: kept.Saved, kept: kept}
		request := (*typedTransfer)(&made.Request)
		read := struct {
			*typedTransfer
			typedProposal
			typedSeveral
			typedWait
		}{request, typedProposal{}, typedSeveral{}, typedWait{}}
		if _, is := messageIn(text); is || json.Unmarshal([]byte(text), &read) != nil {
			return
		}
		if read.Proposal != nil {
			*request, made.Proposes = *read.Proposal, true
		}
		if t := read.Several; t != nil {
			made.Request, made.Several, made.Label = txbuild.TransferParams{From: t.From, To: t.Table, Asset: t.Asset}, true, t.Label
		}
		made.Wait = read.Wait
		out = append(out, made)
	})
	return out, err
}
