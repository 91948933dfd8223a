package walletcore_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

func TestTransferWithMemoReachesBothSides(t *testing.T) {
	s := testwallet.Open(t, "alice", "bobby")
	before := s.DCT("bobby")
	info := s.Pay("alice", "bobby", "12.5", "thank you")
	s.Mine()
	if got := s.DCT("bobby"); got != before+12_5000_0000 {
		t.Errorf("bobby has %d, want 12.5 DCT more than %d", got, before)
	}
	op, ok := info.Operations[0].Body.(*ledger.TransferObsoleteOp)
	if !ok || info.Operations[0].Code != 0 || len(info.Operations) != 1 {
		t.Fatalf("a transfer to an account is %+v", info.Operations)
	}
	for _, name := range []string{"alice", "bobby"} {
		if text, err := op.Memo.Decrypt(testwallet.Key(name)); err != nil || text != "thank you" {
			t.Errorf("%s reads %q, %v", name, text, err)
		}
		rows, err := s.History.Latest(s.Ctx, name, 1)
		testwallet.Must(t, err)
		want := "Transfer 12.50000000 DCT from alice to bobby (Fee: 0.00100000 DCT) -- Memo: thank you"
		if len(rows) != 1 || rows[0].Memo != "thank you" || rows[0].Description != want {
			t.Errorf("%s sees %d rows, first %q with memo %q, want %q", name, len(rows), rows[0].Description, rows[0].Memo, want)
		}
	}
}

func TestPlainMemoIsReadableByAnyone(t *testing.T) {
	s := testwallet.Open(t, "alice")
	info, err := s.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer",
			txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "1.3.0", Memo: "for all", Plain: true}, txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
	testwallet.Must(t, err)
	if text, plain, err := info.Operations[0].Memo().Plain(); !plain || err != nil || text != "for all" {
		t.Errorf("the memo is %q, plain %v, %v", text, plain, err)
	}
}

// The amounts that people and scripts get wrong, with their errors.
func TestTransferAmounts(t *testing.T) {
	s := testwallet.Open(t, "alice")
	for _, c := range []struct {
		text, asset string
		want        int64
		code        fault.Code
	}{
		{"12.5", "DCT", 12_5000_0000, ""}, {"1.", "DCT", 1_0000_0000, ""}, {".5", "DCT", 5000_0000, ""},
		{"0.00000001", "DCT", 1, ""}, {"001", "DCT", 1_0000_0000, ""}, {"1.100000000000", "DCT", 1_1000_0000, ""},
		{"1", "ALX.GOLD", 1_0000, ""}, {"7", "SHOPPOINT", 7, ""}, {"1", "1.3.00", 0, fault.NoSuchAsset},
		{"-1", "DCT", 0, fault.InvalidOperation}, {"0", "DCT", 0, fault.InvalidOperation}, {"0.000", "DCT", 0, fault.InvalidOperation},
		{"1e5", "DCT", 0, fault.BadAmount}, {"1.123456789", "DCT", 0, fault.BadAmount}, {"1.5", "SHOPPOINT", 0, fault.BadAmount},
		{"99999999999999999999", "DCT", 0, fault.AmountOverflow}, {"73197776", "DCT", 0, fault.AmountLimit},
		{"abc", "DCT", 0, fault.BadAmount}, {"", "DCT", 0, fault.InvalidOperation}, {".", "DCT", 0, fault.InvalidOperation},
		{"1,5", "DCT", 0, fault.BadAmount}, {" 1", "DCT", 0, fault.BadAmount}, {"+1", "DCT", 0, fault.BadAmount}, {"0x10", "DCT", 0, fault.BadAmount},
	} {
		t.Run(c.text+" "+c.asset, func(t *testing.T) {
			info, err := s.Payments.Spend(
				s.Ctx,
				txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: c.text, Asset: c.asset},
					txbuild.Transfer),
				payment.Sending{},
			)
			if c.code != "" {
				faulttest.Refused(t, err, c.code)
				return
			}
			testwallet.Must(t, err)
			if got := info.Operations[0].Body.(*ledger.TransferObsoleteOp).Amount.Amount; got != c.want {
				t.Errorf("%q is %d, want %d", c.text, got, c.want)
			}
		})
	}
}

