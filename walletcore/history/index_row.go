package history

import (
	"bytes"
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/historyindex"
)

func readRecord(raw json.RawMessage) (r ledger.HistoryRecord, err error) {
	return r, codec.Unmarshal(raw, &r)
}

// sameRecord reports whether two records are the same operation at the same place.
// It ignores members that only a daemon of another version writes.
func sameRecord(a, b json.RawMessage) bool {
	x, err := readRecord(a)
	if err != nil {
		return false
	}
	y, err := readRecord(b)
	if err != nil || x.ID != y.ID || x.BlockNum != y.BlockNum || x.TrxInBlock != y.TrxInBlock || x.OpInTrx != y.OpInTrx {
		return false
	}
	one, errOne := codec.Marshal(x.Op)
	other, errOther := codec.Marshal(y.Op)
	return errOne == nil && errOther == nil && bytes.Equal(one, other)
}

// indexRow returns the searchable columns of a record, seen from an account. Seq, Time and Raw are left to the caller.
func indexRow(id ledger.AccountID, r ledger.HistoryRecord) historyindex.Row {
	row := historyindex.Row{ID: r.ID, Block: r.BlockNum, Trx: r.TrxInBlock, Code: r.Op.Code}
	if r.Op.Body == nil {
		return row
	}
	row.Memo = memoKind(r.Op.Memo())
	payer := r.Op.Body.FeePayer()
	row.With = &payer
	moved, direction := movementsOf(id, r.Op)
	if len(moved) == 0 {
		return row
	}
	m := moved[0]
	for _, also := range moved[1:] {
		row.Also = append(row.Also, historyindex.Part{Asset: also.Amount.AssetID, Amount: also.Amount.Amount})
	}
	row.Asset, row.Amount, row.With = &m.Amount.AssetID, m.Amount.Amount, &m.From
	switch direction {
	case Self:
		row.Direction, row.With = historyindex.Self, &id
	case Out:
		row.Direction, row.With = historyindex.Out, nil
		if to, err := ledger.ParseAccountID(m.To.String()); err == nil {
			row.With = &to
		}
	case In:
		row.Direction = historyindex.In
	case Other:
	}
	return row
}

func memoKind(memo *ledger.Memo) historyindex.Memo {
	switch {
	case memo == nil:
		return historyindex.NoMemo
	case memo.From.IsNull():
		return historyindex.PlainMemo
	}
	return historyindex.EncryptedMemo
}
