// Package deposit lists incoming transfers for programs that credit them, such as an exchange. For each account it keeps
// the cursor up to which deposits were acknowledged.
//
//	history of the account ──► irreversible, incoming transfers after the cursor ──► Next ──► the program's books
//	                                                                          cursor ◄── Ack ◄──┘
//
// Promises: a transfer is listed once its block is irreversible, not before, until it is acknowledged; after that never
// again, whatever restarts in between. Only the position of a deposit of the account can be acknowledged, never that of
// another account's or a guess. What is listed was executed by the ledger: it comes from the account's history and is
// checked against its block, which the miners' signatures prove, or, for the result of a proposal, is agreed on by a
// quorum of daemons. It names the asset by id, because a symbol is a name that somebody chose.
//
// A position is block.transaction.operation.virtual, which is the same at every daemon, unlike the number of a history record.
package deposit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

const (
	pageRows = 100
	maxLimit = 1000
	// maxAsked is the maximum number of rows checked in one step.
	maxAsked = 10_000
)

// Sources holds the interfaces through which deposits are read.
type Sources struct {
	Accounts Accounts
	History  History
	Prover   RowProver
	Chain    Chain
}

// History reads rows of an account.
type History interface {
	IncomingFinal(ctx context.Context, id ledger.AccountID, from uint32, limit int) (rows []history.Entry, ok bool, err error)
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// RowProver compares rows with the blocks that they name; see Prover.Prove.
type RowProver interface {
	Prove(ctx context.Context, id ledger.AccountID, rows []history.Entry) (int, error)
}

// Chain knows the position of the ledger.
type Chain interface {
	Position() (head uint32, at ledger.Time, irreversible uint32)
	AwaitSynced(ctx context.Context) // so that a program that has just started knows what is irreversible
}

// Accounts finds accounts by name or id.
type Accounts interface {
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
}

// Deposit is one incoming transfer. MemoStatus is one of MemoStatuses. TransactionID is nil for the result of a proposal, which is in no
// transaction, and in events about what is not irreversible yet. Proof is signatures if the miners' signatures show the transfer in its block; daemons if a quorum
// of daemons agrees on the result of a proposal, which no block shows; node if only one daemon says so, as in events
// about what is not irreversible yet. Next returns none of the last kind.
type Deposit struct {
	Position     Position         `json:"position"`
	Account      string           `json:"account"`
	AccountID    ledger.AccountID `json:"account_id"`
	From         string           `json:"from"`
	FromID       ledger.AccountID `json:"from_id"`
	Asset        string           `json:"asset"`
	AssetID      ledger.AssetID   `json:"asset_id"`
	Amount       string           `json:"amount"` // smallest units; text, so that no reader loses digits to a float
	PrettyAmount string           `json:"pretty_amount"`
	Memo         string           `json:"memo"`
	MemoStatus   string           `json:"memo_status"`

	TransactionID *ledger.TransactionID `json:"transaction_id"`

	HistoryID  ledger.HistoryID `json:"history_id"`
	BlockNum   uint32           `json:"block_num"`
	TrxInBlock uint32           `json:"trx_in_block"`
	OpInTrx    uint32           `json:"op_in_trx"`
	Time       ledger.Time      `json:"time"`
	Proof      string           `json:"proof"`
}

// Of returns e as a deposit to its account; false if it is none.
func Of(account ledgerview.AccountRef, e history.Entry) (Deposit, bool) {
	const transferObsolete, transfer = 0, 39
	if e.Direction != history.In || e.Code != transferObsolete && e.Code != transfer || e.Amount <= 0 {
		return Deposit{}, false
	}
	d := Deposit{
		Position: PositionOf(e), Account: account.Name, AccountID: account.ID, From: e.From.Name, FromID: e.From.ID,
		Asset: e.Asset.Symbol, AssetID: e.Asset.ID, Amount: strconv.FormatInt(e.Amount, 10), PrettyAmount: e.Asset.Format(e.Amount),
		Proof: proofName(
			e), MemoStatus: memoStatus(e.MemoState), TransactionID: e.Transaction, HistoryID: e.ID, BlockNum: e.Block, TrxInBlock: e.TrxInBlock, OpInTrx: e.OpInTrx,
		Time: e.Time,
	}
	if e.MemoState == vault.MemoOpen || e.MemoState == vault.MemoPlain {
		d.Memo = e.Memo
	}
	return d, true
}

func proofName(e history.Entry) string {
	switch e.Proof {
	case history.ProofSignatures:
		return "signatures"
	case history.ProofDaemons:
		return "daemons"
	case history.ProofNode, history.ProofWithheld:
	}
	return "node"
}

// MemoStatuses describes the values of Deposit.MemoStatus.
const MemoStatuses = "memo_status is none: there is no memo; decrypted: it was encrypted, and a key of this wallet reads it; plain: it was not encrypted; " +
	"locked: it is encrypted, and the wallet is locked (unlock it and ask again); no_key: no key of this wallet reads it; " +
	"damaged: its key is here, and what it holds is no text"

func memoStatus(s vault.MemoState) string {
	switch s {
	case vault.MemoNone:
		return "none"
	case vault.MemoOpen:
		return "decrypted"
	case vault.MemoPlain:
		return "plain"
	case vault.MemoLocked:
		return "locked"
	case vault.MemoForeign:
		return "no_key"
	case vault.MemoDamaged:
	}
	return "damaged"
}

// Queue lists and acknowledges deposits. It is safe for concurrent use.
type Queue struct {
	from    Sources
	cursors Cursors
}

// Cursors stores up to which deposit an account was acknowledged.
type Cursors interface {
	Cursor(ctx context.Context, account ledger.AccountID) (store.Cursor, error)

	// Advance moves the cursor to a later position, on disk; it reports false if the cursor is there or further already.
	Advance(ctx context.Context, account ledger.AccountID, to store.Cursor) (bool, error)

	// All reads the cursors of all accounts for which something was acknowledged.
	All(ctx context.Context) (map[ledger.AccountID]store.Cursor, error)
}

// New returns the deposits of a wallet, with their cursors.
func New(cursors Cursors, from Sources) *Queue { return &Queue{from: from, cursors: cursors} }

// Next returns up to limit deposits of an account that were not acknowledged, oldest first. Calling it again returns the
// same ones. Errors: fault.LimitExceeded, those of looking up the account, the daemon's, fault.File.
func (q *Queue) Next(ctx context.Context, account string, limit uint32) ([]Deposit, error) {
	if err := checkLimit("deposits.next", limit); err != nil {
		return nil, err
	}
	a, err := q.from.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	q.from.Chain.AwaitSynced(ctx)
	cursor, err := q.cursors.Cursor(ctx, a.ID)
	if err != nil {
		return nil, fileFault("deposits.next", err)
	}
	return q.reliable(ctx, ledgerview.AccountRef{ID: a.ID, Name: a.Name}, Position(cursor), int(limit))
}

// Since is Next for the deposits after a position, acknowledged or not. Errors: fault.BadParameter, and those of Next.
func (q *Queue) Since(ctx context.Context, account, position string, limit uint32) ([]Deposit, error) {
	p, err := ParsePosition(position)
	if err != nil {
		return nil, &fault.Error{Code: fault.BadParameter, Op: "deposits.since", Message: err.Error(),
			Hint: "give a position as deposits.next listed it, or 0.0.0.0 for all"}
	}
	if err := checkLimit("deposits.since", limit); err != nil {
		return nil, err
	}
	a, err := q.from.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	q.from.Chain.AwaitSynced(ctx)
	return q.reliable(ctx, ledgerview.AccountRef{ID: a.ID, Name: a.Name}, p, int(limit))
}

func checkLimit(op string, limit uint32) error {
	if limit > 0 && limit <= maxLimit {
		return nil
	}
	return &fault.Error{Code: fault.LimitExceeded, Op: op, Message: fmt.Sprintf("the limit must be 1 to %d, not %d", maxLimit, limit),
		Hint: "pass how many to list at once, such as 100"}
}

// maxBacklog is the maximum number of deposits of an account that are counted.
const maxBacklog = 100

// Backlog is the lag of the program that acknowledges the deposits of an account.
type Backlog struct {
	Waiting int         // irreversible deposits after the cursor, at most maxBacklog
	Oldest  ledger.Time // when the oldest of them was in a block; 0 = there is none
}

// Backlogs returns the backlog of each account for which something was acknowledged. It asks no daemon, and leaves out an account of which
// the history index lacks rows. Deposits that no one confirms, which Next leaves out, are counted.
func (q *Queue) Backlogs(ctx context.Context) (map[ledger.AccountID]Backlog, error) {
	cursors, err := q.cursors.All(ctx)
	if err != nil {
		return nil, fileFault("deposits", err)
	}
	all := make(map[ledger.AccountID]Backlog, len(cursors))
	for account, cursor := range cursors {
		rows, whole, err := q.forward(ctx, ledgerview.AccountRef{ID: account}, Position(cursor), maxBacklog)
		if err != nil {
			return nil, err
		}
		if !whole {
			continue
		}
		b := Backlog{Waiting: len(rows)}
		if len(rows) > 0 {
			b.Oldest = rows[0].Time
		}
		all[account] = b
	}
	return all, nil
}

// reliable returns the oldest deposits after a position that can be relied on. Results of
// proposals that no quorum confirms are skipped.
func (q *Queue) reliable(ctx context.Context, a ledgerview.AccountRef, from Position, limit int) ([]Deposit, error) {
	list := []Deposit{}
	for ask := limit; ; ask = min(2*ask, maxAsked) { // more each time, because there may be many to skip
		rows, err := q.nextRows(ctx, a, from, ask)
		if err != nil {
			return nil, err
		}
		judged, err := q.from.Prover.Prove(ctx, a.ID, rows)
		if err != nil && len(list) == 0 {
			return nil, err
		}
		for _, e := range rows[:judged] {
			if d, ok := Of(a, e); ok && e.Proof != history.ProofWithheld {
				list = append(list, d)
			}
		}
		if len(list) >= limit || judged < len(rows) || len(rows) < ask {
			return list[:min(limit, len(list))], nil
		}
		from = PositionOf(rows[len(rows)-1])
	}
}

// nextRows returns the oldest deposits after the cursor: forward from it if the history index has all
// of them, otherwise by walking back to it.
func (q *Queue) nextRows(ctx context.Context, a ledgerview.AccountRef, cursor Position, limit int) ([]history.Entry, error) {
	list, ok, err := q.forward(ctx, a, cursor, limit)
	if ok || err != nil {
		return list, err
	}
	return q.backward(ctx, a, cursor, limit)
}

// forward asks for more rows as long as too many of them precede the cursor within its own block. Each attempt is one
// read of the index: rows of two reads could be of an index that was rebuilt in between, with a gap.
func (q *Queue) forward(ctx context.Context, a ledgerview.AccountRef, cursor Position,
	limit int) (list []history.Entry, ok bool, err error) {
	for ask := limit + 1; ; ask *= 2 {
		rows, ok, err := q.from.History.IncomingFinal(ctx, a.ID, cursor.Block, ask)
		if !ok || err != nil {
			return nil, false, err
		}
		list := []history.Entry{}
		for _, e := range rows {
			if d, ok := Of(a, e); ok && e.Final && d.Position.Compare(cursor) > 0 {
				list = append(list, e)
			}
		}
		if len(list) >= limit || len(rows) < ask {
			return list[:min(limit, len(list))], true, nil
		}
	}
}

// backward walks the history from its newest row back to the cursor and keeps the oldest deposits.
func (q *Queue) backward(ctx context.Context, a ledgerview.AccountRef, cursor Position, limit int) ([]history.Entry, error) {
	list := []history.Entry{} // newest first
	var before ledger.HistoryID
	for {
		rows, err := q.from.History.Entries(ctx, a.ID, before, pageRows)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			if PositionOf(e).Compare(cursor) <= 0 {
				return oldest(list, limit), nil
			}
			if _, ok := Of(a, e); ok && e.Final {
				list = append(list, e)
			}
		}
		if len(rows) < pageRows || rows[len(rows)-1].ID == 0 {
			return oldest(list, limit), nil
		}
		before = rows[len(rows)-1].ID
		list = list[max(0, len(list)-limit):] // the newer ones come later
	}
}

