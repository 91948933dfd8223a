package walletcore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// What --rpc-changed-keys=allow lets through stays a change: it is refused once that setting is gone, whatever kind it is of.
func TestWhatThePolicyLetsThroughIsNotAccepted(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(w *testwallet.Wallet) error{
		"the keys of a recipient": func(w *testwallet.Wallet) error {
			_, err := w.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
			return err
		},
		"an own account": func(w *testwallet.Wallet) error {
			_, err := voteFor(w, []string{"miner-b", "miner-c", "miner-d", "miner-e", "miner-f"}[len(w.Account("alice").Options.Votes)], payment.Sending{Broadcast: true})
			return err
		},
		"the own memo key": func(w *testwallet.Wallet) error {
			with := testwallet.OneDCT()
			with.To, with.Memo = "carol", "hello"
			_, err := w.Transfer(with, payment.Sending{Broadcast: true})
			return err
		},
	} {
		w, r, _ := testwallet.OpenBehindRelay(t)
		w.ImportKey("carol", testwallet.Key("carol"))
		_, err := voteFor(w, "miner-a", payment.Sending{})
		must(t, err)
		must(t, act(w))
		w.Mine()
		whose := map[string]string{"the keys of a recipient": "bobby"}[name]
		if whose == "" {
			whose = "alice"
		}
		r.Set(func(r *testwallet.Relay) {
			r.Swap = func(answer string) string {
				if !strings.Contains(answer, `"name":"`+whose+`"`) {
					return answer
				}
				return strings.ReplaceAll(answer, `"memo_key":"`+testwallet.Key(whose).Public().String(), `"memo_key":"`+testwallet.Key("carol").Public().String())
			}
		})
		w.Build.AcceptChanges = true
		for range 2 {
			w.View.Chain.Forget()
			if err := act(w); err != nil {
				t.Errorf("%s, where it is let through: %v", name, err)
			}
			w.Mine()
		}
		w.Build.AcceptChanges = false
		w.View.Chain.Forget()
		if code := fault.CodeOf(act(w)); code != fault.StateChanged && code != fault.KeysChanged {
			t.Errorf("%s, once it is not let through any more: %q", name, code)
		}
	}
}

// What this wallet was about to change, and never did, is not what it changed it to.
func TestWhatWasNeverSentIsNotAccepted(t *testing.T) {
	t.Parallel()
	kept, err := sqlite.Open(filepath.Join(testwallet.Folder(t), sqlite.Name))
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	w := testwallet.New(t, func(cfg *walletcore.Config) { cfg.Store = kept })
	w.Hold("alice")
	w.Mine()
	owner := func(id string) ledgerview.Fact {
		return ledgerview.Fact{Kind: "the token", Subject: "1.11.0", Name: "owner", Value: id}
	}
	must(t, w.View.Pins.CheckFacts(w.Ctx, []ledgerview.Fact{owner("1.2.16")}, ledgerview.AcceptedByNobody))
	sent := w.Pay("alice", "bobby", "1", "")
	for _, handed := range []struct {
		to      string
		by      ledger.TransactionID
		changed []string // owners that are changes afterwards
		same    []string
	}{
		{"1.2.17", ledger.TransactionID{7}, []string{"1.2.17", "1.2.18"}, []string{"1.2.16"}},
		{"1.2.17", sent.TransactionID, []string{"1.2.18"}, []string{"1.2.16", "1.2.17"}},
		{"1.2.18", ledger.TransactionID{8}, []string{"1.2.18"}, []string{"1.2.17"}},
	} {
		must(t, w.View.Pins.HandOn(w.Ctx, []ledgerview.Fact{owner(handed.to)}, handed.by))
		for i, id := range append(handed.changed, handed.same...) {
			changes, err := w.View.Pins.FactChanges(w.Ctx, owner(id))
			must(t, err)
			if want := i < len(handed.changed); (len(changes) > 0) != want {
				t.Errorf("handed on to %s by %s: that it is of %s is a change: %v", handed.to, handed.by, id, !want)
			}
		}
	}
}

// What is forgotten in the store counts as forgotten at a running wallet from its next block on.
func TestForgottenFactsAreForgottenWithTheNextBlock(t *testing.T) {
	t.Parallel()
	kept, err := sqlite.Open(filepath.Join(testwallet.Folder(t), sqlite.Name))
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	w := testwallet.New(t, func(cfg *walletcore.Config) { cfg.Store = kept })
	w.Hold("alice")
	w.Mine()
	is := ledgerview.Fact{Kind: "the token", Subject: "1.11.0", Name: "owner", Value: "1.2.16"}
	must(t, w.View.Pins.CheckFacts(w.Ctx, []ledgerview.Fact{is}, ledgerview.AcceptedByNobody))
	is.Value = "1.2.17"
	if changes, err := w.View.Pins.FactChanges(w.Ctx, is); err != nil || len(changes) != 1 {
		t.Fatalf("before: %+v, %v", changes, err)
	}
	_, err = kept.Pins.ForgetFacts(w.Ctx, w.View.Pins.Chain(), is.Subject)
	must(t, err)
	w.Mine()
	if changes, err := w.View.Pins.FactChanges(w.Ctx, is); err != nil || len(changes) != 0 {
		t.Errorf("with the next block: %+v, %v", changes, err)
	}
}
