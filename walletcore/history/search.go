package history

import (
	"context"
	"encoding/json"
	"strconv"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// mostFound is how many rows a search returns at most; daemons have no limit of their own.
const mostFound = 1000

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
	if limit > mostFound {
		return 0, 0, &fault.Error{Code: fault.LimitExceeded, Message: "a search returns at most " + strconv.Itoa(mostFound) + " rows",
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