func oldest(list []history.Entry, limit int) []history.Entry {
	list = list[max(0, len(list)-limit):]
	slices.Reverse(list)
	return list
}

// Ack acknowledges the deposit at a position and all before it; it reports false if that was done already. It is on disk
// when Ack returns. A position at which Next would list no deposit is refused, because deposits before it would be lost.
// Only the zero position, which precedes all, needs no deposit. A deposit whose memo nobody has read, because the wallet is locked, may
// belong to somebody whom only the memo names: unread acknowledges it all the same. Errors: fault.BadParameter, fault.Locked for a memo,
// those of looking up the account, the daemon's, fault.File.
func (q *Queue) Ack(ctx context.Context, account, position string, unread bool) (bool, error) {
	p, err := ParsePosition(position)
	if err != nil {
		return false, badPosition(err.Error())
	}
	a, err := q.from.Accounts.Get(ctx, account)
	if err != nil {
		return false, err
	}
	cursor, err := q.cursors.Cursor(ctx, a.ID)
	if err != nil {
		return false, fileFault("deposits.ack", err)
	}
	if p.Compare(Position(cursor)) > 0 {
		q.from.Chain.AwaitSynced(ctx)
		ref := ledgerview.AccountRef{ID: a.ID, Name: a.Name}
		if err := q.checkDeposit(ctx, ref, p); err != nil {
			return false, err
		}
		if !unread {
			if err := q.checkRead(ctx, ref, Position(cursor), p); err != nil {
				return false, err
			}
		}
	}
	moved, err := q.cursors.Advance(ctx, a.ID, store.Cursor(p))
	if left, ok := errors.AsType[*store.PendingError](err); ok {
		return false, &fault.Error{
			Code: fault.File, Op: "deposits.ack", Err: left,
			Message: "it is not known yet whether it was acknowledged: " + left.Why(),
			Hint:    "acknowledge it again, and do not credit it twice",
		}
	}
	if err != nil {
		return false, fileFault("deposits.ack", err)
	}
	return moved, nil
}

