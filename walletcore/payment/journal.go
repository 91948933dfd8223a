package payment

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// entryOfJournal reads a payment back from its journal row.
func (p *Payments) entryOfJournal(kept store.Entry) (*entry, error) {
	code, daemon := parseCode(kept.Code)
	e := &entry{
		chain: kept.Chain, requestMark: kept.Request, refBlock: kept.RefBlock, code: code, daemon: daemon,
		tries: 1, proven: kept.Proven, lastProven: kept.LastProven, owner: kept.Owner, origin: kept.Origin,
		Payment: Payment{
			ID: kept.ID, Key: kept.Key, State: stateOf(kept.State), Expiration: kept.Expiration, Prepared: kept.Prepared, Sent: kept.Sent,
			InBlock: kept.InBlock, Final: kept.FinalAt, Block: kept.Block, TrxInBlock: kept.TrxInBlock,
			Reason: kept.Reason, Taken: kept.State == store.Sent,
		},
	}
	if e.givenUp = kept.GivenUp; e.givenUp != "" { // only its outcome is known
		if e.Reason == "" {
			e.Reason = "what was signed is not known any more: it was in " + e.givenUp + ", an archive that was given up"
		}
		return e, nil
	}
	err := unpackKept(kept, &e.tx)
	if err != nil {
		return nil, &fault.Error{Code: fault.File, Op: "journal", Err: err, Message: "payment " + kept.ID.String() + " in the journal, or in its archive, cannot be read: " + err.Error(),
			Hint: "nothing was sent; put the file back as it was, from a backup: billfold doctor says whether an archive was changed"}
	}
	e.Review = p.Build.FactsOf(e.tx.Operations)
	return e, nil
}

// unpackKept reads the transaction of a row, whose bytes must be those of its id: a file may have changed on its disk.
func unpackKept(kept store.Entry, tx *ledger.SignedTransaction) error {
	if err := codec.Unpack(kept.Bytes, tx); err != nil {
		return err
	}
	if id, err := tx.ID(); err != nil || id != kept.ID {
		return cmp.Or(err, fmt.Errorf("its bytes are those of transaction %s", id))
	}
	return nil
}

// latest returns what is known about a payment of the journal. For those that this program follows, memory is ahead of the file.
func (p *Payments) latest(kept store.Entry) (*entry, error) {
	if e := p.list.read(kept.ID); e != nil && kept.Owner == p.Journal.Server() {
		e.Key, e.origin = kept.Key, kept.Origin // a found payment may have been claimed since
		return e, nil
	}
	return p.entryOfJournal(kept)
}

// openPayments reads the payments whose outcome is open. If a shared store became unreachable after the program started,
// it keeps trying until ctx ends.
func openPayments(ctx context.Context, p *Payments) ([]store.Entry, error) {
	for waited := false; ; waited = true {
		open, err := p.Journal.Open(ctx)
		if !store.IsAway(err) {
			if waited {
				p.Logger.Warn("payments: payments of earlier runs can be read")
			}
			return open, err
		}
		p.Logger.Warn("payments: payments of earlier runs are not followed yet", "error", err)
		select {
		case <-time.After(storeRetryEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// storeRetryEvery is the time between attempts to read an unreachable store.
const storeRetryEvery = time.Second

// resume takes up every payment of earlier runs whose outcome is open. What was prepared or sent may have happened: the
// follower looks for it and sends the same bytes again while they can still get into a block. What was refused is looked for
// but not sent. A payment that cannot be read is left as it is, so that it does not keep the others from being followed.
func (p *Payments) resume(ctx context.Context) error {
	_, err := p.takeUpOpen(ctx)
	return err
}

// takeUpOpen is resume. It returns how many it took up.
func (p *Payments) takeUpOpen(ctx context.Context) (count int, err error) {
	if p.Journal == nil {
		return 0, nil
	}
	open, err := openPayments(ctx, p)
	switch {
	case ctx.Err() != nil:
		return 0, nil // ended before it began
	case err != nil:
		return 0, unreadable("resume", err)
	}
	return p.takeUp(ctx, open), nil
}

// takeUp puts payments of the journal on the list, and returns how many. Those that are on it stay as they are: what is known of them is
// written again if it is their outcome, which the journal lacks then.
func (p *Payments) takeUp(ctx context.Context, open []store.Entry) (count int) {
	var payments []*entry
	for _, kept := range open {
		if p.list.known(kept.ID) {
			continue
		}
		e, err := p.entryOfJournal(kept)
		if err != nil {
			p.Logger.Error("payments: a payment cannot be followed", "id", kept.ID, "error", err)
			continue
		}
		payments = append(payments, e)
	}
	if len(payments) > 0 {
		p.Logger.Info("payments: those whose outcome is open are followed from here on", "count", len(payments))
	}
	p.View.Recall(ctx, mentioned(payments)) // before anyone hears of them
	for _, e := range payments {
		switch e.State {
		case Prepared:
			e.State, e.Reason = Unknown, "the program ended before it knew whether it was sent"
		case InBlock: // the block may have left the chain since; the follower finds it again or not
			at := Position{e.Block, e.TrxInBlock, e.InBlock}
			e.returnToSent("")
			e.LastIn = at
		case Sent, Irreversible, Unknown, Rejected, Expired:
		}
		e.resend = e.mayResend()
		e.logged, e.loggedState, e.loggedBlock = true, e.State, e.Block
		if p.list.add(e) { // else this run made it a moment ago
			count++
			p.list.update(e, func(e *entry) { e.changed = true })
			p.Events.Publish(event.Event{Kind: event.Payment, Payment: e.ID})
		}
	}
	return count
}
