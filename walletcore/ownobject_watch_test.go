package walletcore_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// changeMemoKey replaces the memo key of alice, and whatever else her options are by the given ones.
func changeMemoKey(t *testing.T, w *testwallet.Wallet, options ledger.AccountOptions, key ledger.PublicKey) *txbuild.Signed {
	t.Helper()
	options.MemoKey = key
	signed, err := w.Payments.Spend(w.Ctx, testwallet.Ready(ledger.NewOperation(
		&ledger.AccountUpdateOp{Account: w.Account("alice").ID, NewOptions: &options})), payment.Sending{Broadcast: true})
	must(t, err)
	return signed
}

// statesOf returns what is stored of an account's states.
func statesOf(w *testwallet.Wallet, of ledger.AccountID) []store.ObjectState {
	w.T.Helper()
	states, err := w.Objects.Store.States(w.Ctx, w.View.Pins.Chain(), of.Object())
	must(w.T, err)
	return states
}

// soon waits for what no event tells of.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(testwallet.Patience / 4); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it never happened", what)
		}
	}
}

// Somebody else changes an account that this wallet has never changed: it is told once, also in the log, and the next change does not write
// it back. What of the wallet's changes was not undone is not called so.
func TestAChangeOfAnAccountThatWasOnlyWatchedIsTold(t *testing.T) {
	t.Parallel()
	var log logged
	box := testwallet.Ledger(t, sandbox.Options{})
	w := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	w.Hold("alice")
	alice := w.Account("alice")
	soon(t, "the first sight", func() bool { w.Mine(); return len(statesOf(w, alice.ID)) > 0 })
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("alice")
	changed := changeMemoKey(t, other, alice.Options, testwallet.Key("bobby").Public())
	soon(t, "being told", func() bool { w.Mine(); found, _ := w.Watcher.Unseen(); return len(found) == 1 })
	for range 3 { // looks again
		w.Mine()
		w.Pay("alice", "bobby", "1", "")
	}
	if n := log.count("own account changed by somebody else"); n != 1 || log.count(changed.TransactionID.String()) != 1 {
		t.Errorf("the log says so %d times: %s", n, log.all())
	}
	if _, err := voteFor(w, "miner-b", payment.Sending{}); fault.CodeOf(err) != fault.StateChanged {
		t.Errorf("a vote that would write it back: %v", err)
	}
}

// Two changes of the wallet, of which another wallet undoes one: that one is named, and the other is not.
func TestOnlyWhatWasUndoneIsNamed(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("alice")
	w.Mine()
	own := changeMemoKey(t, w, w.Account("alice").Options, testwallet.Key("carol").Public())
	w.Mine()
	voted, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	w.View.Chain.Forget()
	changeMemoKey(t, other, w.Account("alice").Options, testwallet.Key("bobby").Public())
	w.Mine()
	mineUntil(w, "being told", func() bool { found, _ := w.Watcher.Unseen(); return len(found) == 1 })
	for id, want := range map[ledger.TransactionID]bool{own.TransactionID: true, voted.TransactionID: false} {
		if by, err := w.Objects.UndoneBy(w.Ctx, id); err != nil || (by != nil) != want {
			t.Errorf("%s was undone by %+v (%v), want one: %v", id, by, err, want)
		}
	}
}

// The first sight of an account counts only once it looks the same with two blocks: who lies during one of them is not believed.
func TestTheFirstSightTakesTwoBlocks(t *testing.T) {
	t.Parallel()
	box := testwallet.Ledger(t, sandbox.Options{})
	r := testwallet.RelayTo(t, box.URL())
	w := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), r.URL, nil)
	w.Box = box
	must(t, w.Client.WaitOnline(w.Ctx))
	w.Mine()
	lies := 0
	told := func() (n int) { r.Set(func(*testwallet.Relay) { n = lies }); return n }
	own, liar := testwallet.Key("alice").Public().String(), testwallet.Key("bobby").Public().String()
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			now := strings.ReplaceAll(answer, `"memo_key":"`+own, `"memo_key":"`+liar)
			if now != answer {
				lies++
			}
			return now
		}
	})
	w.Hold("alice")
	alice := w.Account("alice").ID
	soon(t, "a lie", func() bool { return told() > 1 })
	for _, also := range []string{"bobby", "carol", "dave-shop"} { // each has the wallet look again, with the same block
		before := told()
		w.ImportKey(also, testwallet.Key(also))
		soon(t, "another lie", func() bool { return told() > before })
	}
	r.Set(func(r *testwallet.Relay) { r.Swap = nil })
	w.View.Chain.Forget()
	soon(t, "the first sight", func() bool { w.Mine(); return len(statesOf(w, alice)) > 0 })
	if state := statesOf(w, alice)[0].State; len(state.Differences(w.Account("alice").State())) > 0 {
		t.Errorf("%v is accepted", state)
	}
	if _, err := voteFor(w, "miner-b", payment.Sending{}); err != nil {
		t.Errorf("a vote: %v", err)
	}
}

