package history

import (
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// entry is a row for the screen, seen from account id.
func (d *describer) entry(id ledger.AccountID, r ledger.HistoryRecord) Entry {
	e := Entry{
		ID:         r.ID,
		Code:       r.Op.Code,
		Name:       OperationName(r.Op.Code),
		Block:      r.BlockNum,
		TrxInBlock: r.TrxInBlock,
		OpInTrx:    r.OpInTrx,
		VirtualOp:  r.VirtualOp,
	}
	e.Sentence = ledger.Sentence(r.Op, d)
	if r.Op.Body == nil {
		return e
	}
	fee := r.Op.Fee()
	e.FeeAsset, e.Fee = d.Assets[fee.AssetID], fee.Amount
	e.From = d.Ref(r.Op.Body.FeePayer())
	e.With = e.From
	if m, is := messageOf(r.Op.Body); is {
		d.messageEntry(id, m, &e)
		return e
	}
	m, moves := MovementOf(r.Op.Body)
	if !moves {
		return e
	}
	e.From, e.Asset, e.Amount = d.Ref(m.From), d.Assets[m.Amount.AssetID], m.Amount.Amount
	if to, err := ledger.ParseAccountID(m.To.String()); err == nil {
		e.To = d.Ref(to)
	}
	e.Memo, e.MemoState = d.open(r.Op.Memo())
	e.Direction, e.With = direction(id, e)
	return e
}

func direction(id ledger.AccountID, e Entry) (Direction, ledgerview.AccountRef) {
	switch {
	case e.From.ID == id && e.To.ID == id:
		return Self, e.To
	case e.From.ID == id:
		return Out, e.To
	case e.To.ID == id:
		return In, e.From
	}
	return Other, e.From
}
