package history

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
)

// mostMade bounds how many operations are looked through for what they made.
const mostMade = 1000

// Made lists the objects that operations of one kind, which brings the account nothing, made, the newest first: of the rows that the
// index has of an account, whoever signed them. Without an index there are none.
func Made(ctx context.Context, r *Reader, id ledger.AccountID, code ledger.OpCode) ([]ledger.ObjectID, error) {
	if !r.Indexed() {
		return nil, nil
	}
	of := historyindex.Filter{Code: []ledger.OpCode{code},
		Direction: []historyindex.Direction{historyindex.Other, historyindex.Out, historyindex.Self}}
	page, err := r.Index.Page(ctx, id, of, historyindex.Window{Limit: mostMade})
	if err != nil {
		return nil, IndexFault(err)
	}
	var out []ledger.ObjectID
	for _, row := range page.Rows {
		record, err := readRecord(row.Raw)
		if err != nil {
			return nil, fault.Daemon("reading the history", err)
		}
		if record.Result.Object != nil {
			out = append(out, *record.Result.Object)
		}
	}
	return out, nil
}