// An account whose keys differ from those that were accepted with a payment to it is not accepted at first sight.
func TestTheFirstSightKeepsToAcceptedKeys(t *testing.T) {
	t.Parallel()
	box := testwallet.Ledger(t, sandbox.Options{})
	r := testwallet.RelayTo(t, box.URL())
	w := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), r.URL, nil)
	w.Box = box
	must(t, w.Client.WaitOnline(w.Ctx))
	w.Hold("bobby")
	w.Mine()
	w.Pay("bobby", "alice", "1", "to be read by alice")
	w.Mine()
	own, liar := testwallet.Key("alice").Public().String(), testwallet.Key("bobby").Public().String()
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string { return strings.ReplaceAll(answer, `"memo_key":"`+own, `"memo_key":"`+liar) }
	})
	w.View.Chain.Forget()
	w.ImportKey("alice", testwallet.Key("alice"))
	bobby, alice := w.Account("bobby").ID, w.Account("alice").ID
	soon(t, "the first sight of bobby", func() bool { w.Mine(); return len(statesOf(w, bobby)) > 0 })
	for range 4 {
		w.Mine()
	}
	if states := statesOf(w, alice); len(states) > 0 {
		t.Errorf("accepted is %v", states[0].State)
	}
}

// While a person reads the review of a vote, another wallet changes the memo key: the person is asked again and sees it, and the vote does
// not write the old one back.
func TestAChangeDuringTheReviewIsShown(t *testing.T) {
	t.Parallel()
	w, _, now := testwallet.OpenBehindRelay(t)
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("alice")
	_, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	w.View.Chain.Forget()
	options := w.Account("alice").Options
	var reviews []txbuild.Review
	_, err = voteFor(w, "miner-c", payment.Sending{Approve: func(_ context.Context, r txbuild.Review) error {
		if reviews = append(reviews, r); len(reviews) == 1 {
			changeMemoKey(t, other, options, testwallet.Key("bobby").Public())
			w.Mine()
			now.Forward(time.Minute)
		}
		return nil
	}})
	must(t, err)
	last := reviews[len(reviews)-1]
	if len(reviews) < 2 || !last.Again || len(last.Changed) == 0 {
		t.Errorf("%d reviews were shown, the last one with %+v", len(reviews), last.Changed)
	}
	w.Mine()
	w.View.Chain.Forget()
	if key := w.Account("alice").Options.MemoKey; key != testwallet.Key("bobby").Public() {
		t.Errorf("the memo key is %s again", key)
	}
}

// A change of the wallet's own that the daemon does not show counts as dead once both clocks are past its expiration, and not before: by one
// of them alone it may still come into a block.
func TestAnOwnChangeIsDeadOnlyByBothClocks(t *testing.T) {
	t.Parallel()
	const late = time.Minute
	for name, c := range map[string]struct {
		ledger, here time.Duration // by how much each clock is past the expiration
		dead         bool
	}{
		"by neither":                {-late / 4, -late / 4, false},
		"by the daemon's":           {late, -late / 4, false},
		"by this machine's":         {-late / 4, late, false},
		"by both":                   {late, late, true},
		"as far as both may differ": {late, 15 * time.Second, false},
		"by a second more":          {late, 16 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there, here := testwallet.NewClock(), testwallet.NewClock()
			box := testwallet.Ledger(t, sandbox.Options{Now: there.Now})
			w := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.OwnClock, cfg.Now = false, here.Now })
			w.Hold("alice")
			w.Mine()
			alice := w.Account("alice").ID.Object()
			expires := here.Now().Add(30 * time.Second).Truncate(time.Second)
			for changed := store.ErrObjectChanged; errors.Is(changed, store.ErrObjectChanged); { // the watcher may see it for the first time meanwhile
				base, err := w.Objects.Base(w.Ctx, "test", alice)
				must(t, err)
				set := ledger.ObjectState{}
				for part := range base.Present {
					set[part] = "what the change makes of it"
				}
				next := base.Next(store.ObjectChanged, set, true, false, ledger.TransactionID{1}, ledger.TimeOf(expires), here.Now())
				if changed = w.Objects.Write(w.Ctx, base, next, nil); !errors.Is(changed, store.ErrObjectChanged) {
					must(t, changed)
				}
			}
			here.Forward(expires.Add(c.here).Sub(here.Now()))
			there.Forward(expires.Add(c.ledger).Sub(there.Now()))
			w.Mine()
			ctx, cancel := context.WithTimeout(w.Ctx, 50*time.Millisecond)
			defer cancel()
			again, err := w.Objects.Base(ctx, "test", alice)
			switch {
			case c.dead && (err != nil || !again.Agrees()):
				t.Errorf("%v, %+v", err, again)
			case !c.dead && fault.CodeOf(err) != fault.Canceled:
				t.Errorf("it is not waited for: %v", err)
			}
		})
	}
}
