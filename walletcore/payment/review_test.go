package payment_test

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

func review(s *testwallet.Wallet, to, amount, memo string) txbuild.Review {
	s.T.Helper()
	return s.Prepare(txbuild.TransferParams{From: "alice", To: to, Amount: amount, Asset: "DCT", Memo: memo}).Review()
}

func TestReviewTellsWhatTheBytesSay(t *testing.T) {
	s := testwallet.Open(t, "alice")
	r := review(s, "bobby", "12.25", "thank you 🙂")
	if r.Operation != "transfer (0)" || r.From.Name != "alice" || r.To.Name != "bobby" || r.ToObject != r.To.ID.Object() {
		t.Errorf("it is %s from %v to %v %s", r.Operation, r.From, r.To, r.ToObject)
	}
	if r.Asset.Format(r.Amount) != "12.25000000 DCT" || r.FeeAsset.Format(r.Fee) != "0.00100000 DCT" || r.Available != 12400_0000_0000 {
		t.Errorf("amount %s, fee %s, available %d", r.Asset.Format(r.Amount), r.FeeAsset.Format(r.Fee), r.Available)
	}
	if r.Memo != "thank you 🙂" || r.MemoState != vault.MemoOpen || r.MemoBytes != len("thank you 🙂") {
		t.Errorf("memo %q of %d bytes, state %d", r.Memo, r.MemoBytes, r.MemoState)
	}
	if len(r.SignsWith) != 1 || r.SignsWith[0] != testwallet.Key("alice").Public() || r.Chain != s.Box.ChainID() {
		t.Errorf("signs with %v on chain %s", r.SignsWith, r.Chain)
	}
	packed, err := hex.DecodeString(r.Bytes)
	testwallet.Must(t, err)
	var tx ledger.Transaction
	testwallet.Must(t, codec.Unpack(packed, &tx))
	if op := tx.Operations[0].Body.(*ledger.TransferObsoleteOp); op.Amount.Amount != r.Amount || op.To != r.To.ID ||
		!json.Valid([]byte(r.JSON)) {
		t.Errorf("the bytes say %+v, the JSON %s", op, r.JSON)
	}
}

func TestReviewComparesWithTheHistory(t *testing.T) {
	s := testwallet.Open(t, "alice")
	if r := review(s, "bobby", "5", ""); !r.FirstTime || r.PaidBefore != 0 || r.Repeats != nil {
		t.Errorf("before any payment: %v, %d, %v", r.FirstTime, r.PaidBefore, r.Repeats)
	}
	s.Pay("alice", "bobby", "5", "rent")
	s.Pay("alice", "bobby", "6", "")
	s.Mine()
	r := review(s, "bobby", "5", "")
	if r.FirstTime || r.PaidBefore != 2 || r.Repeats == nil || r.Repeats.Amount != 5_0000_0000 || r.Repeats.Memo != "rent" {
		t.Errorf("the same again: %v, %d, %+v", r.FirstTime, r.PaidBefore, r.Repeats)
	}
	if r := review(s, "bobby", "5.00000001", ""); r.Repeats != nil || r.PaidBefore != 2 {
		t.Errorf("another amount repeats %+v", r.Repeats)
	}
	if r := review(s, "carol", "5", ""); !r.FirstTime || r.Repeats != nil {
		t.Errorf("another recipient: %v, %+v", r.FirstTime, r.Repeats)
	}
}

func TestReviewRepeatsFadesAfterADay(t *testing.T) {
	s, _, now := testwallet.OpenBehindRelay(t)
	s.Pay("alice", "bobby", "5", "")
	s.Mine()
	now.Forward((24*3600 + 10) * time.Second)
	s.Mine()
	if r := review(s, "bobby", "5", ""); r.Repeats != nil || r.PaidBefore != 1 {
		t.Errorf("a day later it repeats %+v", r.Repeats)
	}
}

