package history

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/vault"
)

// maxFound is the maximum number of rows that a search returns; daemons have no limit of their own.
const maxFound = 1000

// hiddenMemo stands for a memo that cannot be read, as in the reference.
const hiddenMemo = "{encrypted}"

// Search is a search for rows of an account.
type Search struct {
	Account string          // name or id
	Order   string          // "+type", "-type", "+to", … "-time"; any other = "-time"
	From    ledger.ObjectID // the row 2.17.N to start at; 0.0.0 = the first
	Limit   int32           // at most 1000; 0 or less finds nothing
}

// Search finds transfers, purchases and the like of an account. It appends the text of each memo to the
// description. Errors: fault.LimitExceeded, those of Accounts.Get, or the daemon's.
func (r *Reader) Search(ctx context.Context, s Search) ([]ledger.TransactionDetail, error) {
	account, limit, err := r.checkSearch(ctx, s.Account, s.Limit)
	if err != nil || limit == 0 {
		return []ledger.TransactionDetail{}, err
	}
	raws, err := r.Daemon.SearchAccountHistory(ctx, account, s.Order, s.From, limit)
	if err != nil {
		return nil, fault.Daemon("searching the history", err)
	}
	found := make([]ledger.TransactionDetail, len(raws))
	for i, raw := range raws {
		if err := codec.Unmarshal(raw, &found[i]); err != nil {
			return nil, fault.Daemon("searching the history", err)
		}
		if found[i].Memo != nil {
			found[i].Description += " - " + r.memoOr(found[i].Memo, hiddenMemo)
		}
	}
	return found, nil
}

// BalanceSearch is a search for changes of an account's balances.
type BalanceSearch struct {
	Account            string   // name or id
	Assets             []string // symbols or ids, one of which changed; empty = any
	Partner            string   // name or id, for transfers only; empty = anybody
	FromBlock, ToBlock uint32   // both 0 = all
	Skip               uint32   // how many of the newest to skip
	Limit              int32    // at most 1000; 0 or less finds nothing
}

// BalanceChange is an operation with how it changed an account's balances, and the memo if it can be read.
type BalanceChange struct {
	ledger.BalanceChange
	Memo        string `json:"memo"`
	Description string `json:"description"` // always empty, as in the reference
}

