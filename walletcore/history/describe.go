package history

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// describe adds memo and description to raw records. It uses the cache.
func (r *Reader) describe(ctx context.Context, rows []json.RawMessage) ([]Detail, error) {
	out := make([]Detail, len(rows))
	missing, locks := r.details.find(rows, out)
	if len(missing) == 0 {
		return out, nil
	}
	ask := make([]json.RawMessage, len(missing))
	for i, at := range missing {
		ask[i] = rows[at]
	}
	made, lasting, err := r.describeAll(ctx, ask)
	if err != nil {
		return nil, err
	}
	for i, at := range missing {
		out[at] = made[i]
	}
	r.details.keep(locks, lasting)
	return out, nil
}

// describeAll describes raw records. Those in lasting stay the same until the wallet locks: their
// block is proven irreversible, all names are known, and the memo is open.
func (r *Reader) describeAll(ctx context.Context, rows []json.RawMessage) (out, lasting []Detail, err error) {
	records, d, err := r.readRecords(ctx, rows)
	if err != nil {
		return nil, nil, err
	}
	states := make([]vault.MemoState, len(rows))
	out = make([]Detail, len(rows))
	onAllCores(len(rows), func(i int) {
		out[i], states[i] = d.detail(records[i], rows[i])
	})
	if !d.complete {
		return out, nil, nil
	}
	proven := r.View.Chain.Proven()
	for i, record := range records {
		if record.BlockNum <= proven && states[i].Lasting() {
			lasting = append(lasting, out[i])
		}
	}
	return out, lasting, nil
}

// detail describes one record, and returns the state of its memo.
func (d *describer) detail(record ledger.HistoryRecord, raw json.RawMessage) (Detail, vault.MemoState) {
	if m, ok := readMessage(record.Op.Body); ok {
		description, text := d.message(record.Op.Body.(*ledger.CustomOp), m)
		return Detail{Memo: text, Description: description, Op: raw}, vault.MemoForeign // its receivers' copies may have different states
	}
	memo, state := d.open(record.Op.Memo())
	out := Detail{Description: d.describe(record, memo, state), Op: raw}
	if state == vault.MemoOpen || state == vault.MemoPlain {
		out.Memo = memo
	}
	return out, state
}
