package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Info is the result of the payment operations. Times are UTC; a time that is not known yet is omitted.
type Info struct {
	TransactionID ledger.TransactionID      `json:"transaction_id"`
	RequestKey    string                    `json:"request_key"`
	State         string                    `json:"state"` // prepared, sent, in_block, irreversible, unknown, rejected, expired
	Reason        string                    `json:"reason"`
	BlockNum      uint32                    `json:"block_num"` // 0 while it is in none
	TrxInBlock    uint32                    `json:"trx_in_block"`
	Expiration    ledger.Time               `json:"expiration"`
	Prepared      *ledger.Time              `json:"prepared,omitempty"`
	Sent          *ledger.Time              `json:"sent,omitempty"`
	InBlock       *ledger.Time              `json:"in_block,omitempty"`
	ByNodesWord   bool                      `json:"by_nodes_word"`         // a daemon calls its block irreversible; that is not proven yet
	Transaction   *ledger.SignedTransaction `json:"transaction,omitempty"` // not in lists, nor where the archive that had it was given up

	// UndoneBy is the change by somebody else that undid something that this payment had set of an account.
	UndoneBy *Undoing `json:"undone_by,omitempty"`
}

// Undoing is a transaction that the wallet did not make and that undid what a payment had set.
type Undoing struct {
	TransactionID string `json:"transaction_id"` // or the row of the history where a proposal did it
	BlockNum      uint32 `json:"block_num"`
	What          string `json:"what"` // names in it were chosen by others
}

// addUndoing adds who undid a payment. A store that cannot be read says so elsewhere.
func (p *Payments) addUndoing(ctx context.Context, info *Info) {
	if c, err := p.Build.Objects.UndoneBy(ctx, info.TransactionID); err == nil && c != nil {
		info.UndoneBy = &Undoing{TransactionID: c.Transaction, BlockNum: c.Block, What: c.Text}
	}
}

func (e *entry) info() Info {
	info := Info{
		TransactionID: e.ID, RequestKey: e.Key, State: e.State.String(), Reason: e.Reason, BlockNum: e.Block, TrxInBlock: e.TrxInBlock,
		Expiration: e.Expiration, Prepared: moment(e.Prepared), Sent: moment(e.Sent), InBlock: moment(e.InBlock),
		ByNodesWord: e.ByNodesWord,
	}
	if e.givenUp == "" {
		info.Transaction = &e.tx
	}
	return info
}

func moment(t time.Time) *ledger.Time {
	if t.IsZero() {
		return nil
	}
	at := ledger.TimeOf(t)
	return &at
}

// Get returns the state of a payment, given its transaction id or request key. Errors: fault.NoSuchPayment; fault.OutcomeUnknown while a
// request under the key is carried out and nothing is written yet.
func (p *Payments) Get(ctx context.Context, idOrKey string) (Info, error) {
	e, err := p.knownPayment(ctx, idOrKey)
	if err != nil {
		return Info{}, err
	}
	info := e.info()
	if e.changesObjects() {
		p.addUndoing(ctx, &info)
	}
	return info, nil
}

// Never reports whether a transaction that was signed here to be sent never happens: it was refused, it expired, or the journal does not have it,
// so it was not sent.
func (p *Payments) Never(ctx context.Context, id ledger.TransactionID) bool {
	e, err := p.knownPayment(ctx, id.String())
	if err != nil {
		return p.Journal != nil && fault.CodeOf(err) == fault.NoSuchPayment
	}
	return e.State == Rejected || e.State == Expired
}

// changesObjects reports whether the payment replaces parts of objects.
func (e *entry) changesObjects() bool {
	return slices.ContainsFunc(e.tx.Operations, func(op ledger.Operation) bool {
		_, _, replaces := ledger.Replaces(op)
		return replaces
	})
}

// knownPayment finds a payment by its id, then by its request key. Payments of this run are looked up first, because
// memory is ahead of the journal.
func (p *Payments) knownPayment(ctx context.Context, idOrKey string) (*entry, error) {
	id, noID := ledger.ParseTransactionID(idOrKey)
	if noID == nil {
		if e := p.list.read(id); e != nil {
			return e, nil
		}
	}
	if p.Journal == nil {
		return nil, noSuchPayment(idOrKey)
	}
	underway := p.keys.inUse(idOrKey) // before the journal is read: a request that ends meanwhile is found there
	if e := p.list.heldByKey(idOrKey); e != nil {
		return e, nil
	}
	e, err := store.Entry{}, store.ErrNotFound
	if noID == nil {
		e, err = p.Journal.Get(ctx, id)
	}
	if errors.Is(err, store.ErrNotFound) {
		if e, err = p.Journal.ByKey(ctx, idOrKey); err == nil {
			err = p.Journal.NoteAnswered(ctx, &e)
		}
	}
	switch {
	case errors.Is(err, store.ErrNotFound) && underway:
		return nil, &fault.Error{Code: fault.OutcomeUnknown, Op: "get_payment", Err: errUnderway, RequestKey: fault.KeySame,
			Message: "a request under the key " + fault.Quote(idOrKey) + " is being carried out, and nothing of it is written yet",
			Hint:    "ask again, or make the same request again under the same key, and under no other"}
	case errors.Is(err, store.ErrNotFound):
		return nil, notFound(ctx, p, idOrKey)
	case err != nil:
		return nil, unreadable("get_payment", err)
	}
	return p.latest(e)
}

// errUnderway means that a request is being carried out of which the journal has nothing yet.
var errUnderway = errors.New("a request under this key is being carried out")

