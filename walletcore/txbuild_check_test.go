package walletcore_test

import (
	"context"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// The two moments at which a test changes the operations of a request.
const (
	whileCompleted = "while it was completed" // after its fees were checked: another request is packed from the start
	onceCompleted  = "since it was completed"
)

// signChanged completes a request, changes its operations at a moment, and signs them.
func signChanged(s *testwallet.Wallet, r txbuild.Request, at string, change func([]ledger.Operation)) (*txbuild.Signed, error) {
	s.T.Helper()
	made, err := s.Build.Build(s.Ctx, r, false)
	must(s.T, err)
	s.Build.Vault = &changingVault{Vault: s.Vault, change: func() {
		if at == whileCompleted {
			change(made.Operations())
		}
	}}
	must(s.T, s.Build.Complete(s.Ctx, made, true))
	s.Build.Vault = s.Vault
	if at == onceCompleted {
		change(made.Operations())
	}
	return s.Build.Sign(s.Ctx, made)
}

// changingVault is the wallet's vault, except that operations change once their signers are chosen.
type changingVault struct {
	txbuild.Vault
	change func()
}

func (v *changingVault) SmallestKeys(needs ledger.Needs, lookup ledger.AccountLookup, depth int) ([]ledger.PublicKey, ledger.Needs, error) {
	keys, missing, err := v.Vault.SmallestKeys(needs, lookup, depth)
	v.change()
	return keys, missing, err
}

// Any difference from the request is found in the bytes before they are signed, whether the operations changed
// after completion or before packing.
func TestSignedBytesMatchTheRequest(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice", "bobby")
	request := txbuild.NewRequest("transfer",
		txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "for the boat"}, txbuild.Transfer)
	carol, err := s.View.Accounts.Get(s.Ctx, "carol")
	must(t, err)
	gold := ledger.AssetID(1)
	memo := func(to ledger.PublicKey, text string) *ledger.Memo {
		m, err := ledger.EncryptMemo(testwallet.Key("alice"), to, 0, text)
		must(t, err)
		return &m
	}
	plain := ledger.PlainMemo("for the boat")
	refused := func(what string, signed *txbuild.Signed, err error) {
		t.Helper()
		if err == nil || signed != nil {
			t.Errorf("%s was signed", what)
		} else if strings.Contains(err.Error(), "boat") {
			t.Error("the memo is in the error:", err)
		}
	}
	for name, change := range map[string]func(*ledger.TransferObsoleteOp){
		"nothing":       func(*ledger.TransferObsoleteOp) {},
		"sender":        func(op *ledger.TransferObsoleteOp) { op.From = carol.ID },
		"recipient":     func(op *ledger.TransferObsoleteOp) { op.To = carol.ID },
		"way":           func(op *ledger.TransferObsoleteOp) { op.From, op.To = op.To, op.From },
		"amount":        func(op *ledger.TransferObsoleteOp) { op.Amount.Amount *= 100 },
		"asset":         func(op *ledger.TransferObsoleteOp) { op.Amount.AssetID = gold },
		"no memo":       func(op *ledger.TransferObsoleteOp) { op.Memo = nil },
		"memo's reader": func(op *ledger.TransferObsoleteOp) { op.Memo.To = carol.Options.MemoKey },
		"memo's key":    func(op *ledger.TransferObsoleteOp) { op.Memo = memo(carol.Options.MemoKey, "for the boat") },
		"memo's words":  func(op *ledger.TransferObsoleteOp) { op.Memo = memo(testwallet.Key("bobby").Public(), "for the house") },
		"memo's text":   func(op *ledger.TransferObsoleteOp) { op.Memo = &plain },
		"fee":           func(op *ledger.TransferObsoleteOp) { op.Fee.Amount = 2_0000_0000 },
		"fee's asset":   func(op *ledger.TransferObsoleteOp) { op.Fee.AssetID = gold },
	} {
		for _, at := range []string{whileCompleted, onceCompleted} {
			signed, err := signChanged(s, request, at,
				func(ops []ledger.Operation) { change(ops[0].Body.(*ledger.TransferObsoleteOp)) })
			if name == "nothing" {
				must(t, err)
				continue
			}
			refused("another "+name+" "+at, signed, err)
		}
	}
	if signed, err := s.Build.Sign(s.Ctx, new(txbuild.Prepared)); signed != nil || !strings.Contains(err.Error(), "nobody asked for it") {
		t.Errorf("of what nobody asked for it says %v", err)
	}
}

// memoVault is the wallet's vault, except that it encrypts something else than it is asked for.
type memoVault struct {
	txbuild.Vault
	encrypt func(own, other ledger.PublicKey, text string) (ledger.PublicKey, ledger.PublicKey, string)
	plain   bool
}

func (v *memoVault) EncryptMemo(op string, own, other ledger.PublicKey, text string) (ledger.Memo, error) {
	if v.plain {
		return ledger.PlainMemo(text), nil
	}
	own, other, text = v.encrypt(own, other, text)
	return v.Vault.EncryptMemo(op, own, other, text)
}

// A message is read back before it is signed: it has the words that were asked for, for whom they were meant, and encrypted.
func TestEncryptedMessageMatchesTheRequest(t *testing.T) {
	s := testwallet.Open(t, "alice", "bobby")
	own, carol := s.Build.Vault, s.Account("carol").Options.MemoKey
	request := txbuild.NewRequest("send_message", txbuild.MessageParams{From: "alice", To: []string{"bobby"}, Text: "the boat"}, txbuild.SendMessage)
	for name, v := range map[string]*memoVault{
		"what was asked for": {encrypt: func(own, other ledger.PublicKey, text string) (ledger.PublicKey, ledger.PublicKey, string) {
			return own, other, text
		}},
		"other words": {encrypt: func(own, other ledger.PublicKey, _ string) (ledger.PublicKey, ledger.PublicKey, string) {
			return own, other, "the house"
		}},
		"another reader": {encrypt: func(own, _ ledger.PublicKey, text string) (ledger.PublicKey, ledger.PublicKey, string) {
			return own, carol, text
		}},
		"no secrecy": {plain: true},
	} {
		v.Vault, s.Build.Vault = own, v
		made, err := s.Build.Build(s.Ctx, request, false)
		if err == nil {
			err = s.Build.Complete(s.Ctx, made, true)
		}
		if err == nil {
			_, err = s.Build.Sign(s.Ctx, made)
		}
		if honest := name == "what was asked for"; (err == nil) != honest || err != nil && strings.Contains(err.Error(), "boat") {
			t.Errorf("with %s: %v", name, err)
		}
		s.Build.Vault = own
	}
}

// A transaction that repeats a payment more often than the request does is not signed.
func TestPaymentIsNotRepeatedInATransaction(t *testing.T) {
	s := testwallet.Open(t, "alice")
	made, err := s.Build.Build(s.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(),
		func(ctx context.Context, b *txbuild.Builder, p txbuild.TransferParams) ([]ledger.Operation, error) {
			ops, err := txbuild.Transfer(ctx, b, p)
			return append(ops, ops...), err
		}), false)
	must(t, err)
	must(t, s.Build.Complete(s.Ctx, made, true))
	if signed, err := s.Build.Sign(s.Ctx, made); fault.CodeOf(err) != fault.Internal || signed != nil {
		t.Errorf("two payments were signed for one: %v", err)
	}
}
