package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// recovery ends the hold of a shared store that has lost rows. Each server writes back what it remembers. Then the
// ledger, once it is irreversible past the expiration of everything signed before, shows what else there was.
type recovery struct {
	p         *Payments
	follow    chan<- chan error // see follower.takenOver
	rewritten time.Time         // the hold for which this server has written back what it remembers
	searched  store.Hold        // the hold for which it has searched the ledger
	found     []FoundPayment
}

// recoverEvery is the time between checks for a hold.
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
		if r.p.holdReason() == "" {
			continue
		}
		if err := r.advance(ctx); err != nil && ctx.Err() == nil {
			r.p.Logger.Warn("payments: the store is still held", "error", err)
		}
	}
}

// advance does what the present hold still needs.
func (r *recovery) advance(ctx context.Context) error {
	hold, err := r.p.Journal.Hold(ctx)
	if err != nil || hold.Why == "" {
		return err
	}
	if !hold.Since.Equal(r.rewritten) {
		ambiguous, err := r.p.keeper.rewrite(ctx)
		if err == nil {
			err = r.p.Journal.NoteRewritten(ctx, ambiguous)
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
	if errors.Is(err, store.ErrStillHeld) { // another server is still to be waited for, or was faster
		return nil
	}
	return err
}

// search records what is on the ledger and missing from the store. It believes only what the miners' signatures prove irreversible.
func (r *recovery) search(ctx context.Context, hold store.Hold) error {
	start, err := r.p.Daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	if len(r.p.Anchor().Miners) == 0 {
		return errors.New("no miner is known whose signatures could prove what happened")
	}
	found := func(f FoundPayment) {
		r.found = append(r.found, f)
		r.p.Logger.Warn("payments: the store lacked a payment that is on the ledger", "id", f.ID, "block", f.Block, "does", f.Text)
	}
	a := &acceptance{payments: r.p, found: found, proof: true, ours: r.p.Vault.Holds}
	until := max(start.Time, ledger.TimeOf(r.p.Now())) + txbuild.LongestLife
	if err := a.read(ctx, min(hold.From, start.HeadBlockNumber), until); err != nil {
		return err
	}
	done := make(chan error, 1) // found payments are followed like those of other servers
	select {
	case r.follow <- done:
		return <-done
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkFoundPayments refuses operations that a payment found after a loss seems to have performed already: the request
// may be a repetition of one whose key was lost. It returns the generation of the store for which this holds.
func checkFoundPayments(ctx context.Context, p *Payments, ops []ledger.Operation, key string) (generation int64, err error) {
	if p.Journal == nil {
		return 0, nil
	}
	unclaimed, generation, err := p.Journal.Unclaimed(ctx)
	if err != nil {
		return 0, unreadable("transfer", err)
	}
	_, ofPayout := payout.PlanOf(key)
	var same, some []*entry // with the same effect; that share a payment with a transaction of a payout
	for _, kept := range unclaimed {
		e, err := p.entryOfJournal(kept)
		switch {
		case err != nil:
			return 0, err
		case sameEffect(p.Build, e.tx.Operations, ops):
			if alike, err := p.Build.SameContent(e.tx.Operations, ops); err == nil && alike { // with the same memo
				same = slices.Insert(same, 0, e)
				continue
			}
			same = append(same, e)
		case ofPayout && shareMove(e.tx.Operations, ops): // the file may have been edited
			some = append(some, e)
		}
	}
	if len(same)+len(some) > 0 {
		return 0, p.mayRepeat(append(same, some...), len(same) > 0, key)
	}
	return generation, nil
}

// mayRepeat returns the refusal of a request under key, "" = none, that may be a repetition of payments that were found.
func (p *Payments) mayRepeat(found []*entry, whole bool, key string) error {
	e := found[0]
	failure := &fault.Error{Code: fault.RequestKey, Op: "transfer",
		Message: fmt.Sprintf("transaction %s in block %d, which the store had lost, pays the same: this may be a repetition of it", e.ID, e.Block)}
	if !whole {
		failure.Message = fmt.Sprintf("transaction %s in block %d, which the store had lost, makes some of these payments", e.ID, e.Block)
	}
	if more := len(found) - 1; more > 0 {
		failure.Message += fmt.Sprintf(" (or of %s)", printable.Many(more, "other"))
	}
	none := fmt.Sprintf("%s --none %s", p.command("claim"), e.ID)
	switch {
	case key == "":
		failure.Hint = "nothing was sent; if it is, there is nothing to pay; if not, run " + none + " and make the same request again"
		return failure
	case !whole:
		failure.Hint = fmt.Sprintf("nothing was sent; run %s <KEY> %s with the request key that it had, or %s if nobody will repeat it, "+
			"and make the same request again", p.command("claim"), e.ID, none)
	default:
		failure.Hint = fmt.Sprintf("nothing was sent; if it is, run %s %s %s, otherwise %s, and make the same request again",
			p.command("claim"), ShellWord(key), e.ID, none)
	}
	failure.RequestKey = fault.KeySame
	return failure
}

// ShellWord returns a text, such as a request key, as a command takes it.
func ShellWord(key string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r))
	}
	switch {
	case strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return "<KEY>" // nobody could type it; a shell takes this for a file that is not there
	case strings.ContainsFunc(key, special) || strings.HasPrefix(key, "-"):
		return "'" + strings.ReplaceAll(key, "'", `'\''`) + "'"
	}
	return key
}

// shareMove reports whether both lists of operations have a movement in common.
func shareMove(a, b []ledger.Operation) bool {
	left := movesOf(a)
	for m := range movesOf(b) {
		if left[m] > 0 {
			return true
		}
	}
	return false
}

// sameEffect reports whether both lists of operations move the same amounts between the same accounts, or have the same
// content where they move nothing. When the contents cannot be compared, it reports true.
func sameEffect(with *txbuild.Factory, a, b []ledger.Operation) bool {
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

// movesOf returns how often each movement occurs.
func movesOf(ops []ledger.Operation) map[ledger.Movement]int {
	all := map[ledger.Movement]int{}
	for _, op := range ops {
		for _, m := range op.Moves() {
			all[m]++
		}
	}
	return all
}
