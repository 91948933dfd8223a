package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// recovery does what ends the hold of a store that several servers share and that has forgotten something: each server writes again
// what it remembers, and the ledger, once it is irreversible beyond all that was signed before, says what else there was.
type recovery struct {
	p         *Payments
	follow    chan<- chan error // see follower.taken
	rewritten time.Time         // the hold for which this server has written again what it remembers
	searched  store.Hold        // the hold for which it has searched the ledger
	found     []FoundPayment
}

// recoverEvery is the time between looks whether there is anything to do.
const recoverEvery = time.Second

func (r *recovery) run(ctx context.Context) {
	if !r.p.shared() {
		return
	}
	tick := time.NewTicker(recoverEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if r.p.heldWhy() == "" {
			continue
		}
		if err := r.step(ctx); err != nil && ctx.Err() == nil {
			r.p.Logger.Warn("payments: the hold of the store does not end yet", "error", err)
		}
	}
}

// step does what is to be done for the present hold.
func (r *recovery) step(ctx context.Context) error {
	hold, err := r.p.Journal.Hold(ctx)
	if err != nil || hold.Why == "" {
		return err
	}
	if !hold.Since.Equal(r.rewritten) {
		ambiguous, err := r.p.keeper.rewrite(ctx)
		if err == nil {
			err = r.p.Journal.Rewritten(ctx, ambiguous)
		}
		if err != nil {
			return err
		}
		r.rewritten = hold.Since
	}
	if !hold.Search || hold.From == 0 {
		return nil
	}
	if !hold.Since.Equal(r.searched.Since) || hold.From < r.searched.From { // more is missing than was known
		if err := r.search(ctx, hold); err != nil {
			return err
		}
		r.searched = hold
	}
	var record []store.Change
	if r.p.Recovered != nil {
		record = append(record, r.p.Recovered(hold.Why, r.found))
	}
	err = r.p.Journal.EndHold(ctx, hold, record...)
	if err == nil {
		r.found = nil
		r.p.Logger.Warn("payments: the ledger was searched, and payments are made again", "was", hold.Why)
	}
	if errors.Is(err, store.ErrStillHeld) { // somebody else is waited for, or was faster
		return nil
	}
	return err
}

// search enters what the ledger has and the store lacks. Only what the miners' signatures prove irreversible is believed.
func (r *recovery) search(ctx context.Context, hold store.Hold) error {
	daemon, err := r.p.Daemon.Current()
	if err != nil {
		return err
	}
	begun, err := daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	if len(r.p.Anchor().Miners) == 0 {
		return errors.New("no miner is known whose signatures could prove what happened")
	}
	found := func(f FoundPayment) {
		r.found = append(r.found, f)
		r.p.Logger.Warn("payments: the store lacked one that is on the ledger", "id", f.ID, "block", f.Block, "does", f.Text)
	}
	a := &acceptance{payments: r.p, found: found, proof: true}
	until := max(begun.Time, ledger.TimeOf(r.p.Now())) + build.TransactionLife
	if err := a.read(ctx, daemon, min(hold.From, begun.HeadBlockNumber), until); err != nil {
		return err
	}
	done := make(chan error, 1) // what was found is followed like what other servers have left
	select {
	case r.follow <- done:
		return <-done
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkFound refuses what a payment that was found after a loss has done already, as far as anybody can tell: it may be the
// repetition of a request whose key was lost. It returns the generation of the store that this holds for.
func checkFound(ctx context.Context, p *Payments, ops []ledger.Operation, key string) (generation int64, err error) {
	if !p.shared() {
		return 0, nil
	}
	unclaimed, generation, err := p.Journal.Unclaimed(ctx)
	if err != nil {
		return 0, unreadable("transfer", err)
	}
	for _, kept := range unclaimed {
		e, err := p.entryOfJournal(kept)
		if err != nil {
			return 0, err
		}
		if !alike(p.Build, e.tx.Operations, ops) {
			continue
		}
		failure := &fault.Error{Code: fault.RequestKey, Op: "transfer",
			Message: fmt.Sprintf("transaction %s in block %d, which the store had lost, pays the same: this may be a repetition of it",
				e.ID, e.Block),
			Hint: "nothing was sent; if it is, run billfold store claim with the request key and that id, " +
				"otherwise billfold store claim --none with the id, and make the same request again"}
		if key != "" {
			failure.RequestKey = fault.KeySame
		}
		return 0, failure
	}
	return generation, nil
}

// alike reports whether operations move the same amounts between the same accounts, or do the same where they move nothing.
func alike(with *build.Factory, a, b []ledger.Operation) bool {
	left, right := movesOf(a), movesOf(b)
	if len(left) == 0 && len(right) == 0 {
		same, err := with.SameContent(a, b)
		return same || err != nil
	}
	if len(left) != len(right) {
		return false
	}
	for m, n := range left {
		if right[m] != n {
			return false
		}
	}
	return true
}

// movesOf counts equal movements.
func movesOf(ops []ledger.Operation) map[ledger.Movement]int {
	all := map[ledger.Movement]int{}
	for _, op := range ops {
		for _, m := range op.Moves() {
			all[m]++
		}
	}
	return all
}
