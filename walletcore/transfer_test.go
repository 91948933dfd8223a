package walletcore

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

func TestTransferWithMemoReachesBothSides(t *testing.T) {
	s := open(t, "alice", "bobby")
	before := s.dct("bobby")
	info := s.pay("alice", "bobby", "12.5", "thank you")
	s.mine()
	if got := s.dct("bobby"); got != before+12_5000_0000 {
		t.Errorf("bobby has %d, want 12.5 DCT more than %d", got, before)
	}
	op, ok := info.Operations[0].Body.(*ledger.TransferObsoleteOp)
	if !ok || info.Operations[0].Code != 0 || len(info.Operations) != 1 {
		t.Fatalf("a transfer to an account is %+v", info.Operations)
	}
	for _, name := range []string{"alice", "bobby"} {
		if text, err := op.Memo.Decrypt(keyOf(name)); err != nil || text != "thank you" {
			t.Errorf("%s reads %q, %v", name, text, err)
		}
		rows, err := s.wallet.History.Latest(s.ctx, name, 1)
		must(t, err)
		want := "Transfer 12.50000000 DCT from alice to bobby (Fee: 0.00100000 DCT) -- Memo: thank you"
		if len(rows) != 1 || rows[0].Memo != "thank you" || rows[0].Description != want {
			t.Errorf("%s sees %d rows, first %q with memo %q, want %q", name, len(rows), rows[0].Description, rows[0].Memo, want)
		}
	}
}

func TestPlainMemoIsReadableByAnyone(t *testing.T) {
	s := open(t, "alice")
	info, err := s.wallet.Payments.Spend(
		s.ctx,
		build.NewRequest("transfer",
			build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "1.3.0", Memo: "for all", Plain: true}, build.Transfer),
		payment.Sending{Broadcast: true},
	)
	must(t, err)
	if text, plain, err := info.Operations[0].Memo().Plain(); !plain || err != nil || text != "for all" {
		t.Errorf("the memo is %q, plain %v, %v", text, plain, err)
	}
}

// The amounts that people and scripts get wrong, with what each is told.
func TestTransferAmounts(t *testing.T) {
	s := open(t, "alice")
	for _, c := range []struct {
		text, asset string
		want        int64
		code        fault.Code
	}{
		{"12.5", "DCT", 12_5000_0000, ""}, {"1.", "DCT", 1_0000_0000, ""}, {".5", "DCT", 5000_0000, ""},
		{"0.00000001", "DCT", 1, ""}, {"001", "DCT", 1_0000_0000, ""}, {"1.100000000000", "DCT", 1_1000_0000, ""},
		{"1", "ALX.GOLD", 1_0000, ""}, {"7", "SHOPPOINT", 7, ""},
		{"-1", "DCT", 0, fault.InvalidOperation}, {"0", "DCT", 0, fault.InvalidOperation}, {"0.000", "DCT", 0, fault.InvalidOperation},
		{"1e5", "DCT", 0, fault.BadAmount}, {"1.123456789", "DCT", 0, fault.BadAmount}, {"1.5", "SHOPPOINT", 0, fault.BadAmount},
		{"99999999999999999999", "DCT", 0, fault.AmountOverflow}, {"73197776", "DCT", 0, fault.AmountLimit},
		{"abc", "DCT", 0, fault.BadAmount}, {"", "DCT", 0, fault.InvalidOperation}, {".", "DCT", 0, fault.InvalidOperation},
		{"1,5", "DCT", 0, fault.BadAmount}, {" 1", "DCT", 0, fault.BadAmount}, {"+1", "DCT", 0, fault.BadAmount}, {"0x10", "DCT", 0, fault.BadAmount},
	} {
		t.Run(c.text+" "+c.asset, func(t *testing.T) {
			info, err := s.wallet.Payments.Spend(
				s.ctx,
				build.NewRequest("transfer", build.TransferParams{From: "alice", To: "bobby", Amount: c.text, Asset: c.asset},
					build.Transfer),
				payment.Sending{},
			)
			if c.code != "" {
				refused(t, err, c.code)
				return
			}
			must(t, err)
			if got := info.Operations[0].Body.(*ledger.TransferObsoleteOp).Amount.Amount; got != c.want {
				t.Errorf("%q is %d, want %d", c.text, got, c.want)
			}
		})
	}
}

