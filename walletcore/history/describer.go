package history

import (
	"context"
	"encoding/json"
	"runtime"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"

	"golang.org/x/sync/errgroup"
)

// describer puts records into words.
type describer struct {
	*ledgerview.Namer
	open     memoOpener
	complete bool // every name is known
}

// readRecords decodes raw records and looks up the names they mention.
func (r *Reader) readRecords(ctx context.Context, rows []json.RawMessage) ([]ledger.HistoryRecord, *describer, error) {
	records := make([]ledger.HistoryRecord, len(rows))
	var m ledgerview.Mentions
	for i, raw := range rows {
		if err := codec.Unmarshal(raw, &records[i]); err != nil {
			return nil, nil, fault.Daemon("reading the history", err)
		}
		m.Add(records[i].Op)
		if moved, is := records[i].Op.Body.(*ledger.NFTTransferOp); is { // its sentence names the token by id alone
			m.Tokens = append(m.Tokens, moved.NFTDataID)
		}
	}
	names, err := r.View.Namer(ctx, &m)
	if err != nil {
		return nil, nil, err
	}
	return records, &describer{names, r.Vault.OpenMemo, names.Knows(&m)}, nil
}

// onAllCores runs work for 0 … n-1, as many at once as there are cores.
func onAllCores(n int, work func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var g errgroup.Group
	for c := range workers {
		g.Go(func() error {
			for i := c; i < n; i += workers {
				work(i)
			}
			return nil
		})
	}
	_ = g.Wait() // work does not fail
}

// mostAtOnce is how many queries to a daemon run at once.
const mostAtOnce = 16

// queryAll runs n queries, a few at once. It returns the first error.
func queryAll(n int, query func(i int) error) error {
	var g errgroup.Group
	g.SetLimit(mostAtOnce)
	for i := range n {
		g.Go(func() error { return query(i) })
	}
	return g.Wait()
}