// checkDeposit returns an error unless Next would list a deposit of a at p.
func (q *Queue) checkDeposit(ctx context.Context, a ledgerview.AccountRef, p Position) error {
	if _, _, last := q.from.Chain.Position(); p.Block > last {
		err := badPosition(fmt.Sprintf("block %d is not irreversible; the last one that is, is %d", p.Block, last))
		err.Hint = "nothing was acknowledged; if deposits.next listed it, another server of the store did, whose daemon is ahead of this one's: " +
			"acknowledge it again in some seconds"
		return err
	}
	list, err := q.reliable(ctx, a, p.before(), 1)
	if err != nil {
		return err
	}
	if len(list) == 0 || list[0].Position != p {
		return badPosition(fmt.Sprintf("the account %s has no proven irreversible deposit at %s", a.Name, p))
	}
	return nil
}

// checkRead returns an error if the memo of a deposit after from, up to to, is locked.
func (q *Queue) checkRead(ctx context.Context, a ledgerview.AccountRef, from, to Position) error {
	for {
		rows, err := q.nextRows(ctx, a, from, pageRows)
		if err != nil {
			return err
		}
		for _, e := range rows {
			switch at := PositionOf(e); {
			case at.Compare(to) > 0:
				return nil
			case e.MemoState == vault.MemoLocked:
				return &fault.Error{Code: fault.Locked, Op: "deposits.ack", Message: "the memo of the deposit at " + at.String() + " is locked, and may say whose it is",
					Hint: "nothing was acknowledged; unlock the wallet and list the deposits again, or acknowledge with unread_memos true if memos do not matter"}
			}
		}
		if len(rows) < pageRows {
			return nil
		}
		from = PositionOf(rows[len(rows)-1])
	}
}

func badPosition(message string) *fault.Error {
	return &fault.Error{Code: fault.BadParameter, Op: "deposits.ack", Message: message,
		Hint: "nothing was acknowledged; give the position of a deposit of this account as deposits.next listed it"}
}

func fileFault(op string, err error) error {
	return &fault.Error{Code: fault.File, Op: op, Message: "the record of acknowledged deposits cannot be used: " + err.Error(),
		Hint: fault.Advice(err, fault.MakeRoom) + "; nothing was acknowledged", Err: err}
}