// notFound returns the error for a payment that the journal does not have. A journal that has
// lost rows cannot say that there was none.
func notFound(ctx context.Context, p *Payments, idOrKey string) error {
	if why := p.holdReason(); why != "" {
		return &fault.Error{Code: fault.File, Op: "get_payment", Journal: true,
			Message: "it is not known whether there is a payment with the id or request key " + fault.Quote(idOrKey) + ": " + why,
			Hint:    p.command("status") + " says how that ends; ask again then"}
	}
	found, _, err := p.Journal.Unclaimed(ctx)
	if err != nil {
		return unreadable("get_payment", err)
	}
	if len(found) == 0 {
		return noSuchPayment(idOrKey)
	}
	return &fault.Error{Code: fault.NoSuchPayment, Op: "get_payment",
		Message: fmt.Sprintf("the journal has no payment with the id or request key %s, but it lost the keys of some payments that "+
			"were found on the ledger (%d)", fault.Quote(idOrKey), len(found)),
		Hint: p.command("found") + " lists those: it may be one of them"}
}

func noSuchPayment(idOrKey string) error {
	return &fault.Error{Code: fault.NoSuchPayment, Op: "get_payment", RequestKey: fault.KeySame,
		Message: "no payment with the id or request key " + fault.Quote(idOrKey) + " was made by this wallet so far",
		Hint:    "list_payments shows those that it made; a request that had no answer may still be on its way: make the same one again under the same key"}
}

// maxPayments is the most rows that list_payments returns.
const maxPayments = 1000

// List returns the latest payments, newest first, at most limit (1000).
func (p *Payments) List(ctx context.Context, limit uint32) ([]Info, error) {
	return p.ListKeyed(ctx, "", limit)
}

// ListKeyed is List for payments whose request key starts with keyPrefix; "" = all.
func (p *Payments) ListKeyed(ctx context.Context, keyPrefix string, limit uint32) ([]Info, error) {
	if limit > maxPayments {
		return nil, &fault.Error{
			Code:    fault.LimitExceeded,
			Op:      "list_payments",
			Message: "at most 1000 payments are listed at once",
			Hint:    "ask for fewer",
		}
	}
	if p.Journal == nil {
		return listRecent(p, int(limit), keyPrefix), nil
	}
	read := p.Journal.Latest
	if keyPrefix != "" {
		read = func(ctx context.Context, n int) ([]store.Entry, error) { return p.Journal.LatestOf(ctx, keyPrefix, n) }
	}
	entries, err := read(ctx, int(limit))
	if err != nil {
		return nil, unreadable("list_payments", err)
	}
	out := make([]Info, 0, len(entries))
	for _, e := range entries {
		e, err := p.latest(e)
		if err != nil {
			return nil, err
		}
		row := e.row()
		if e.changesObjects() {
			p.addUndoing(ctx, &row)
		}
		out = append(out, row)
	}
	return out, nil
}

// listRecent is ListKeyed without a journal.
func listRecent(p *Payments, limit int, keyPrefix string) []Info {
	out := []Info{}
	for _, known := range p.Recent() {
		if e := p.list.read(known.ID); e != nil && len(out) < limit && strings.HasPrefix(e.Key, keyPrefix) {
			out = append(out, e.row())
		}
	}
	return out
}

// row returns the payment as lists show it, without the transaction.
func (e *entry) row() Info {
	row := e.info()
	row.Transaction = nil
	return row
}

// reached reports whether waiting for state is over: the payment got there, or its outcome is final.
func (e *entry) reached(state string) bool {
	switch {
	case !e.open():
		return true
	case state == InBlock.String():
		return e.State == InBlock
	}
	return false
}

// longestWait is the most seconds that wait_payment waits.
const longestWait = 3600

// Wait waits until a payment is in_block or irreversible (or never will be), at most the given number of seconds, and
// returns its state then. Errors: fault.BadParameter for another state or for more than an hour, and those of Get.
func (p *Payments) Wait(ctx context.Context, idOrKey, state string, seconds uint32) (Info, error) {
	if state != InBlock.String() && state != Irreversible.String() {
		return Info{}, &fault.Error{
			Code:    fault.BadParameter,
			Op:      "wait_payment",
			Message: "wait_payment waits until a payment is in_block or irreversible, not " + fault.Quote(state),
			Hint:    "use one of the two",
		}
	}
	if seconds > longestWait {
		return Info{}, &fault.Error{Code: fault.BadParameter, Op: "wait_payment",
			Message: fmt.Sprintf("wait_payment waits at most %d seconds, not %d", longestWait, seconds),
			Hint:    "ask for fewer seconds, and call it again"}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	defer cancel()
	events, stop := p.Events.Subscribe(event.Payment)
	defer stop()
	for {
		e, err := p.knownPayment(context.WithoutCancel(ctx), idOrKey)
		if errors.Is(err, errUnderway) && ctx.Err() == nil {
			select {
			case <-time.After(rowPoll):
			case <-ctx.Done():
			}
			continue
		}
		if err != nil || e.reached(state) {
			if err != nil {
				return Info{}, err
			}
			return e.info(), nil
		}
		if awaitChange(ctx, p.sharing, events, e); ctx.Err() != nil {
			return e.info(), nil
		}
	}
}

// awaitChange waits until a payment may have changed, or ctx ends.
func awaitChange(ctx context.Context, with sharing, events <-chan event.Event, e *entry) {
	look, foreign := (<-chan time.Time)(nil), with.isForeign(e)
	if foreign { // the other server may not have announced its changes
		look = time.After(slowRowPoll)
	}
	for {
		select {
		case <-look:
			return
		case <-ctx.Done():
			return
		case told := <-events:
			if !foreign || told.Payment == e.ID {
				return
			}
		}
	}
}
