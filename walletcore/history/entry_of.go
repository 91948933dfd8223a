package history

import "billfold/ledger"

// entry returns a record as a row, seen from account id. Time, Final and Proof are left to the caller.
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
	e.FeePayer, e.With = e.From, e.From
	if m, is := messageOf(r.Op.Body); is {
		d.messageEntry(id, m, &e)
		return e
	}
	moved, direction := movementsOf(id, r.Op)
	if len(moved) == 0 {
		return e
	}
	m := moved[0]
	e.Direction, e.Asset, e.Amount = direction, d.Assets[m.Amount.AssetID], m.Amount.Amount
	if to, err := ledger.ParseAccountID(m.To.String()); err == nil {
		e.To = d.Ref(to)
	}
	for _, also := range moved[1:] {
		e.Also = append(e.Also, Part{d.Assets[also.Amount.AssetID], also.Amount.Amount})
	}
	e.Memo, e.MemoState = d.open(r.Op.Memo())
	if e.With = d.Ref(m.From); direction == Out || direction == Self {
		e.With = e.To
	}
	if e.Pays() {
		e.From = d.Ref(m.From)
	}
	return e
}
