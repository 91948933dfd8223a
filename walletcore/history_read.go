package walletcore

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// pageRows is the most rows one history call of the daemon gives.
const pageRows = 100

// HistoryDetail is one row the way the reference answers it: the record as the
// daemon wrote it, an English description, and the memo if it can be opened.
type HistoryDetail struct {
	Memo        string          `json:"memo"`
	Description string          `json:"description"`
	Op          json.RawMessage `json:"op"`
}

// AccountHistory gives the latest limit operations of an account, newest first;
// more than 100 are read in pages, without gap or repetition. Without a daemon
// the index tells those of own accounts, as far as it has them.
func (w *Wallet) AccountHistory(ctx context.Context, account string, limit int32) ([]HistoryDetail, error) {
	if rows, ok := w.rowsOffline(ctx, account, int(limit)); ok {
		return w.describe(ctx, rows)
	}
	acc, err := w.Account(ctx, account)
	if err != nil {
		return nil, err
	}
	var rows []json.RawMessage
	var before ledger.HistoryID
	for int(limit) > len(rows) {
		ask := min(int(limit)-len(rows), pageRows)
		page, err := w.rowsBefore(ctx, acc.ID, before, ask)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page...)
		if before, err = recordID(page); err != nil {
			return nil, err
		}
		if len(page) < ask || before == 0 {
			break
		}
	}
	return w.describe(ctx, rows)
}

// rowsBefore reads up to limit (100) records older than before, newest first; 0
// begins with the newest.
func (w *Wallet) rowsBefore(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]json.RawMessage, error) {
	start := before
	if start > 1 { // a start of 0 would mean the newest, so record 0 is asked for together with 1
		start--
	}
	if before == 1 {
		limit++
	}
	rows, err := w.daemon.AccountHistoryRaw(ctx, id, 0, uint32(min(limit, pageRows)), start)
	if err != nil {
		return nil, fault.Daemon("reading the history", err)
	}
	if before == 1 && len(rows) > 0 {
		if first, err := recordID(rows[:1]); err != nil || first == 1 {
			return rows[1:], err
		}
	}
	return rows, nil
}

// recordID is the id of the last record of a page, 0 when it is empty.
func recordID(page []json.RawMessage) (ledger.HistoryID, error) {
	if len(page) == 0 {
		return 0, nil
	}
	var r struct {
		ID ledger.HistoryID `json:"id"`
	}
	if err := codec.Unmarshal(page[len(page)-1], &r); err != nil {
		return 0, fault.Daemon("reading the history", err)
	}
	return r.ID, nil
}

// RelativeAccountHistory gives one page by the account's own count of its
// operations: stop to start, both included, newest first; start 0 is the newest.
func (w *Wallet) RelativeAccountHistory(ctx context.Context, account string, stop uint32, limit int32, start uint32) ([]HistoryDetail, error) {
	acc, err := w.Account(ctx, account)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		return []HistoryDetail{}, nil
	}
	rows, err := w.daemon.RelativeAccountHistoryRaw(ctx, acc.ID, stop, uint32(limit), start)
	if err != nil {
		return nil, fault.Daemon("reading the history", err)
	}
	return w.describe(ctx, rows)
}

// describe adds memo and description to raw records.
func (w *Wallet) describe(ctx context.Context, rows []json.RawMessage) ([]HistoryDetail, error) {
	records, d, err := w.readRecords(ctx, rows)
	if err != nil {
		return nil, err
	}
	out := make([]HistoryDetail, len(rows))
	onAllCores(len(rows), func(i int) {
		if m, ok := messageOf(records[i].Op.Body); ok {
			description, text := d.message(records[i].Op.Body.(*ledger.CustomOp), m)
			out[i] = HistoryDetail{Memo: text, Description: description, Op: rows[i]}
			return
		}
		memo, state := w.openMemo(d.store, records[i].Op.Memo())
		out[i] = HistoryDetail{Description: d.describe(records[i], memo, state), Op: rows[i]}
		if state == vault.MemoOpen || state == vault.MemoPlain {
			out[i].Memo = memo
		}
	})
	return out, nil
}

// describer words what records say.
type describer struct {
	*ledgerview.Namer
	w     *Wallet
	store *keystore.Store
}

// readRecords decodes raw records and makes every name in them known.
func (w *Wallet) readRecords(ctx context.Context, rows []json.RawMessage) ([]ledger.HistoryRecord, *describer, error) {
	records := make([]ledger.HistoryRecord, len(rows))
	var m ledgerview.Mentions
	for i, raw := range rows {
		if err := codec.Unmarshal(raw, &records[i]); err != nil {
			return nil, nil, fault.Daemon("reading the history", err)
		}
		m.Add(records[i].Op)
	}
	d, err := w.describer(ctx, &m)
	return records, d, err
}

