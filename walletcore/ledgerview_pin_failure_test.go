package walletcore_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// Whichever statement of the store fails, what was accepted before is compared with, and what is accepted is stored, or it is an error:
// nothing counts as unknown, and nothing as kept, because the disk was away.
func TestPinsAreComparedAndKeptOrRefused(t *testing.T) {
	t.Parallel()
	faults := new(storetest.Faults)
	kept, err := sqlite.Options{Between: faults.Between}.Open(filepath.Join(testwallet.Folder(t), "the store.db"))
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, kept.Close()) })
	box := testwallet.Ledger(t, sandbox.Options{})
	w := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.Store = kept })
	w.Hold("alice")
	w.Mine()
	pins := w.View.Pins
	fact := func(n int, value string) ledgerview.Fact {
		return ledgerview.Fact{Kind: "the thing", Subject: fmt.Sprint("thing ", n), Name: "colour", Value: value, Own: true}
	}
	account := func(n int) *ledger.Account {
		return &ledger.Account{ID: ledger.AccountID(5000 + n), Name: fmt.Sprint("somebody-", n), Active: ledger.SingleKeyAuthority(testwallet.Key("bobby").Public())}
	}
	asset := func(n int) ledgerview.AssetRef {
		return ledgerview.AssetRef{ID: ledger.AssetID(5000 + n), Symbol: symbolOf(n), Precision: 3}
	}
	accepted := func(ctx context.Context, n int) {
		testwallet.Must(t, pins.CheckFacts(ctx, []ledgerview.Fact{fact(n, fmt.Sprint("red ", n))}, ledgerview.AcceptedByPerson))
		testwallet.Must(t, pins.AcceptKeys(ctx, account(n)))
	}
	changed := func(n int) []ledgerview.Fact { return []ledgerview.Fact{fact(n, fmt.Sprint("blue ", n))} }
	cases := map[string]func(ctx context.Context, n int) error{
		"accounts.List": func(ctx context.Context, _ int) error { _, err := w.View.Accounts.List(ctx, "m", 5); return err },
		"accounts.Find": func(ctx context.Context, _ int) error { _, err := w.View.Accounts.Find(ctx, "dave", 5); return err },
		"assets.List":   func(ctx context.Context, _ int) error { _, err := w.View.Assets.List(ctx, "A", 5); return err },
		"PinFacts": func(ctx context.Context, n int) error {
			return pins.PinFacts(ctx, fact(10_000+n, fmt.Sprint("green ", n)))
		},
		"PinFacts, again": func(ctx context.Context, n int) error { return pins.PinFacts(ctx, fact(n, fmt.Sprint("red ", n))) },
		"FactChanges": func(ctx context.Context, n int) error {
			changes, err := pins.FactChanges(ctx, changed(n)...)
			if err == nil && len(changes) != 1 {
				t.Errorf("a change that there is, is not reported: %+v", changes)
			}
			return err
		},
		"CheckFacts by a person": func(ctx context.Context, n int) error {
			return pins.CheckFacts(ctx, changed(n), ledgerview.AcceptedByPerson)
		},
		"CheckFacts, new": func(ctx context.Context, n int) error {
			return pins.CheckFacts(ctx, []ledgerview.Fact{fact(20_000+n, fmt.Sprint("white ", n))}, ledgerview.AcceptedByNobody)
		},
		"HandOn": func(ctx context.Context, n int) error {
			return pins.HandOn(ctx, changed(n), ledger.TransactionID{byte(n)})
		},
		"HandOn again": func(ctx context.Context, n int) error {
			if err := pins.HandOn(ctx, changed(n), ledger.TransactionID{byte(n)}); err != nil {
				return err
			}
			return pins.HandOn(ctx, []ledgerview.Fact{fact(n, fmt.Sprint("grey ", n))}, ledger.TransactionID{byte(n), 1})
		},
		"PinAccount": func(ctx context.Context, n int) error {
			return pins.PinAccount(ctx, ledgerview.AccountRef{ID: account(n).ID, Name: account(n).Name})
		},
		"PinAsset":    func(ctx context.Context, n int) error { return pins.PinAsset(ctx, asset(n)) },
		"CheckAssets": func(ctx context.Context, n int) error { return pins.CheckAssets(ctx, asset(10_000+n)) },
		"CheckAccounts": func(ctx context.Context, n int) error {
			return pins.CheckAccounts(ctx, ledgerview.AccountRef{ID: ledger.AccountID(90_000 + n), Name: fmt.Sprint("another-", n)})
		},
		"PinAuthor": func(ctx context.Context, n int) error { return pins.PinAuthor(ctx, ledger.ContentID(n).Object(), 17) },
		"AccountID": func(ctx context.Context, n int) error {
			_, _, err := pins.AccountID(ctx, fmt.Sprint("nobody-", n))
			return err
		},
		"AccountNamed": func(ctx context.Context, n int) error {
			_, _, err := pins.AccountNamed(ctx, fmt.Sprint("nobody-else-", n))
			return err
		},
		"Asset by symbol": func(ctx context.Context, n int) error {
			_, _, err := pins.Asset(ctx, asset(20_000+n).Symbol)
			return err
		},
		"Asset by id": func(ctx context.Context, n int) error {
			_, _, err := pins.Asset(ctx, asset(30_000+n).ID.String())
			return err
		},
		"Symbol": func(ctx context.Context, n int) error {
			_, _, err := pins.Symbol(ctx, asset(40_000+n).Symbol)
			return err
		},
		"Changes": func(ctx context.Context, n int) error { _, err := pins.Changes(ctx, account(n)); return err },
		"CheckKeys": func(ctx context.Context, n int) error {
			return pins.CheckKeys(ctx, account(n), ledgerview.AcceptedByNobody)
		},
		"CheckKeys, new": func(ctx context.Context, n int) error {
			return pins.CheckKeys(ctx, account(10_000+n), ledgerview.AcceptedByNobody)
		},
		"AcceptKeys": func(ctx context.Context, n int) error { return pins.AcceptKeys(ctx, account(n)) },
	}
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		failed := 0
		for k := 1; k < 20; k++ {
			n := 100*i + k // each attempt is about other things
			accepted(w.Ctx, n)
			w.View.Chain.Forget() // so that the store is asked
			faults.AwaitRest()
			faults.Arm(k, false)
			err := cases[name](w.Ctx, n)
			hit := faults.Disarm()
			if hit == "" {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
			failed++
			if err == nil && !strings.Contains(hit, "FROM payments") && !strings.Contains(hit, "FROM journal_hold") { // that a payment never happened is not known then
				t.Errorf("%s: without statement %d, %.200s, there is no error", name, k, hit)
			}
		}
		if failed == 0 {
			t.Errorf("%s: no statement failed", name)
		}
	}
}