func TestReviewWarnsOfNamesThatResemble(t *testing.T) {
	s := testwallet.Open(t, "alice")
	create(s, "bobbby", ledger.SingleKeyAuthority(testwallet.Key("alice").Public()))
	s.Pay("alice", "bobby", "1", "")
	s.Mine()
	if r := review(s, "bobbby", "1", ""); len(r.LooksLike) != 1 || r.LooksLike[0].Name != "bobby" {
		t.Errorf("bobbby looks like %v", r.LooksLike)
	}
	if r := review(s, "carol", "1", ""); len(r.LooksLike) != 0 {
		t.Errorf("carol looks like %v", r.LooksLike)
	}
}

// A contact that was paid before is the one that others look like. A contact that was never paid, and an account that was paid and is no contact,
// are still warned of.
func TestAPaidContactIsNotItsOwnLookAlike(t *testing.T) {
	s, _ := testwallet.Keeping(t, testwallet.Folder(t))
	create(s, "bobbby", ledger.SingleKeyAuthority(testwallet.Key("alice").Public())) // and pays it
	alike := func(what string, want int) {
		t.Helper()
		if r := review(s, "bobby", "2", ""); len(r.LooksLike) != want {
			t.Errorf("%s: bobby looks like %v", what, r.LooksLike)
		}
	}
	_, err := s.Contacts.Save(s.Ctx, "bobby", "")
	testwallet.Must(t, err)
	alike("a contact that was never paid", 1)
	s.Pay("alice", "bobby", "1", "")
	s.Mine()
	alike("a contact that was paid", 0)
	testwallet.Must(t, s.Contacts.Remove(s.Ctx, s.Account("bobby").ID))
	alike("no contact, but paid", 1)
}

func TestReviewSaysWhatIsMissing(t *testing.T) {
	s := testwallet.Open(t, "alice")
	_, err := s.Payments.Prepare(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "12400", Asset: "DCT"}, txbuild.Transfer),
	)
	if e := faulttest.Refused(t, err, fault.InsufficientBalance); !strings.Contains(e.Message, "12400.00100000 DCT") {
		t.Errorf("without room for the fee it says %q", e.Message)
	}
	s.Prepare(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "12399.999", Asset: "DCT"})
	s.Prepare(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "12.5", Asset: "ALX.GOLD"})
	asset, fee, err := s.Build.TransferFee(s.Ctx)
	if err != nil || asset.Format(fee) != "0.00100000 DCT" {
		t.Errorf("a transfer costs %s, %v", asset.Format(fee), err)
	}
}

// What is on its way is not said to be paid.
func TestReviewSaysWhatIsOnItsWayAsNotDoneYet(t *testing.T) {
	s := testwallet.Open(t, "alice")
	_, err := s.Payments.Send(s.Ctx, s.Prepare(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "5", Asset: "DCT"}))
	testwallet.Must(t, err)
	for _, verb := range []string{" pays ", " paid "} { // before it is in a block, and then
		if r := review(s, "bobby", "5", ""); r.Repeats == nil || !strings.Contains(r.Repeats.Sentence, verb) {
			t.Errorf("%+v does not say that alice%sit", r.Repeats, verb)
		}
		s.Mine()
	}
}

// A payment counts as one before it is in a block, and once when it is.
func TestReviewCountsWhatIsOnItsWay(t *testing.T) {
	s := testwallet.Open(t, "alice")
	s.Pay("alice", "bobby", "5", "")
	for _, state := range []string{"on its way", "in a block"} {
		r := review(s, "bobby", "5", "")
		if r.FirstTime || len(r.New) != 0 || r.PaidBefore != 1 || r.Repeats == nil {
			t.Errorf("%s: first %v, %d before, repeats %+v", state, r.FirstTime, r.PaidBefore, r.Repeats)
		}
		if r := review(s, "bobby", "6", ""); r.Repeats != nil || r.PaidBefore != 1 {
			t.Errorf("%s, another amount: %+v", state, r)
		}
		if r := review(s, "carol", "5", ""); !r.FirstTime || len(r.New) != 1 || r.New[0].Name != "carol" {
			t.Errorf("%s, another recipient: %+v", state, r.New)
		}
		s.Mine()
	}
}