// SearchBalances finds the changes of an account's balances, newest first. Errors: fault.LimitExceeded, those of
// Accounts.Get and Assets.Get, or the daemon's.
func (r *Reader) SearchBalances(ctx context.Context, s BalanceSearch) ([]BalanceChange, error) {
	account, limit, err := r.checkSearch(ctx, s.Account, s.Limit)
	if err != nil {
		return nil, err
	}
	ask := daemonclient.BalanceSearch{FromBlock: s.FromBlock, ToBlock: s.ToBlock, Skip: s.Skip, Limit: limit}
	for _, symbolOrID := range s.Assets {
		asset, err := r.View.Assets.Get(ctx, symbolOrID)
		if err != nil {
			return nil, err
		}
		ask.Assets = append(ask.Assets, asset.ID)
	}
	if s.Partner != "" {
		partner, err := r.View.Accounts.Get(ctx, s.Partner)
		if err != nil {
			return nil, err
		}
		ask.Partner = &partner.ID
	}
	if limit == 0 {
		return []BalanceChange{}, nil
	}
	raws, err := r.Daemon.SearchAccountBalanceHistory(ctx, account, ask)
	if err != nil {
		return nil, fault.Daemon("searching the history", err)
	}
	found := make([]BalanceChange, len(raws))
	for i, raw := range raws {
		if found[i], err = r.balanceChange(raw); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// BalancesAt returns how the record id changed an account's balances, or if the account had no part in it, how the
// account's next older record did; nil if there is none. Errors: those of Accounts.Get, or the daemon's.
func (r *Reader) BalancesAt(ctx context.Context, account string, id ledger.HistoryID) (*BalanceChange, error) {
	found, err := r.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	raw, err := r.Daemon.AccountBalanceForTransaction(ctx, found.ID, id)
	if err != nil {
		return nil, fault.Daemon("reading the history", err)
	}
	if isNull(raw) {
		return nil, nil
	}
	change, err := r.balanceChange(raw)
	if err != nil {
		return nil, err
	}
	return &change, nil
}

// checkSearch returns the id of the account to search, and the limit as the daemon takes it.
func (r *Reader) checkSearch(ctx context.Context, account string, limit int32) (ledger.AccountID, uint32, error) {
	if limit > maxFound {
		return 0, 0, &fault.Error{Code: fault.LimitExceeded, Message: "a search returns at most " + strconv.Itoa(maxFound) + " rows",
			Hint: "ask for fewer, then continue after the last one"}
	}
	found, err := r.View.Accounts.Get(ctx, account)
	if err != nil {
		return 0, 0, err
	}
	return found.ID, uint32(max(0, limit)), nil
}

// balanceChange decodes a change as a daemon wrote it, and opens its memo.
func (r *Reader) balanceChange(raw json.RawMessage) (change BalanceChange, err error) {
	if err := codec.Unmarshal(raw, &change.BalanceChange); err != nil {
		return change, fault.Daemon("reading the history", err)
	}
	op := change.Record.Op
	if op.Body == nil {
		return change, nil
	}
	if m, carries := messageOf(op.Body); carries {
		change.Memo, _ = openMessage(r.Vault.OpenMemo, m)
		return change, nil
	}
	change.Memo = r.memoOr(op.Memo(), "")
	return change, nil
}

// memoOr returns the text of a memo, or hidden if it cannot be read.
func (r *Reader) memoOr(memo *ledger.Memo, hidden string) string {
	text, state := r.Vault.OpenMemo(memo)
	if state == vault.MemoOpen || state == vault.MemoPlain {
		return text
	}
	return hidden
}

// MemoSearch is the result of a search in memos.
type MemoSearch struct {
	IDs         []ledger.HistoryID
	More        bool   // searching on may find more
	Read, Total uint64 // rows searched, and rows in the index
	Locked      bool   // at least one memo was not read because the wallet is locked
}

// SearchMemos finds the rows of the index whose memo, as far as this wallet can read it, contains a
// text, ignoring case. The memos of final rows stay in memory until the wallet locks. It stops reading
// after the time limit, but not before one batch, and returns what it has; without a limit, 0, it reads to the end.
func (r *Reader) SearchMemos(ctx context.Context, id ledger.AccountID, text string, limit time.Duration) (out MemoSearch, err error) {
	if !r.Indexed() || text == "" || strings.Contains(text, "\x00") {
		return out, nil
	}
	start := time.Now()
	memos := r.memos.of(id, r.Vault.OpenMemo)
	status, err := r.Index.Status(ctx, id)
	if err != nil || !status.Known() {
		return out, IndexFault(err)
	}
	text, out.Total = strings.ToLower(text), status.Rows()
	fresh, err := r.readNewer(ctx, id, memos)
	if err != nil {
		return out, err
	}
	for {
		if out.More, err = r.readOlder(ctx, id, memos); err != nil {
			return out, err
		}
		if !out.More || limit != 0 && time.Since(start) >= limit {
			break
		}
	}
	for _, one := range fresh {
		out.Locked = out.Locked || one.state == vault.MemoLocked
		if strings.Contains(one.text, text) {
			out.IDs = append(out.IDs, one.id)
		}
	}
	found, locked := memos.find(text)
	out.IDs, out.Locked = append(out.IDs, found...), out.Locked || locked
	if out.Read = out.Total; out.More {
		oldest, _ := memos.oldest()
		out.Read, err = r.Index.Position(ctx, id, historyindex.Filter{}, oldest)
	}
	return out, IndexFault(err)
}

// withText returns a filter of the rows that may have a text: a memo or a message.
func withText() historyindex.Filter {
	return historyindex.Filter{Any: []historyindex.Filter{
		{Memo: []historyindex.Memo{historyindex.PlainMemo, historyindex.EncryptedMemo}}, {Code: []ledger.OpCode{ledger.CodeCustom}}}}
}

// memoRows is the number of memos read at a time.
const memoRows = 500

// readNewer caches the memos of rows that became final since the last search, and returns the memos of rows that are
// not final.
func (r *Reader) readNewer(ctx context.Context, id ledger.AccountID, memos *accountMemos) (fresh []openedMemo, err error) {
	after, whole := memos.newest()
	for {
		f := withText()
		if after == 0 && !whole { // readOlder reads the final ones
			f.State = historyindex.Provisional
		}
		page, err := r.Index.Page(ctx, id, f, historyindex.Window{After: after, Oldest: true, Limit: memoRows})
		if err != nil {
			return nil, IndexFault(err)
		}
		opened := r.openAll(page.Rows)
		final := 0
		for final < len(page.Rows) && page.Rows[final].Final {
			final++
		}
		memos.add(opened[:final], after, true)
		fresh = append(fresh, opened[final:]...)
		if len(page.Rows) < memoRows {
			return fresh, nil
		}
		after = page.Rows[len(page.Rows)-1].ID
	}
}

// readOlder caches the memos of one more batch of final rows, going back in time; more reports whether there may be others.
func (r *Reader) readOlder(ctx context.Context, id ledger.AccountID, memos *accountMemos) (more bool, err error) {
	before, whole := memos.oldest()
	if whole {
		return false, nil
	}
	f := withText()
	f.State = historyindex.Final
	page, err := r.Index.Page(ctx, id, f, historyindex.Window{Before: before, Limit: memoRows})
	if err != nil {
		return false, IndexFault(err)
	}
	memos.add(r.openAll(page.Rows), before, false)
	if n := len(page.Rows); n > 0 {
		before = page.Rows[n-1].ID
	}
	if len(page.Rows) < memoRows && page.Whole {
		memos.markWhole(before)
	}
	return len(page.Rows) == memoRows, nil
}

// openAll reads the memos of rows, in lower case.
func (r *Reader) openAll(rows []historyindex.Row) []openedMemo {
	out := make([]openedMemo, len(rows))
	onAllCores(len(rows), func(i int) {
		out[i].id = rows[i].ID
		record, err := readRecord(rows[i].Raw)
		if err != nil || record.Op.Body == nil {
			return
		}
		if m, carries := messageOf(record.Op.Body); carries {
			out[i].text, _ = openMessage(r.Vault.OpenMemo, m)
		} else {
			out[i].memo = record.Op.Memo()
			out[i].text, out[i].state = r.Vault.OpenMemo(out[i].memo)
		}
		out[i].text = strings.ToLower(out[i].text)
	})
	return out
}
