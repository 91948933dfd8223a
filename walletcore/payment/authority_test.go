package payment_test

import (
	"bytes"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// create registers an account with authorities that no wallet method builds yet.
func create(s *testwallet.Wallet, name string, active ledger.Authority) {
	s.T.Helper()
	slices.SortFunc(active.KeyAuths, func(a, b ledger.KeyWeight) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	s.Send(ledger.NewOperation(&ledger.AccountCreateOp{
		Registrar: s.Account("alice").ID, Name: name,
		Owner: ledger.SingleKeyAuthority(ledger.DeriveKey(name+" owner", 0).Public()), Active: active,
		Options: ledger.NewAccountOptions(testwallet.Key("alice").Public()),
	}))
	s.Mine()
	s.Pay("alice", name, "10", "")
	s.Mine()
}

func activeKeys(name string, weights ...uint16) (keys []ledger.PrivateKey, list []ledger.KeyWeight) {
	for n, weight := range weights {
		keys = append(keys, ledger.DeriveKey(name+" active", n))
		list = append(list, ledger.KeyWeight{Key: keys[n].Public(), Weight: weight})
	}
	return keys, list
}

func tryFrom(s *testwallet.Wallet, from string) (*txbuild.Signed, error) {
	return s.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: from, To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
}

func TestTwoOfThreeKeysSign(t *testing.T) {
	s := testwallet.Open(t, "alice")
	keys, list := activeKeys("shared", 1, 1, 1)
	create(s, "shared", ledger.Authority{WeightThreshold: 2, KeyAuths: list})
	s.ImportKey("shared", keys[0])
	_, err := tryFrom(s, "shared")
	faulttest.Refused(t, err, fault.MissingAuthority)
	_, err = s.Payments.Prepare(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "shared", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
	)
	faulttest.Refused(t, err, fault.MissingAuthority)
	s.ImportKey("shared", keys[1])
	s.ImportKey("shared", keys[2])
	info, err := tryFrom(s, "shared")
	testwallet.Must(t, err)
	s.Mine()
	if got := s.DCT("bobby"); len(info.Signatures) != 2 || got != 831_0000_0000 {
		t.Errorf("%d signatures, bobby has %d", len(info.Signatures), got)
	}
}

// More signatures than needed are refused by the ledger: one heavy key is enough.
func TestSmallestSetOfKeysSigns(t *testing.T) {
	s := testwallet.Open(t, "alice")
	keys, list := activeKeys("shared", 1, 1, 2)
	create(s, "shared", ledger.Authority{WeightThreshold: 2, KeyAuths: list})
	for _, key := range keys {
		s.ImportKey("shared", key)
	}
	d, err := s.Payments.Prepare(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "shared", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
	)
	testwallet.Must(t, err)
	if with := d.Review().SignsWith; len(with) != 1 || with[0] != keys[2].Public() {
		t.Errorf("it signs with %v, want %s alone", with, keys[2].Public())
	}
	_, err = s.Payments.Send(s.Ctx, d)
	testwallet.Must(t, err)
}

func TestAccountThatAnotherAccountControls(t *testing.T) {
	s := testwallet.Open(t, "alice")
	create(
		s, "child",
		ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: s.Account("alice").ID, Weight: 1}}},
	)
	info, err := tryFrom(s, "child")
	testwallet.Must(t, err)
	s.Mine()
	digest, err := info.Digest(s.Box.ChainID())
	testwallet.Must(t, err)
	key, err := ledger.RecoverKey(digest, info.Signatures[0])
	if err != nil || key != testwallet.Key("alice").Public() || s.DCT("bobby") != 831_0000_0000 {
		t.Errorf("signed by %s, %v; bobby has %d", key, err, s.DCT("bobby"))
	}
}

func TestUnsentTransactionMayBePartlySigned(t *testing.T) {
	s := testwallet.Open(t, "alice")
	keys, list := activeKeys("shared", 1, 1)
	create(s, "shared", ledger.Authority{WeightThreshold: 2, KeyAuths: list})
	s.ImportKey("shared", keys[0])
	info, err := s.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "shared", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
		payment.Sending{},
	)
	if err != nil || len(info.Signatures) > 1 {
		t.Errorf("got %+v, %v", info, err)
	}
}

// Who reads the review of a payment sees in whose name the key signs.
func TestReviewNamesTheAuthorityThatSigns(t *testing.T) {
	s := testwallet.Open(t, "alice")
	_, list := activeKeys("shared", 1)
	create(s, "shared", ledger.Authority{WeightThreshold: 1, KeyAuths: list})
	s.ImportKey("shared", ledger.DeriveKey("shared owner", 0))
	create(
		s, "child",
		ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: s.Account("alice").ID, Weight: 1}}},
	)
	for from, want := range map[string][3]string{
		"alice": {"active", "alice", "alice"}, "shared": {"owner", "shared", "shared"}, "child": {"active", "alice", "child"},
	} {
		r := s.Prepare(txbuild.TransferParams{From: from, To: "bobby", Amount: "1", Asset: "DCT"}).Review()
		if len(r.SignsAs) != 1 {
			t.Fatalf("%s: %+v", from, r.SignsAs)
		}
		if as := r.SignsAs[0]; as.Key != r.SignsWith[0] || [3]string{as.Role, as.Account.Name, as.For.Name} != want {
			t.Errorf("%s signs as %+v, want %v", from, as, want)
		}
	}
}