func TestTransferRefusals(t *testing.T) {
	s := open(t, "alice")
	good := build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "canary memo"}
	for name, c := range map[string]struct {
		change func(*build.TransferParams)
		code   fault.Code
	}{
		"unknown sender":      {func(r *build.TransferParams) { r.From = "nobody" }, fault.NoSuchAccount},
		"no sender":           {func(r *build.TransferParams) { r.From = "" }, fault.EmptyAccount},
		"unknown recipient":   {func(r *build.TransferParams) { r.To = "nobody" }, fault.NoSuchRecipient},
		"unknown id":          {func(r *build.TransferParams) { r.To = "1.2.4000" }, fault.NoSuchRecipient},
		"no recipient":        {func(r *build.TransferParams) { r.To = "" }, fault.NoSuchRecipient},
		"unknown content":     {func(r *build.TransferParams) { r.To = "2.13.7" }, fault.NoSuchRecipient},
		"an asset's id":       {func(r *build.TransferParams) { r.To = "1.3.0" }, fault.NoSuchRecipient},
		"unknown asset":       {func(r *build.TransferParams) { r.Asset = "GOLD" }, fault.NoSuchAsset},
		"unknown asset id":    {func(r *build.TransferParams) { r.Asset = "1.3.99" }, fault.NoSuchAsset},
		"no asset":            {func(r *build.TransferParams) { r.Asset = "" }, fault.EmptyAsset},
		"to oneself":          {func(r *build.TransferParams) { r.To = "alice" }, fault.InvalidOperation},
		"foreign memo key":    {func(r *build.TransferParams) { r.From = "carol" }, fault.KeyNotInWallet},
		"missing authority":   {func(r *build.TransferParams) { r.From, r.Memo = "carol", "" }, fault.MissingAuthority},
		"more than there is":  {func(r *build.TransferParams) { r.Amount = "50000000" }, fault.InsufficientBalance},
		"asset not held":      {func(r *build.TransferParams) { r.Asset = "SHOPPOINT" }, fault.InsufficientBalance},
		"hostile account":     {func(r *build.TransferParams) { r.To = "\x1b[2J" + strings.Repeat("x", 5000) }, fault.NoSuchRecipient},
		"null bytes in asset": {func(r *build.TransferParams) { r.Asset = "D\x00CT" }, fault.NoSuchAsset},
	} {
		t.Run(name, func(t *testing.T) {
			req := good
			c.change(&req)
			_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer), payment.Sending{Broadcast: true})
			text := refused(t, err, c.code).Error()
			if strings.Contains(text, "canary") || strings.Contains(text, "\x1b") || len(text) > 600 {
				t.Errorf("the error shows too much: %q", text)
			}
		})
	}
	if id := s.mine(); id.Num() == 0 || s.dct("bobby") != 830_0000_0000 {
		t.Errorf("something was paid: bobby has %d", s.dct("bobby"))
	}
}

// The same payment asked for twice is two payments: their ids differ, whether
// the first was sent or not.
func TestEqualTransfersHaveDifferentIDs(t *testing.T) {
	s := open(t, "alice")
	seen := map[ledger.TransactionID]bool{}
	req := build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}
	for _, broadcast := range []bool{false, true, false, true, true} {
		info, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer),
			payment.Sending{Broadcast: broadcast})
		must(t, err)
		if id, err := info.ID(); err != nil || id != info.TransactionID || seen[id] {
			t.Errorf("%s: repeated %v, %v", id, seen[id], err)
		}
		seen[info.TransactionID] = true
	}
	s.mine()
	if got := s.dct("bobby"); got != 833_0000_0000 {
		t.Errorf("bobby has %d, want three payments", got)
	}
}

func TestRegisterAccount(t *testing.T) {
	s := open(t, "alice")
	owner, active := ledger.DeriveKey("new owner", 0), ledger.DeriveKey("new active", 0)
	register := func(name, registrar string, broadcast bool) error {
		_, err := s.wallet.Payments.Spend(
			s.ctx,
			build.NewRequest("register_account",
				build.RegisterAccountParams{Name: name, Owner: owner.Public(), Active: active.Public(), Registrar: registrar},
				build.RegisterAccount),
			payment.Sending{Broadcast: broadcast},
		)
		return err
	}
	refused(t, register("bobby", "alice", true), fault.AccountExists)
	refused(t, register("Not A Name", "alice", true), fault.InvalidOperation)
	refused(t, register("newcomer", "nobody", true), fault.NoSuchAccount)
	refused(t, register("newcomer", "carol", true), fault.MissingAuthority)
	must(t, register("newcomer", "alice", false))
	s.mine()
	_, err := s.wallet.View.Accounts.Get(s.ctx, "newcomer")
	refused(t, err, fault.NoSuchAccount)
	must(t, register("newcomer", "alice", true))
	s.mine()
	a := s.account("newcomer")
	if !a.Owner.HasKey(owner.Public()) || !a.Active.HasKey(active.Public()) || a.Options.MemoKey != active.Public() ||
		a.Registrar != s.account("alice").ID {
		t.Errorf("the account is %+v", a)
	}
	belongs, err := s.wallet.Import.ImportSingleKey(s.ctx, "newcomer", active.WIF())
	if err != nil || !belongs {
		t.Errorf("its active key: %v, %v", belongs, err)
	}
}