// What never changes is compared for ever: another author of content, another fact of a subject, or the fact of another subject, is a
// contradiction, and several at once are judged each by itself.
func TestWhatNeverChangesIsComparedForEver(t *testing.T) {
	l := openMisled(t, nil)
	pins := func() *ledgerview.Pins { return l.View.Pins }
	song := ledger.ContentID(7).Object()
	fact := func(subject, name, value string) ledgerview.Fact {
		return ledgerview.Fact{Kind: "the miner", Subject: subject, Name: name, Value: value, Own: true}
	}
	all := []ledgerview.Fact{fact("1.4.1", "account", "1.2.4"), fact("1.4.2", "account", "1.2.5"), fact("1.4.1", "vote id", "1:1"), fact("1.4.2", "vote id", "1:2")}
	testwallet.Must(t, pins().PinAuthor(l.Ctx, song, 17))
	testwallet.Must(t, pins().PinFacts(l.Ctx, all...))
	for _, life := range []string{"the same", "the next"} {
		if life == "the next" {
			l.live(t, l.Box, nil)
		}
		testwallet.Must(t, pins().PinAuthor(l.Ctx, song, 17))
		faulttest.Refused(t, pins().PinAuthor(l.Ctx, song, 18), fault.DaemonContradicts)
		testwallet.Must(t, pins().PinAuthor(l.Ctx, song+1, 18))
		testwallet.Must(t, pins().PinFacts(l.Ctx, all...))
		testwallet.Must(t, pins().CheckFacts(l.Ctx, all, ledgerview.AcceptedByNobody))
		for name, c := range map[string]ledgerview.Fact{"another value": fact("1.4.1", "account", "1.2.6"), "the value of another": fact("1.4.3", "account", "1.2.4"),
			"the value of another that is known": fact("1.4.1", "vote id", "1:2")} {
			mixed := append(slices.Clone(all[1:2]), c, fact("1.4.9", "account", "1.2.99"))
			if err := pins().PinFacts(l.Ctx, mixed...); fault.CodeOf(err) != fault.DaemonContradicts {
				t.Errorf("%s life, %s: %v", life, name, err)
			}
			if err := pins().CheckFacts(l.Ctx, mixed, ledgerview.AcceptedByNobody); fault.CodeOf(err) != fault.StateChanged {
				t.Errorf("%s life, %s: %v", life, name, err)
			}
			if changes, err := pins().FactChanges(l.Ctx, mixed...); len(changes) != 1 || changes[0].Now != c.Value && !strings.Contains(changes[0].Now, c.Value) || err != nil {
				t.Errorf("%s life, %s: the changes are %+v, %v", life, name, changes, err)
			}
		}
		if changes, err := pins().FactChanges(l.Ctx, append(all, fact("1.4.8", "vote id", "1:8"))...); len(changes) > 0 || err != nil {
			t.Errorf("%s life: without a change they are %+v, %v", life, changes, err)
		}
		testwallet.Must(t, pins().PinFacts(l.Ctx, fact("1.4.7", "link", "1.2.4"))) // which is another fact
	}
}

// symbolOf returns a symbol for each number.
func symbolOf(n int) string {
	text := []byte("THING")
	for ; n > 0; n /= 10 {
		text = append(text, 'A'+byte(n%10))
	}
	return string(text)
}
