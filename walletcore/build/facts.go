package build

import (
	"fmt"
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// FactsOf returns the part of a review that needs nothing from the daemon.
func (f *Factory) FactsOf(ops []ledger.Operation) Review {
	r := Review{}
	switch len(ops) {
	case 0:
		return r
	case 1:
		r.Operation = Title(ops[0].Code)
	default:
		r.Operation = fmt.Sprintf("%d operations", len(ops))
	}
	for i, op := range ops {
		f.addFacts(&r, op, i == 0)
		follower{f}.controls(&r, op)
	}
	follower{f}.weighHere(&r)
	r.Unread = approvedBy(ops)
	r.Memos = texts(f.Vault, ops)
	if len(ops) == 1 && ops[0].Body != nil {
		f.payment(&r, ops[0])
	}
	r.name(f.View)
	return r
}

// addFacts adds what an operation costs and moves.
func (f *Factory) addFacts(r *Review, op ledger.Operation, first bool) {
	if op.Body == nil {
		return
	}
	fee, payer := *op.Fee(), op.Body.FeePayer()
	if first {
		r.From.ID, r.FeeAsset.ID, r.Asset.ID = payer, fee.AssetID, fee.AssetID
	}
	if fee.AssetID == r.FeeAsset.ID {
		r.Fee = sum(r.Fee, fee.Amount)
	}
	for _, m := range op.Moves() {
		r.Moves = append(r.Moves, Move{From: m.From, To: m.To, Asset: ledgerview.AssetRef{ID: m.Amount.AssetID}, Amount: m.Amount.Amount})
		if from := ledger.AccountID(m.From.Instance()); from.Object() == m.From {
			r.spend(from, m.Amount, 0)
		}
	}
	r.spend(payer, fee, fee.Amount)
	for _, to := range op.Receivers() {
		r.gets(to)
		if !slices.ContainsFunc(op.Moves(), func(m ledger.Movement) bool { return m.From != 0 && m.To == to.Object() }) {
			r.Gifts = append(r.Gifts, Move{From: payer.Object(), To: to.Object(), Asset: r.Asset})
		}
	}
}

// gets notes one who gets something.
func (r *Review) gets(to ledger.AccountID) {
	if !slices.ContainsFunc(r.Gets, func(a ledgerview.AccountRef) bool { return a.ID == to }) {
		r.Gets = append(r.Gets, ledgerview.AccountRef{ID: to})
	}
}

// give notes those whom an effect gives something and whom the operation does not name. Those of a proposal that is
// approved are noted with what it would do.
func (r *Review) give(op ledger.Operation, e ledger.Effect) {
	r.unnamed(e)
	for _, to := range append(slices.Clone(e.Whom), e.Paid...) {
		if e.Approved || slices.Contains(op.Receivers(), to) {
			continue
		}
		r.gets(to)
		r.Gifts = append(r.Gifts, Move{From: op.Body.FeePayer().Object(), To: to.Object(), Asset: r.Asset})
	}
}

// unnamed notes that somebody is paid who cannot be told.
func (r *Review) unnamed(e ledger.Effect) {
	if e.Unnamed && !e.Approved {
		r.Unnamed, r.FirstTime = true, true
	}
}

// payment fills in who pays whom in a single operation. Of one that takes several amounts, Moves and Outgoing say so.
func (f *Factory) payment(r *Review, op ledger.Operation) {
	r.Memo, r.MemoState = openText(f.Vault, op)
	r.MemoBytes = len(r.Memo)
	r.Messages = messageTexts(f.Vault, op)
	var taken []Move
	for _, m := range r.Moves {
		if m.Amount != 0 {
			taken = append(taken, m)
		}
	}
	if len(taken) == 1 && taken[0].From == r.From.ID.Object() {
		r.ToObject, r.Asset.ID, r.Amount = taken[0].To, taken[0].Asset.ID, taken[0].Amount
	}
}

// openText reads the memo of an operation, or the text of a message, which is shown only where all who get it can
// read the same.
func openText(opener memoOpener, op ledger.Operation) (string, vault.MemoState) {
	all := messageTexts(opener, op)
	if len(all) == 0 {
		return opener.OpenMemo(op.Memo())
	}
	for _, t := range all[1:] {
		if t.Text != all[0].Text || t.State != all[0].State {
			return "", vault.MemoForeign
		}
	}
	return all[0].Text, all[0].State
}

// messageTexts are the texts of a message; nil for any other operation.
func messageTexts(opener memoOpener, op ledger.Operation) (all []MessageText) {
	custom, is := op.Body.(*ledger.CustomOp)
	if !is || custom.ID != ledger.MessageID {
		return nil
	}
	m, err := ledger.ReadMessage(custom.Data)
	if err != nil {
		return nil
	}
	for i, reader := range m.Receivers {
		memo := m.Memo(i)
		text, state := opener.OpenMemo(&memo)
		all = append(all, MessageText{To: reader.To, Text: text, State: state})
	}
	return all
}

// Reopen reads a message of ops again that was noted while the wallet was locked. It keeps nothing: whoever locks the wallet
// has its texts gone.
func Reopen(f *Factory, r *Review, ops []ledger.Operation) {
	if len(ops) == 1 && Closed(*r) {
		r.Messages = messageTexts(f.Vault, ops[0])
	}
}

// spend adds an amount to what an account loses.
func (r *Review) spend(who ledger.AccountID, amount ledger.AssetAmount, fee int64) {
	for i := range r.Outgoing {
		if o := &r.Outgoing[i]; o.Account.ID == who && o.Asset.ID == amount.AssetID {
			o.Amount, o.Fee = sum(o.Amount, amount.Amount), sum(o.Fee, fee)
			return
		}
	}
	r.Outgoing = append(r.Outgoing, Outgoing{Account: ledgerview.AccountRef{ID: who},
		Asset: ledgerview.AssetRef{ID: amount.AssetID}, Amount: amount.Amount, Fee: fee})
}

// sum adds amounts; what does not fit is as much as there can be.
func sum(a, b int64) int64 {
	if total, fits := ledger.AddAmounts(a, b); fits {
		return total
	}
	return math.MaxInt64
}

// name names the accounts and assets of a review.
func (r *Review) name(by *ledgerview.View) {
	r.From = by.Accounts.Ref(r.From.ID)
	if to := ledger.AccountID(r.ToObject.Instance()); r.ToObject != 0 && to.Object() == r.ToObject {
		r.To = by.Accounts.Ref(to)
	}
	r.Asset, r.FeeAsset = by.Assets.Known(r.Asset.ID), by.Assets.Known(r.FeeAsset.ID)
	for i := range r.Moves {
		r.Moves[i].Asset = by.Assets.Known(r.Moves[i].Asset.ID)
	}
	for i := range r.Outgoing {
		r.Outgoing[i].Account, r.Outgoing[i].Asset = by.Accounts.Ref(r.Outgoing[i].Account.ID), by.Assets.Known(r.Outgoing[i].Asset.ID)
	}
	for i := range r.Gets {
		r.Gets[i] = by.Accounts.Ref(r.Gets[i].ID)
	}
	for i := range r.Control {
		r.Control[i].Account = by.Accounts.Ref(r.Control[i].Account.ID)
	}
	for i := range r.Signers {
		if r.Signers[i].Keys == nil {
			r.Signers[i].Account = by.Accounts.Ref(r.Signers[i].Account.ID)
		}
	}
}

// Title returns the name and the code of an operation, "transfer (0)".
func Title(code ledger.OpCode) string {
	return fmt.Sprintf("%s (%d)", history.OperationName(code), code)
}

// texts reads the memos of several operations; of a single one Memo has it.
func texts(opener memoOpener, ops []ledger.Operation) (out []Text) {
	if len(ops) < 2 {
		return nil
	}
	for i, op := range ops {
		if text, state := openText(opener, op); op.Body != nil && state != vault.MemoNone {
			out = append(out, Text{i, text, state})
		}
	}
	return out
}
