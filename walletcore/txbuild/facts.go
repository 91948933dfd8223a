package txbuild

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
		follower{f}.addControls(&r, op)
	}
	follower{f}.weighLocally(&r)
	r.Unread = approvedProposals(ops)
	r.Memos = memoTexts(f.Vault, ops)
	if len(ops) == 1 && ops[0].Body != nil {
		f.fillPayment(&r, ops[0])
	}
	r.fillNames(f.View)
	return r
}

// addFacts adds what an operation costs and what it moves.
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
	switch body := op.Body.(type) {
	case *ledger.ContentSubmitOp:
		r.Contents = append(r.Contents, body.URI)
	case *ledger.RequestToBuyOp:
		r.Contents = append(r.Contents, body.URI)
	}
	for _, m := range op.Moves() {
		r.Moves = append(r.Moves, Move{From: m.From, To: m.To, Asset: ledgerview.AssetRef{ID: m.Amount.AssetID}, Amount: m.Amount.Amount})
		if from := ledger.AccountID(m.From.Instance()); from.Object() == m.From {
			r.addOutgoing(from, m.Amount, 0)
		}
	}
	r.addOutgoing(payer, fee, fee.Amount)
	for _, to := range op.Receivers() {
		r.addReceiver(to)
		if !slices.ContainsFunc(op.Moves(), func(m ledger.Movement) bool { return m.From != 0 && m.To == to.Object() }) {
			r.Gifts = append(r.Gifts, Move{From: payer.Object(), To: to.Object(), Asset: r.Asset})
		}
	}
}

// addReceiver adds an account that gets something, unless it is listed already.
func (r *Review) addReceiver(to ledger.AccountID) {
	if !slices.ContainsFunc(r.Gets, func(a ledgerview.AccountRef) bool { return a.ID == to }) {
		r.Gets = append(r.Gets, ledgerview.AccountRef{ID: to})
	}
}

// addGifts adds the accounts that get something by an effect without being named by the operation. Those of an approved
// proposal are left out: they are added with what the proposal would do.
func (r *Review) addGifts(op ledger.Operation, e ledger.Effect) {
	r.noteUnnamed(e)
	for _, to := range append(slices.Clone(e.Whom), e.Paid...) {
		if e.Approved || slices.Contains(op.Receivers(), to) {
			continue
		}
		r.addReceiver(to)
		r.Gifts = append(r.Gifts, Move{From: op.Body.FeePayer().Object(), To: to.Object(), Asset: r.Asset})
	}
}

// noteUnnamed records that an effect pays somebody who cannot be determined.
func (r *Review) noteUnnamed(e ledger.Effect) {
	if e.Unnamed && !e.Approved {
		r.Unnamed, r.FirstTime = true, true
	}
}

// fillPayment fills in who pays whom in a single operation. If the operation takes several amounts, only Moves and Outgoing show them.
func (f *Factory) fillPayment(r *Review, op ledger.Operation) {
	r.Memo, r.MemoState = operationText(f.Vault, op)
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

// operationText reads the memo of an operation, or the text of a message. The latter is MemoForeign if its recipients do not
// all read the same text.
func operationText(opener memoOpener, op ledger.Operation) (string, vault.MemoState) {
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

// messageTexts returns the texts of a message, one for each recipient, or nil for any other operation.
func messageTexts(opener memoOpener, op ledger.Operation) (all []MessageText) {
	custom, isCustom := op.Body.(*ledger.CustomOp)
	if !isCustom || custom.ID != ledger.MessageID {
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

// Reopen reads the message in ops again if the review was made while the wallet was locked. It caches nothing: once the wallet
// is locked again, the texts must be gone.
func (f *Factory) Reopen(r *Review, ops []ledger.Operation) {
	if len(ops) == 1 && (*r).Closed() {
		r.Messages = messageTexts(f.Vault, ops[0])
	}
}

// addOutgoing adds an amount, and the part of it that is a fee, to what an account loses.
func (r *Review) addOutgoing(who ledger.AccountID, amount ledger.AssetAmount, fee int64) {
	for i := range r.Outgoing {
		if o := &r.Outgoing[i]; o.Account.ID == who && o.Asset.ID == amount.AssetID {
			o.Amount, o.Fee = sum(o.Amount, amount.Amount), sum(o.Fee, fee)
			return
		}
	}
	r.Outgoing = append(r.Outgoing, Outgoing{Account: ledgerview.AccountRef{ID: who},
		Asset: ledgerview.AssetRef{ID: amount.AssetID}, Amount: amount.Amount, Fee: fee})
}

// sum adds amounts, capped at the largest int64.
func sum(a, b int64) int64 {
	if total, fits := ledger.AddAmounts(a, b); fits {
		return total
	}
	return math.MaxInt64
}

// fillNames fills in the names of the accounts and assets of a review, as far as they are known.
func (r *Review) fillNames(by *ledgerview.View) {
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

// Title returns the name and the code of an operation, such as "transfer (0)".
func Title(code ledger.OpCode) string {
	return fmt.Sprintf("%s (%d)", history.OperationName(code), code)
}

// memoTexts reads the memos of several operations. It returns nil for a single one, whose memo is in Review.Memo.
func memoTexts(opener memoOpener, ops []ledger.Operation) (out []Text) {
	if len(ops) < 2 {
		return nil
	}
	for i, op := range ops {
		if text, state := operationText(opener, op); op.Body != nil && state != vault.MemoNone {
			out = append(out, Text{i, text, state})
		}
	}
	return out
}
