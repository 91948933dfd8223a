package paytable

import (
	"context"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Prepared is a table that was built and can be sent. It is safe for concurrent use: a page shows its parts while they are sent.
type Prepared struct {
	*table
	position int64 // up to where other payouts were compared
	again    int   // how many rows another label paid before
	notes    []Note

	mu    sync.Mutex // guards sent and err of the parts
	parts []*part
}

// part is one transaction of a table.
type part struct {
	payout.Batch
	attempt int
	before  bool // it was sent before the table was built
	unsure  bool // and its outcome was unknown then
	made    *txbuild.Prepared
	sent    payment.Payment // its ID is zero before it was sent
	err     error           // why it was not, or why that is not known
}

// Note is a row beside the review that a person has to know.
type Note struct {
	Label, Text string
	Careful     bool
}

// Part is the state of one transaction of a table.
type Part struct {
	Lines   string // of the table, such as "lines 2 to 51"
	Rows    int
	Payment payment.Payment // zero: not sent
	Err     error           // why it was not sent, or why that is not known
}

// open returns the parts that were not sent before.
func (p *Prepared) open() (open []*part) {
	for _, part := range p.parts {
		if !part.before {
			open = append(open, part)
		}
	}
	return open
}

// Review returns the review of all that is sent.
func (p *Prepared) Review() txbuild.Review {
	var all []txbuild.Review
	for _, part := range p.open() {
		all = append(all, part.made.Review())
	}
	return txbuild.Join(all)
}

// Notes returns what a person has to know beside the review.
func (p *Prepared) Notes() []Note { return p.notes }

// Parts returns the state of each transaction, those that were sent before among them.
func (p *Prepared) Parts() []Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Part, len(p.parts))
	for i, part := range p.parts {
		out[i] = Part{part.Lines(), len(part.Rows), part.sent, part.err}
	}
	return out
}

// Again reviews what was built once more, and compares the total with the balance again. Errors: those of Build.
func (p *Prepared) Again(ctx context.Context) (txbuild.Review, error) {
	var all []txbuild.Review
	var rows []payout.Row
	var fee int64
	for _, part := range p.open() {
		now, err := p.Payments.Again(ctx, part.made)
		if err != nil {
			return txbuild.Review{}, err
		}
		all, rows, fee = append(all, now), append(rows, part.Rows...), fee+now.Fee
	}
	return txbuild.Join(all), p.checkBalance(ctx, rows, fee)
}

// Send signs and sends the transactions one after the other, and stops at the first that is not sent for certain, when ctx ends, and when the
// wallet is locked. It returns the last one that was sent, or may have been. The drafts that ctx spends are deleted with the last transaction:
// until then, the table is what pays the rest. Error: why it stopped; nothing is known to be lost by that.
func (p *Prepared) Send(ctx context.Context) (last payment.Payment, err error) {
	locks, open := p.Payments.Vault.Locks(), p.open()
	for i, part := range open {
		switch {
		case ctx.Err() != nil:
			return last, &fault.Error{Code: fault.Canceled, Op: "pay_many", Message: "interrupted", Err: ctx.Err(), Hint: "pay the same table again: it pays exactly the rest"}
		case p.Payments.Vault.Locks() != locks:
			return last, fault.WalletLocked("pay_many")
		}
		under := ctx
		if i < len(open)-1 {
			under = store.WithCallBatch(ctx)
		}
		terms := payment.PayoutTerms{Label: p.plan.Label, Position: p.position, First: i == 0}
		sent, err := p.Payments.SendPart(under, part.made, part.Key(p.id, part.attempt), terms)
		p.mu.Lock()
		part.sent, part.err = sent, err
		p.mu.Unlock()
		if payment.MayHaveBeenSent(sent, err) && sent.ID != (ledger.TransactionID{}) {
			last = sent
		}
		if err != nil {
			return last, err
		}
	}
	return last, nil
}
