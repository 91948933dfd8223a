package payment_test

import (
	"bytes"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// create registers an account with authorities that no wallet method builds yet.
func (s *stage) create(name string, active ledger.Authority) {
	s.t.Helper()
	slices.SortFunc(active.KeyAuths, func(a, b ledger.KeyWeight) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	s.sendGiven(ledger.NewOperation(&ledger.AccountCreateOp{
		Registrar: s.account("alice").ID, Name: name,
		Owner: ledger.SingleKeyAuthority(ledger.DeriveKey(name+" owner", 0).Public()), Active: active,
		Options: ledger.NewAccountOptions(keyOf("alice").Public()),
	}))
	s.mine()
	s.pay("alice", name, "10", "")
	s.mine()
}

func activeKeys(name string, weights ...uint16) (keys []ledger.PrivateKey, list []ledger.KeyWeight) {
	for n, weight := range weights {
		keys = append(keys, ledger.DeriveKey(name+" active", n))
		list = append(list, ledger.KeyWeight{Key: keys[n].Public(), Weight: weight})
	}
	return keys, list
}

func (s *stage) tryFrom(from string) (*build.Signed, error) {
	return s.wallet.Payments.Spend(
		s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: from, To: "bobby", Amount: "1", Asset: "DCT"}, build.Transfer),
		payment.Sending{Broadcast: true},
	)
}

func TestTwoOfThreeKeysSign(t *testing.T) {
	s := open(t, "alice")
	keys, list := activeKeys("shared", 1, 1, 1)
	s.create("shared", ledger.Authority{WeightThreshold: 2, KeyAuths: list})
	s.importKey("shared", keys[0])
	_, err := s.tryFrom("shared")
	refused(t, err, fault.MissingAuthority)
	_, err = s.wallet.Payments.Prepare(
		s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: "shared", To: "bobby", Amount: "1", Asset: "DCT"}, build.Transfer),
	)
	refused(t, err, fault.MissingAuthority)
	s.importKey("shared", keys[1])
	s.importKey("shared", keys[2])
	info, err := s.tryFrom("shared")
	must(t, err)
	s.mine()
	if got := s.dct("bobby"); len(info.Signatures) != 2 || got != 831_0000_0000 {
		t.Errorf("%d signatures, bobby has %d", len(info.Signatures), got)
	}
}

// More signatures than needed are refused by the ledger: one heavy key is enough.
func TestSmallestSetOfKeysSigns(t *testing.T) {
	s := open(t, "alice")
	keys, list := activeKeys("shared", 1, 1, 2)
	s.create("shared", ledger.Authority{WeightThreshold: 2, KeyAuths: list})
	for _, key := range keys {
		s.importKey("shared", key)
	}
	d, err := s.wallet.Payments.Prepare(
		s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: "shared", To: "bobby", Amount: "1", Asset: "DCT"}, build.Transfer),
	)
	must(t, err)
	if with := d.Review().SignsWith; len(with) != 1 || with[0] != keys[2].Public() {
		t.Errorf("it signs with %v, want %s alone", with, keys[2].Public())
	}
	_, err = s.wallet.Payments.Send(s.ctx, d)
	must(t, err)
}

func TestAccountThatAnotherAccountControls(t *testing.T) {
	s := open(t, "alice")
	s.create(
		"child",
		ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: s.account("alice").ID, Weight: 1}}},
	)
	info, err := s.tryFrom("child")
	must(t, err)
	s.mine()
	digest, err := info.Digest(s.box.ChainID())
	must(t, err)
	key, err := ledger.RecoverKey(digest, info.Signatures[0])
	if err != nil || key != keyOf("alice").Public() || s.dct("bobby") != 831_0000_0000 {
		t.Errorf("signed by %s, %v; bobby has %d", key, err, s.dct("bobby"))
	}
}

func TestUnsentTransactionMayBePartlySigned(t *testing.T) {
	s := open(t, "alice")
	keys, list := activeKeys("shared", 1, 1)
	s.create("shared", ledger.Authority{WeightThreshold: 2, KeyAuths: list})
	s.importKey("shared", keys[0])
	info, err := s.wallet.Payments.Spend(
		s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: "shared", To: "bobby", Amount: "1", Asset: "DCT"}, build.Transfer),
		payment.Sending{},
	)
	if err != nil || len(info.Signatures) > 1 {
		t.Errorf("got %+v, %v", info, err)
	}
}