// describer makes everything mentioned known.
func (w *Wallet) describer(ctx context.Context, m *ledgerview.Mentions) (*describer, error) {
	refs, err := w.namesFor(ctx, m)
	if err != nil {
		return nil, err
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return &describer{&ledgerview.Namer{Ref: w.ref, Assets: refs}, w, w.store}, nil
}

// movement is what an operation moves between accounts.
type movement struct {
	from   ledger.AccountID
	to     ledger.ObjectID
	amount ledger.AssetAmount
}

func movementOf(body ledger.Body) (movement, bool) {
	switch op := body.(type) {
	case *ledger.TransferObsoleteOp:
		return movement{op.From, op.To.Object(), op.Amount}, true
	case *ledger.TransferOp:
		return movement{op.From, op.To, op.Amount}, true
	case *ledger.AssetIssueOp:
		return movement{op.Issuer, op.IssueToAccount.Object(), op.AssetToIssue}, true
	}
	return movement{}, false
}

// onAllCores runs work for 0 … n-1, as many at a time as there are cores.
func onAllCores(n int, work func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for c := range workers {
		wg.Go(func() {
			for i := c; i < n; i += workers {
				work(i)
			}
		})
	}
	wg.Wait()
}

// History gives up to limit rows of an account, newest first, those before the
// given one; 0 starts at the newest. They come from the index as far as it is
// up to the head block, or no daemon is at hand; else from the daemon.
func (w *Wallet) History(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]HistoryEntry, error) {
	if page, ok := w.indexedPage(ctx, id, before, limit); ok {
		return w.indexedEntries(ctx, id, page.Rows)
	}
	var out []HistoryEntry
	for len(out) < limit {
		ask := min(limit-len(out), pageRows)
		page, err := w.historyPage(ctx, id, before, ask)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if len(page) < ask || page[len(page)-1].ID == 0 {
			break
		}
		before = page[len(page)-1].ID
	}
	return out, nil
}

// historyPage is History of at most 100 rows, from the daemon.
func (w *Wallet) historyPage(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]HistoryEntry, error) {
	rows, err := w.rowsBefore(ctx, id, before, limit)
	if err != nil {
		return nil, err
	}
	records, d, err := w.readRecords(ctx, rows)
	if err != nil {
		return nil, err
	}
	times, err := w.blockTimes(ctx, records)
	if err != nil {
		return nil, err
	}
	_, _, irreversible := w.chain.read()
	out := make([]HistoryEntry, len(records))
	onAllCores(len(records), func(i int) {
		out[i] = d.entry(id, records[i])
		out[i].Time, out[i].Final = times[records[i].BlockNum], records[i].BlockNum <= irreversible
	})
	return out, nil
}

// blockTimes reads when the records' blocks were made, from the cache where
// the block is irreversible, else from the daemon.
func (w *Wallet) blockTimes(ctx context.Context, records []ledger.HistoryRecord) (map[uint32]ledger.Time, error) {
	out := map[uint32]ledger.Time{}
	_, _, irreversible := w.chain.read()
	var ask []uint32
	for _, r := range records {
		if _, done := out[r.BlockNum]; done {
			continue
		}
		at, known := w.times.get(r.BlockNum)
		if out[r.BlockNum] = at; !known {
			ask = append(ask, r.BlockNum)
		}
	}
	var mu sync.Mutex
	var first error
	parallel(len(ask), func(i int) {
		header, err := w.daemon.GetBlockHeader(ctx, ask[i])
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			first = fault.Daemon("reading the time of a block", err)
		case header != nil:
			out[ask[i]] = header.Timestamp
			if ask[i] <= irreversible {
				w.times.put(ask[i], header.Timestamp)
			}
		}
	})
	return out, first
}

// mostAtOnce is how many questions go out over the line together.
const mostAtOnce = 16

// parallel asks n questions, a few at a time, over the one line.
func parallel(n int, ask func(i int)) {
	var wg sync.WaitGroup
	for c := range min(mostAtOnce, n) {
		wg.Go(func() {
			for i := c; i < n; i += mostAtOnce {
				ask(i)
			}
		})
	}
	wg.Wait()
}

// timeCache keeps the times of irreversible blocks, which never change.
type timeCache struct {
	mu sync.RWMutex
	by map[uint32]ledger.Time
}

func (c *timeCache) get(block uint32) (ledger.Time, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	at, ok := c.by[block]
	return at, ok
}

// mostTimes bounds the cache; beyond it the cache starts anew.
const mostTimes = 100_000

func (c *timeCache) put(block uint32, at ledger.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || len(c.by) >= mostTimes {
		c.by = map[uint32]ledger.Time{}
	}
	c.by[block] = at
}