// A review of whatever gives something to another account names who gets it, and that it is new or repeated.
func TestReviewNamesWhoGetsSomethingElse(t *testing.T) {
	s := testwallet.Open(t, "alice")
	alice, bobby := s.Account("alice").ID, s.Account("bobby").ID
	vesting := func() ledger.Operation {
		return ledger.NewOperation(&ledger.VestingBalanceCreateOp{Creator: alice, Owner: bobby,
			Amount: ledger.AssetAmount{Amount: 100_0000_0000},
			Policy: ledger.VestingPolicy{Linear: &ledger.LinearVesting{VestingDurationSeconds: 86400}}})
	}
	permission := func() ledger.Operation {
		return ledger.NewOperation(&ledger.WithdrawPermissionCreateOp{WithdrawFromAccount: alice, AuthorizedAccount: bobby,
			WithdrawalLimit: ledger.AssetAmount{Amount: 5}, WithdrawalPeriodSec: 3600, PeriodsUntilExpiration: 3,
			PeriodStartTime: ledger.TimeOf(s.Build.Now().Add(time.Hour))})
	}
	look := func(op ledger.Operation) txbuild.Review {
		made, err := s.Payments.Prepare(s.Ctx, testwallet.Ready(op))
		testwallet.Must(t, err)
		return made.Review()
	}
	for name, op := range map[string]func() ledger.Operation{"vesting": vesting, "permission": permission} {
		r := look(op())
		if !r.FirstTime || len(r.Gets) != 1 || r.Gets[0].Name != "bobby" || len(r.New) != 1 || r.New[0] != r.Gets[0] || r.Repeats != nil {
			t.Errorf("%s: gets %v, new %v, repeats %v", name, r.Gets, r.New, r.Repeats)
		}
	}
	s.Send(vesting())
	for _, state := range []string{"on its way", "in a block"} {
		if r := look(vesting()); r.Repeats == nil {
			t.Errorf("%s: it repeats nothing", state)
		}
		s.Mine()
	}
}

// Keys of a brain key that can be guessed are warned of wherever the account is made.
func TestReviewSaysThatABrainKeyCanBeGuessed(t *testing.T) {
	s := testwallet.Open(t, "alice")
	for words, weak := range map[string]bool{"sunshine": true, "prison overlay unspeedy tomcod galei holmium dartle quirk": false} {
		made, err := s.Payments.Prepare(s.Ctx, txbuild.NewRequest("create_account_with_brain_key",
			txbuild.CreateAccountParams{BrainKey: words, Name: "newcomer", Registrar: "alice"}, txbuild.CreateAccount))
		testwallet.Must(t, err)
		if said := made.Review().Guessable; (said != "") != weak || strings.Contains(strings.ToLower(said), "sunshine") {
			t.Errorf("%q: %q", words, said)
		}
	}
}

// What is approved is large as what is signed: alone, and beside something small.
func TestWhatIsApprovedCanBeLarge(t *testing.T) {
	takes := func(amount int64) []txbuild.Outgoing {
		return []txbuild.Outgoing{{Amount: amount + 100_000, Fee: 100_000}}
	}
	large, small := txbuild.Review{Outgoing: takes(1000_0000_0000)}, txbuild.Review{Outgoing: takes(999_0000_0000)}
	for _, c := range []struct {
		r    txbuild.Review
		want bool
	}{
		{large, true}, {small, false},
		{txbuild.Review{Outgoing: takes(0), Approves: &large}, true}, {txbuild.Review{Outgoing: takes(0), Approves: &small}, false},
		{txbuild.Review{Approves: &txbuild.Review{Approves: &large}}, true},
	} {
		if got := payment.IsLarge(c.r); got != c.want {
			t.Errorf("%+v is large: %v", c.r, got)
		}
	}
}