func TestTransferRefusals(t *testing.T) {
	s := testwallet.Open(t, "alice")
	good := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "canary memo"}
	for name, c := range map[string]struct {
		change func(*txbuild.TransferParams)
		code   fault.Code
	}{
		"unknown sender":      {func(r *txbuild.TransferParams) { r.From = "nobody" }, fault.NoSuchAccount},
		"no sender":           {func(r *txbuild.TransferParams) { r.From = "" }, fault.EmptyAccount},
		"unknown recipient":   {func(r *txbuild.TransferParams) { r.To = "nobody" }, fault.NoSuchRecipient},
		"unknown id":          {func(r *txbuild.TransferParams) { r.To = "1.2.4000" }, fault.NoSuchRecipient},
		"no recipient":        {func(r *txbuild.TransferParams) { r.To = "" }, fault.NoSuchRecipient},
		"unknown content":     {func(r *txbuild.TransferParams) { r.To = "2.13.7" }, fault.NoSuchRecipient},
		"an asset's id":       {func(r *txbuild.TransferParams) { r.To = "1.3.0" }, fault.NoSuchRecipient},
		"unknown asset":       {func(r *txbuild.TransferParams) { r.Asset = "GOLD" }, fault.NoSuchAsset},
		"unknown asset id":    {func(r *txbuild.TransferParams) { r.Asset = "1.3.99" }, fault.NoSuchAsset},
		"no asset":            {func(r *txbuild.TransferParams) { r.Asset = "" }, fault.EmptyAsset},
		"to oneself":          {func(r *txbuild.TransferParams) { r.To = "alice" }, fault.InvalidOperation},
		"foreign memo key":    {func(r *txbuild.TransferParams) { r.From = "carol" }, fault.KeyNotInWallet},
		"missing authority":   {func(r *txbuild.TransferParams) { r.From, r.Memo = "carol", "" }, fault.MissingAuthority},
		"more than there is":  {func(r *txbuild.TransferParams) { r.Amount = "50000000" }, fault.InsufficientBalance},
		"asset not held":      {func(r *txbuild.TransferParams) { r.Asset = "SHOPPOINT" }, fault.InsufficientBalance},
		"hostile account":     {func(r *txbuild.TransferParams) { r.To = "\x1b[2J" + strings.Repeat("x", 5000) }, fault.NoSuchRecipient},
		"null bytes in asset": {func(r *txbuild.TransferParams) { r.Asset = "D\x00CT" }, fault.NoSuchAsset},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			c.change(&req)
			_, err := s.Transfer(req, payment.Sending{Broadcast: true})
			text := faulttest.Refused(t, err, c.code).Error()
			if strings.Contains(text, "canary") || strings.Contains(text, "\x1b") || len(text) > 600 {
				t.Errorf("the error shows too much: %q", text)
			}
		})
	}
	if id := s.Mine(); id.Num() == 0 || s.DCT("bobby") != 830_0000_0000 {
		t.Errorf("something was paid: bobby has %d", s.DCT("bobby"))
	}
}

// The same payment requested twice is two payments: their ids differ, whether or not
// the first was sent.
func TestEqualTransfersHaveDifferentIDs(t *testing.T) {
	s := testwallet.Open(t, "alice")
	seen := map[ledger.TransactionID]bool{}
	req := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}
	for _, broadcast := range []bool{false, true, false, true, true} {
		info, err := s.Transfer(req, payment.Sending{Broadcast: broadcast})
		testwallet.Must(t, err)
		if id, err := info.ID(); err != nil || id != info.TransactionID || seen[id] {
			t.Errorf("%s: repeated %v, %v", id, seen[id], err)
		}
		seen[info.TransactionID] = true
	}
	s.Mine()
	if got := s.DCT("bobby"); got != 833_0000_0000 {
		t.Errorf("bobby has %d, want three payments", got)
	}
}

