package history

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
)

// mostMade bounds how many operations are searched for the objects they created.
const mostMade = 1000

// CreatedObjects returns the objects that an account's operations of one kind created, newest first, whoever signed
// them. It searches the rows of the index that are not incoming. Without an index it returns none.
func CreatedObjects(ctx context.Context, r *Reader, id ledger.AccountID, code ledger.OpCode) ([]ledger.ObjectID, error) {
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
