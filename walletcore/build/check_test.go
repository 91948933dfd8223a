package build_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/testwallet"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keyOf is the one key that a demo account has.
func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+name, 0) }

// Whatever differs from the request is found in the bytes before they are signed: when it changed
// after it was completed, and when it was another request from the beginning.
func TestWhatIsSignedIsWhatWasAsked(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice", "bobby")
	req := build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "for the boat"}
	carol, err := s.Wallet.View.Accounts.Get(s.Ctx, "carol")
	must(t, err)
	gold := ledger.AssetID(1)
	memo := func(to ledger.PublicKey, text string) *ledger.Memo {
		m, err := ledger.EncryptMemo(keyOf("alice"), to, 0, text)
		must(t, err)
		return &m
	}
	plain := ledger.PlainMemo("for the boat")
	for name, change := range map[string]func(*build.Prepared, *ledger.TransferObsoleteOp){
		"nothing":       func(*build.Prepared, *ledger.TransferObsoleteOp) {},
		"sender":        func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.From = carol.ID },
		"recipient":     func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.To = carol.ID },
		"way":           func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.From, op.To = op.To, op.From },
		"amount":        func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Amount.Amount *= 100 },
		"asset":         func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Amount.AssetID = gold },
		"no memo":       func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Memo = nil },
		"memo's reader": func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Memo.To = carol.Options.MemoKey },
		"memo's key": func(_ *build.Prepared, op *ledger.TransferObsoleteOp) {
			op.Memo = memo(carol.Options.MemoKey, "for the boat")
		},
		"memo's words": func(_ *build.Prepared, op *ledger.TransferObsoleteOp) {
			op.Memo = memo(keyOf("bobby").Public(), "for the house")
		},
		"memo's text":    func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Memo = &plain },
		"fee":            func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Fee.Amount = 2_0000_0000 },
		"fee's asset":    func(_ *build.Prepared, op *ledger.TransferObsoleteOp) { op.Fee.AssetID = gold },
		"two operations": func(p *build.Prepared, _ *ledger.TransferObsoleteOp) { p.Double() },
		"nobody asked":   func(p *build.Prepared, _ *ledger.TransferObsoleteOp) { p.Forget() },
	} {
		for _, from := range []string{"the beginning", "its completion"} {
			made, err := s.Wallet.Build.Build(s.Ctx, build.NewRequest("transfer", req, build.Transfer), false)
			must(t, err)
			must(t, s.Wallet.Build.Complete(s.Ctx, made, true))
			change(made, made.Operations()[0].Body.(*ledger.TransferObsoleteOp))
			if from == "the beginning" {
				made.Repack()
			}
			signed, err := s.Wallet.Build.Sign(s.Ctx, made)
			if name == "nothing" {
				must(t, err)
				continue
			}
			if err == nil || signed != nil {
				t.Errorf("another %s since %s was signed", name, from)
			} else if strings.Contains(err.Error(), "boat") {
				t.Error("the memo is in the error:", err)
			}
		}
	}
}