func TestRegisterAccount(t *testing.T) {
	s := testwallet.Open(t, "alice")
	owner, active := ledger.DeriveKey("new owner", 0), ledger.DeriveKey("new active", 0)
	register := func(name, registrar string, broadcast bool) error {
		_, err := s.Payments.Spend(
			s.Ctx,
			txbuild.NewRequest("register_account",
				txbuild.RegisterAccountParams{Name: name, Owner: owner.Public(), Active: active.Public(), Registrar: registrar},
				txbuild.RegisterAccount),
			payment.Sending{Broadcast: broadcast},
		)
		return err
	}
	faulttest.Refused(t, register("bobby", "alice", true), fault.AccountExists)
	faulttest.Refused(t, register("Not A Name", "alice", true), fault.InvalidOperation)
	faulttest.Refused(t, register("newcomer", "nobody", true), fault.NoSuchAccount)
	faulttest.Refused(t, register("newcomer", "carol", true), fault.MissingAuthority)
	testwallet.Must(t, register("newcomer", "alice", false))
	s.Mine()
	_, err := s.View.Accounts.Get(s.Ctx, "newcomer")
	faulttest.Refused(t, err, fault.NoSuchAccount)
	testwallet.Must(t, register("newcomer", "alice", true))
	s.Mine()
	a := s.Account("newcomer")
	if !a.Owner.HasKey(owner.Public()) || !a.Active.HasKey(active.Public()) || a.Options.MemoKey != active.Public() ||
		a.Registrar != s.Account("alice").ID {
		t.Errorf("the account is %+v", a)
	}
	belongs, err := s.Import.ImportSingleKey(s.Ctx, "newcomer", active.WIF())
	if err != nil || !belongs {
		t.Errorf("its active key: %v, %v", belongs, err)
	}
}

func TestContentIsPaidWithTheOtherOperation(t *testing.T) {
	s, r, _ := testwallet.OpenBehindRelay(t)
	carol := s.Account("carol")
	content := `[{"id":"2.13.5","author":"` + carol.ID.String() + `"}]`
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string { return strings.Replace(answer, `"result":[null]`, `"result":`+content, 1) }
	})
	info, err := s.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "2.13.5", Amount: "1", Asset: "DCT", Memo: "for the author"},
			txbuild.Transfer),
		payment.Sending{},
	)
	testwallet.Must(t, err)
	op, ok := info.Operations[0].Body.(*ledger.TransferOp)
	if !ok || info.Operations[0].Code != ledger.CodeTransfer || op.To != ledger.NewObjectID(2, 13, 5) {
		t.Fatalf("the operation is %+v", info.Operations[0])
	}
	if text, err := op.Memo.Decrypt(testwallet.Key("carol")); err != nil || text != "for the author" {
		t.Errorf("the author reads %q, %v", text, err)
	}
	review := s.Prepare(txbuild.TransferParams{From: "alice", To: "2.13.5", Amount: "1", Asset: "DCT"}).Review()
	if review.Operation != "transfer (39)" || review.To.Name != "" || review.ToObject != op.To {
		t.Errorf("the review says %q to %+v %s", review.Operation, review.To, review.ToObject)
	}
}

// A transaction too large for any block is refused before it is signed, and does not affect other payments.
func TestTooLargeTransactionIsNotSigned(t *testing.T) {
	s := testwallet.Open(t, "alice")
	for _, broadcast := range []bool{true, false} {
		_, err := s.Payments.Spend(s.Ctx, txbuild.NewRequest("transfer",
			txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: strings.Repeat("x", 70_000)}, txbuild.Transfer),
			payment.Sending{Broadcast: broadcast})
		if text := faulttest.Refused(t, err, fault.BadValue).Error(); !strings.Contains(text, "takes less than 4096") {
			t.Error(text)
		}
	}
	s.Pay("alice", "bobby", "1", "")
}

// The fee limit is that of a transaction: many fees below it may exceed it together.
func TestFeeLimitAppliesToTheSum(t *testing.T) {
	s := testwallet.Open(t, "alice")
	var ops []ledger.Operation
	known := func(name string) ledger.AccountID {
		account, err := s.View.Accounts.Get(s.Ctx, name)
		testwallet.Must(t, err)
		return account.ID
	}
	for range 5 {
		op := ledger.NewOperation(&ledger.TransferObsoleteOp{From: known("alice"), To: known("bobby"),
			Amount: ledger.AssetAmount{Amount: 1}})
		op.Fee().Amount = 6000_0000
		ops = append(ops, op)
	}
	send := func(ops []ledger.Operation) error {
		_, err := s.Payments.Spend(s.Ctx, txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: ops}, txbuild.Operations),
			payment.Sending{})
		return err
	}
	testwallet.Must(t, send(ops[:1]))
	text := faulttest.Refused(t, send(ops), fault.FeeTooHigh).Error()
	if !strings.Contains(text, "the transaction offers fees of 3.00000000 DCT") {
		t.Error(text)
	}
}
