package walletcore

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// PaymentInfo is what the payment operations answer. Times are UTC; a time that
// is not known yet is left out.
type PaymentInfo struct {
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
	ByNodesWord   bool                      `json:"by_nodes_word"` // a daemon calls its block irreversible; that is not proven yet
	Transaction   *ledger.SignedTransaction `json:"transaction,omitempty"`
}

func (p *payment) info() PaymentInfo {
	return PaymentInfo{
		TransactionID: p.ID, RequestKey: p.Key, State: p.State.String(), Reason: p.Reason, BlockNum: p.Block, TrxInBlock: p.TrxInBlock,
		Expiration: p.Expiration, Prepared: moment(p.Prepared), Sent: moment(p.Sent), InBlock: moment(p.InBlock), ByNodesWord: p.ByNodesWord, Transaction: &p.tx,
	}
}

func moment(t time.Time) *ledger.Time {
	if t.IsZero() {
		return nil
	}
	at := ledger.TimeOf(t)
	return &at
}

// GetPayment tells what became of a payment, by transaction id or request key.
// Error: fault.NoSuchPayment.
func (w *Wallet) GetPayment(ctx context.Context, idOrKey string) (PaymentInfo, error) {
	p, err := w.knownPayment(ctx, idOrKey)
	if err != nil {
		return PaymentInfo{}, err
	}
	return p.info(), nil
}

// knownPayment finds a payment by its id, then by its request key: among those
// of this run first, which are ahead of the journal.
func (w *Wallet) knownPayment(ctx context.Context, idOrKey string) (*payment, error) {
	id, noID := ledger.ParseTransactionID(idOrKey)
	if noID == nil {
		if p := w.payments.read(id); p != nil {
			return p, nil
		}
	}
	unknown := unknownPayment(idOrKey)
	if w.journal == nil {
		return nil, unknown
	}
	e, err := store.Entry{}, store.ErrNotFound
	if noID == nil {
		e, err = w.journal.Get(ctx, id)
	}
	if errors.Is(err, store.ErrNotFound) {
		e, err = w.journal.ByKey(ctx, idOrKey)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, unknown
	case err != nil:
		return nil, unreadable("get_payment", err)
	}
	return w.latest(e)
}

func unknownPayment(idOrKey string) error {
	return &fault.Error{Code: fault.NoSuchPayment, Op: "get_payment", Hint: "list_payments shows those that were",
		Message: "no payment with the id or request key " + fault.Quote(idOrKey) + " was made by this wallet"}
}

// mostPayments is the most rows list_payments gives.
const mostPayments = 1000

// ListPayments lists the latest payments, newest first, at most limit (1000).
func (w *Wallet) ListPayments(ctx context.Context, limit uint32) ([]PaymentInfo, error) {
	if limit > mostPayments {
		return nil, &fault.Error{Code: fault.LimitExceeded, Op: "list_payments", Message: "at most 1000 payments are listed at once", Hint: "ask for fewer"}
	}
	if w.journal == nil {
		return w.listRecent(int(limit)), nil
	}
	entries, err := w.journal.Latest(ctx, int(limit))
	if err != nil {
		return nil, unreadable("list_payments", err)
	}
	out := make([]PaymentInfo, 0, len(entries))
	for _, e := range entries {
		p, err := w.latest(e)
		if err != nil {
			return nil, err
		}
		out = append(out, p.row())
	}
	return out, nil
}

// listRecent is ListPayments without a journal.
func (w *Wallet) listRecent(limit int) []PaymentInfo {
	out := []PaymentInfo{}
	for _, known := range w.Payments() {
		if p := w.payments.read(known.ID); p != nil && len(out) < limit {
			out = append(out, p.row())
		}
	}
	return out
}

// row is the payment as lists show it.
func (p *payment) row() PaymentInfo {
	row := p.info()
	row.Transaction = nil
	return row
}

// reached says that a payment is as far as state, or will never be.
func (p *payment) reached(state string) bool {
	switch {
	case !p.open():
		return true
	case state == PaymentInBlock.String():
		return p.State == PaymentInBlock
	}
	return false
}

// longestWait is the most seconds wait_payment waits.
const longestWait = 3600

// WaitPayment waits until a payment is in_block or irreversible (or will never
// be), at most so many seconds, and tells where it stands then.
func (w *Wallet) WaitPayment(ctx context.Context, idOrKey, state string, seconds uint32) (PaymentInfo, error) {
	if state != PaymentInBlock.String() && state != PaymentIrreversible.String() {
		return PaymentInfo{}, &fault.Error{Code: fault.BadParameter, Op: "wait_payment", Message: "a payment is waited for until it is in_block or irreversible, not " + fault.Quote(state), Hint: "write one of the two"}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(min(seconds, longestWait))*time.Second)
	defer cancel()
	events, stop := w.Subscribe()
	defer stop()
	for {
		p, err := w.knownPayment(context.WithoutCancel(ctx), idOrKey)
		if err != nil || p.reached(state) {
			if err != nil {
				return PaymentInfo{}, err
			}
			return p.info(), nil
		}
		select {
		case <-events:
		case <-ctx.Done():
			return p.info(), nil
		}
	}
}
