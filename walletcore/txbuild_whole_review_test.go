package walletcore_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// Whichever call of the daemon fails while a review is made, the review is refused or it is the whole one: nobody is shown
// one that lacks a check.
func TestAReviewIsWholeOrRefused(t *testing.T) {
	t.Parallel()
	refused := 0
	for name, request := range reviewed() {
		t.Run(name, func(t *testing.T) {
			w, relay, _ := testwallet.OpenBehindRelay(t)
			w.Furnish()
			failing := func(n int, how testwallet.Failure) (r txbuild.Review, failed string, err error) {
				w.Mine() // what was read before is read again
				made, err := w.Build.Build(w.Ctx, request(w), false)
				must(t, err)
				must(t, w.Build.Complete(w.Ctx, made, false))
				relay.FailCall(n, how)
				r, err = w.Build.Review(w.Ctx, made)
				failed = relay.MendCall()
				must(t, w.Client.WaitOnline(w.Ctx))
				return r, failed, err
			}
			whole, _, err := failing(1000, testwallet.ErrorAnswered)
			must(t, err)
			for _, how := range []testwallet.Failure{testwallet.ErrorAnswered, testwallet.AnswerLost} {
				for n := 1; n < 100; n++ {
					r, failed, err := failing(n, how)
					if err != nil {
						refused++
						if fault.CodeOf(err) == fault.Internal && !errors.Is(err, context.Canceled) {
							t.Errorf("call %d %s %.120s: %v", n, how, failed, err)
						}
					} else if diff := otherwise(whole, r); diff != "" {
						t.Errorf("call %d %s %.120s: the review lacks or differs in %s", n, how, failed, diff)
					}
					if failed == "" {
						break
					}
				}
			}
		})
	}
	if refused < 10 {
		t.Errorf("only %d calls failed", refused)
	}
}

// reviewed are requests whose reviews have every check.
func reviewed() map[string]func(w *testwallet.Wallet) txbuild.Request {
	approve := func(w *testwallet.Wallet) ledger.Operation {
		alice := w.Account("alice").ID
		return ledger.NewOperation(&ledger.ProposalUpdateOp{FeePayingAccount: alice, Proposal: 0, ActiveApprovalsToAdd: []ledger.AccountID{alice}})
	}
	return map[string]func(w *testwallet.Wallet) txbuild.Request{
		"a transfer": func(*testwallet.Wallet) txbuild.Request {
			return txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "2", Asset: "DCT", Memo: "rent"}, txbuild.Transfer)
		},
		"new keys": func(*testwallet.Wallet) txbuild.Request {
			return txbuild.NewRequest("update_account_keys", txbuild.UpdateAccountKeysParams{Account: "alice",
				Active: ledger.DeriveKey("another", 0).Public().String()}, txbuild.UpdateAccountKeys)
		},
		"an approval": func(w *testwallet.Wallet) txbuild.Request { return testwallet.Ready(approve(w)) },
		"an approval beside a payment": func(w *testwallet.Wallet) txbuild.Request {
			return testwallet.Ready(approve(w), ledger.NewOperation(&ledger.TransferObsoleteOp{From: w.Account("alice").ID,
				To: w.Account("carol").ID, Amount: ledger.AssetAmount{Amount: 3_0000_0000}}))
		},
		"a proposal": func(w *testwallet.Wallet) txbuild.Request {
			head, err := w.View.Chain.Head(w.Ctx)
			must(w.T, err)
			return txbuild.NewRequest("propose_transfer", txbuild.ProposeTransferParams{Proposer: "alice", From: "alice", To: "bobby", Amount: "1",
				Asset: "DCT", Expiration: head.Time + 3600}, txbuild.ProposeTransfer)
		},
	}
}

// otherwise names the fields in which a review differs from the whole one, apart from its bytes.
func otherwise(whole, r txbuild.Review) (out string) {
	a, b := reflect.ValueOf(whole), reflect.ValueOf(r)
	for i := range a.NumField() {
		switch field := a.Type().Field(i); field.Name {
		case "Bytes", "JSON", "Sentence", "Sentences", "Intents", "Effects", "Proposes", "Repeats": // they have times and nonces in them
			if a.Field(i).IsZero() != b.Field(i).IsZero() {
				out += " " + field.Name
			}
		case "checked":
		default:
			if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
				out += fmt.Sprintf(" %s (%v, not %v)", field.Name, b.Field(i).Interface(), a.Field(i).Interface())
			}
		}
	}
	return out
}
