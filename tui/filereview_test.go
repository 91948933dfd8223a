package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// reviewFile returns the wallet's review page for a file with the operations.
func reviewFile(w *testwallet.Wallet, ops ...ledger.Operation) review.Page {
	w.T.Helper()
	_, page, err := tui.FileReview(w.Ctx, w.Wallet, fileOf(w, ops...))
	testwallet.Must(w.T, err)
	return page
}

// fileOf returns a file with the operations, as anybody could make it; operations without a fee get a small one.
func fileOf(w *testwallet.Wallet, ops ...ledger.Operation) *cosign.File {
	w.T.Helper()
	for _, op := range ops {
		if op.Fee().Amount == 0 {
			op.Fee().Amount = 100_000
		}
	}
	tx, err := w.Build.Unsigned(w.Ctx, ops, 3600)
	testwallet.Must(w.T, err)
	file, err := cosign.New(w.View.Pins.Chain(), ledger.SignedTransaction{Transaction: tx}, cosign.Hints{Depth: 2})
	testwallet.Must(w.T, err)
	return file
}

// wants returns the texts that must be typed, in order.
func wants(page review.Page) (out []string) {
	for _, one := range page.Remaining() {
		out = append(out, one.Want)
	}
	return out
}

// lookalike registers an account whose active key is alice's and whose owner key is bobby's.
func lookalike(w *testwallet.Wallet) *ledger.Account {
	w.T.Helper()
	own, his := testwallet.Key("alice").Public(), testwallet.Key("bobby").Public()
	w.Send(ledger.NewOperation(&ledger.AccountCreateOp{Registrar: w.Account("alice").ID, Name: "alice-backup-safe",
		Owner: ledger.SingleKeyAuthority(his), Active: ledger.SingleKeyAuthority(own), Options: ledger.NewAccountOptions(own)}))
	w.Mine()
	return w.Account("alice-backup-safe")
}

// Whoever has the owner key of an account in an authority can act through it, whoever has its active key.
func TestOwnerOfAnAuthorityAccountCanAct(t *testing.T) {
	w := testwallet.Open(t, "alice")
	safe, alice := lookalike(w), w.Account("alice").ID
	alone := ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: safe.ID, Weight: 1}}}
	beside := alone
	beside.KeyAuths = ledger.SingleKeyAuthority(testwallet.Key("alice").Public()).KeyAuths
	for name, op := range map[string]*ledger.AccountUpdateOp{
		"owner and active": {Account: alice, Owner: &alone, Active: &alone},
		"active":           {Account: alice, Active: &alone},
		"beside a key":     {Account: alice, Owner: &beside},
	} {
		page := reviewFile(w, ledger.NewOperation(op))
		if text := sheet(page.Shown); !slices.Contains(wants(page), "alice") || strings.Contains(text, "this wallet suffice") ||
			!strings.Contains(text, "others can act for alice-backup-safe "+safe.ID.String()) {
			t.Errorf("%s: asked %q\n%s", name, wants(page), text)
		}
	}
	own := ledger.SingleKeyAuthority(testwallet.Key("alice").Public())
	taken := ledger.SingleKeyAuthority(testwallet.Key("bobby").Public())
	w.Send(ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Active: &ledger.Authority{WeightThreshold: 1, KeyAuths: own.KeyAuths,
		AccountAuths: []ledger.AccountWeight{{Account: w.Account("carol").ID, Weight: 1}}}}))
	w.Mine()
	page := reviewFile(w, ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Active: &ledger.Authority{WeightThreshold: 1,
		KeyAuths: append(taken.KeyAuths, own.KeyAuths...)}}))
	if !slices.Contains(wants(page), "alice") {
		t.Errorf("another takes the place of carol beside alice: asked %q", wants(page))
	}
}

// sheet returns everything that a review shows, one row per line.
func sheet(r txbuild.Review) string {
	var out strings.Builder
	for _, row := range review.RowsOf(screen.Env{}, r) {
		out.WriteString(row.Label + " " + row.Line.String() + "\n")
	}
	return out.String()
}

// What is proposed and approved in one transaction is judged as if it were done, and an approval of what cannot be read is not signed.
func TestProposalApprovedInTheSameTransactionIsJudged(t *testing.T) {
	w := testwallet.Open(t, "alice")
	alice, carol := w.Account("alice").ID, w.Account("carol").ID
	transfer := ledger.NewOperation(&ledger.TransferOp{From: alice, To: carol.Object(), Amount: ledger.AssetAmount{Amount: 5000_0000_0000}})
	propose := func() ledger.Operation {
		return ledger.NewOperation(&ledger.ProposalCreateOp{FeePayingAccount: alice, ExpirationTime: ledger.TimeOf(w.Build.Now()) + 7200,
			ProposedOps: []ledger.ProposedOperation{{Op: transfer}}})
	}
	approve := func(id ledger.ProposalID, key bool) ledger.Operation {
		op := &ledger.ProposalUpdateOp{FeePayingAccount: alice, Proposal: id}
		if key {
			op.KeyApprovalsToAdd = []ledger.PublicKey{testwallet.Key("alice").Public()}
		} else {
			op.ActiveApprovalsToAdd = []ledger.AccountID{alice}
		}
		return ledger.NewOperation(op)
	}
	for _, key := range []bool{false, true} {
		page := reviewFile(w, propose(), approve(0, key))
		if got := wants(page); !slices.Contains(got, carol.String()) || !slices.Contains(got, "5000") {
			t.Errorf("by a key %v: asked %q", key, got)
		}
		env := screen.Env{Status: w.Status(), Now: w.Build.Now()}
		if page.Shown.Readable() == nil || !strings.Contains(page.Blocked(env), "cannot be read") {
			t.Errorf("by a key %v: the approval of what is not there is signed", key)
		}
		_, err := w.Payments.Spend(w.Ctx, testwallet.Ready(propose(), approve(0, key)), payment.Sending{Broadcast: true})
		if fault.CodeOf(err) != fault.NoSuchProposal {
			t.Errorf("by a key %v, for a program: %v", key, err)
		}
	}
	w.Send(propose())
	w.Mine()
	if page := reviewFile(w, approve(0, false)); page.Shown.Readable() != nil || !slices.Contains(wants(page), carol.String()) {
		t.Errorf("once it is there: %v, asked %q", page.Shown.Readable(), wants(page))
	}
}

// A payment beside the approval of the same payment is judged with it: both are the same, and what both take counts together.
func TestOperationsBesideAnApprovalAreJudgedWithIt(t *testing.T) {
	w := testwallet.Open(t, "alice")
	alice, carol := w.Account("alice").ID, w.Account("carol").ID
	pays := func() ledger.Operation {
		return ledger.NewOperation(&ledger.TransferOp{From: alice, To: carol.Object(), Amount: ledger.AssetAmount{Amount: 600_0000_0000}})
	}
	fund := pays()
	fund.Body.(*ledger.TransferOp).Amount.Amount = 1_0000_0000
	w.Send(fund)
	id := createProposal(w, pays())
	page := reviewFile(w, approvalOf(alice, id), pays())
	if got := wants(page); !slices.Contains(got, "1200.003") || len(got) != 1 {
		t.Errorf("asked %q", got)
	}
	if text := lines(&page); !strings.Contains(text, "more than once in it") ||
		strings.Count(text, "Takes") != 1 || !strings.Contains(text, "Takes 1,200.00300000 DCT from alice") {
		t.Error(text)
	}
}

// An account that an approved proposal gives away no longer counts as this wallet's, whichever of the two operations is done first.
func TestAccountGivenAwayByAnApprovalIsNotReliedOn(t *testing.T) {
	w := testwallet.Open(t, "alice")
	own, his := testwallet.Key("alice").Public(), testwallet.Key("bobby").Public()
	w.Send(ledger.NewOperation(&ledger.AccountCreateOp{Registrar: w.Account("alice").ID, Name: "alice-two",
		Owner: ledger.SingleKeyAuthority(own), Active: ledger.SingleKeyAuthority(own), Options: ledger.NewAccountOptions(own)}))
	w.Mine()
	alice, two := w.Account("alice").ID, w.Account("alice-two").ID
	taken, kept := ledger.SingleKeyAuthority(his), ledger.SingleKeyAuthority(own)
	byTwo := ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: two, Weight: 1}}}
	rests := func() ledger.Operation {
		return ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Owner: &byTwo, Active: &byTwo})
	}
	give := ledger.NewOperation(&ledger.AccountUpdateOp{Account: two, Owner: &taken, Active: &taken})
	keep := ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Owner: &kept, Active: &kept})
	owns := approvalOf(w.Account("bobby").ID, createProposal(w, give, keep))
	is := owns.Body.(*ledger.ProposalUpdateOp)
	is.ActiveApprovalsToAdd, is.OwnerApprovalsToAdd = nil, []ledger.AccountID{two}
	for name, ops := range map[string][]ledger.Operation{"approved first": {owns, rests()}, "approved last": {rests(), owns}} {
		page := reviewFile(w, ops...)
		if got := wants(page); !slices.Contains(got, "alice") || !slices.Contains(got, "alice-two") {
			t.Errorf("%s: asked %q", name, got)
		}
		if text := lines(&page); strings.Contains(text, "wallet suffice for the new one") {
			t.Errorf("%s\n%s", name, text)
		}
	}
}

// createProposal puts the first proposal on the ledger, made by bobby, and returns its id.
func createProposal(w *testwallet.Wallet, ops ...ledger.Operation) ledger.ProposalID {
	w.T.Helper()
	create := &ledger.ProposalCreateOp{FeePayingAccount: w.Account("bobby").ID, ExpirationTime: ledger.TimeOf(w.Build.Now()) + 7200}
	for _, op := range ops {
		op.Fee().Amount = 100_000
		create.ProposedOps = append(create.ProposedOps, ledger.ProposedOperation{Op: op})
	}
	bobby := testwallet.On(w.T, w.Box, w.Box.URL(), nil)
	bobby.Hold("bobby")
	bobby.Send(ledger.NewOperation(create))
	w.Mine()
	return 0
}

// approvalOf returns the operation that approves a proposal with the active authority.
func approvalOf(by ledger.AccountID, id ledger.ProposalID) ledger.Operation {
	return ledger.NewOperation(&ledger.ProposalUpdateOp{FeePayingAccount: by, Proposal: id, ActiveApprovalsToAdd: []ledger.AccountID{by}})
}

// lines returns what a page shows, one row per line.
func lines(p *review.Page) string {
	var out strings.Builder
	for _, row := range p.Rows(screen.Env{}) {
		out.WriteString(row.Label + " " + row.Line.String() + "\n")
	}
	return out.String()
}

// The issuer of an asset gets what is paid into its pools; if it is not known who sells something, the whole amount must be typed.
func TestPaymentToAnUnnamedAccountNeedsConfirmation(t *testing.T) {
	w := testwallet.Open(t, "alice")
	w.Furnish()
	w.Mine()
	art, err := w.View.Assets.Get(w.Ctx, "ART")
	testwallet.Must(t, err)
	payer := testwallet.On(t, w.Box, w.Box.URL(), nil)
	payer.Hold("bobby")
	bobby, issuer := w.Account("bobby").ID, w.Account("alice").ID.String()
	page := reviewFile(payer, ledger.NewOperation(&ledger.AssetFundPoolsOp{FromAccount: bobby,
		UIAAsset: ledger.AssetAmount{AssetID: art.ID}, DCTAsset: ledger.AssetAmount{Amount: 900_0000_0000}}))
	if text := sheet(page.Shown); !slices.Contains(wants(page), issuer) || !strings.Contains(text, "belong to alice ("+issuer+")") {
		t.Errorf("asked %q\n%s", wants(page), text)
	}
	page = reviewFile(payer, ledger.NewOperation(&ledger.RequestToBuyOp{Fee: ledger.AssetAmount{Amount: 1}, Consumer: bobby,
		URI: "https://content.example/x", Price: ledger.AssetAmount{Amount: 900_0000_0000}}))
	if text := sheet(page.Shown); !slices.Contains(wants(page), "900.00000001") || !strings.Contains(text, "is not known here") {
		t.Errorf("asked %q\n%s", wants(page), text)
	}
}

// The confirmations for an operation alone are also required beside any other operation, and graver ones come first.
func TestFurtherOperationsRemoveNoConfirmation(t *testing.T) {
	w := testwallet.Open(t, "alice")
	w.Furnish()
	w.Mine()
	art, err := w.View.Assets.Get(w.Ctx, "ART")
	testwallet.Must(t, err)
	pay := func(to string, amount int64, of ledger.AssetID) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferOp{From: w.Account("alice").ID, To: w.Account(to).ID.Object(),
			Amount: ledger.AssetAmount{Amount: amount, AssetID: of}})
	}
	alone := wants(reviewFile(w, pay("carol", 2_0000, art.ID)))
	beside := wants(reviewFile(w, pay("carol", 1, 0), pay("carol", 2_0000, art.ID)))
	if len(alone) != 1 || !strings.HasPrefix(alone[0], "1.2.") || len(beside) != 3 || beside[0] != "2" || beside[1] != alone[0] {
		t.Errorf("alone %q, beside dust %q", alone, beside)
	}
	paid := w.Account("miner-a").ID.String()
	ops := []ledger.Operation{pay("miner-a", 60_0000_0000, 0)}
	for _, dust := range []string{"carol", "faucet", "miner-b", "miner-c"} {
		ops = append(ops, pay(dust, 1, art.ID))
	}
	if got := wants(reviewFile(w, ops...)); !slices.Contains(got, paid) {
		t.Errorf("%s gets 60 DCT beside dust for others: asked %q", paid, got)
	}
}

// A node that reports that an own account already has the new keys is not believed: the account's name must be typed.
func TestNodeCannotRemoveAConfirmation(t *testing.T) {
	w := testwallet.Open(t, "alice")
	alice, before := w.Account("alice").ID, w.Account("alice")
	taken := ledger.SingleKeyAuthority(testwallet.Key("bobby").Public())
	memo := ledger.NewAccountOptions(testwallet.Key("alice").Public())
	own := ledger.SingleKeyAuthority(testwallet.Key("alice").Public())
	both := ledger.Authority{WeightThreshold: 1, KeyAuths: append(taken.KeyAuths, own.KeyAuths...)}
	testwallet.Must(t, w.View.Pins.AcceptKeys(w.Ctx, before))
	w.Send(ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Active: &both}))
	w.Mine() // from now on the node reports the keys that the operation sets
	page := reviewFile(w, ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Active: &both}))
	if got := wants(page); !slices.Contains(got, "alice") || !slices.Contains(got, "changed") {
		t.Errorf("asked %q\n%s", got, sheet(page.Shown))
	}
	page = reviewFile(w, ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Owner: &own, NewOptions: &memo}))
	if got := wants(page); len(got) > 0 {
		t.Errorf("nothing changes, but %q is asked", got)
	}
}

// A new signer in an authority may be in somebody else's hands, too, although the wallet has it: the account's name must be typed.
func TestNewSignerInAnAuthorityNeedsConfirmation(t *testing.T) {
	w := testwallet.Open(t, "alice", "bobby")
	alice := w.Account("alice").ID
	own := ledger.SingleKeyAuthority(testwallet.Key("alice").Public())
	shared := ledger.SingleKeyAuthority(testwallet.Key("bobby").Public())
	heavier := own
	heavier.WeightThreshold, heavier.KeyAuths = 2, []ledger.KeyWeight{{Key: own.KeyAuths[0].Key, Weight: 2}}
	through := ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: w.Account("bobby").ID, Weight: 1}}}
	for name, c := range map[string]struct {
		op   *ledger.AccountUpdateOp
		asks bool
	}{
		"another key of the wallet":      {&ledger.AccountUpdateOp{Account: alice, Owner: &shared, Active: &shared}, true},
		"another account of the wallet":  {&ledger.AccountUpdateOp{Account: alice, Active: &through}, true},
		"the same key with more weight":  {&ledger.AccountUpdateOp{Account: alice, Active: &heavier}, false},
		"the same key in the other role": {&ledger.AccountUpdateOp{Account: alice, Owner: &heavier, Active: &heavier}, false},
	} {
		page := reviewFile(w, ledger.NewOperation(c.op))
		if got := wants(page); slices.Contains(got, "alice") != c.asks {
			t.Errorf("%s: asked %q\n%s", name, got, lines(&page))
		}
	}
}

// Whoever gets an account also gets the accounts that depend on it: they are named, and their names must be typed.
func TestAccountsThatDependOnOneGivenAwayNeedConfirmation(t *testing.T) {
	w := testwallet.Open(t, "alice")
	own, his := testwallet.Key("alice").Public(), testwallet.Key("bobby").Public()
	register := func(name string, a ledger.Authority) ledger.AccountID {
		w.Send(ledger.NewOperation(&ledger.AccountCreateOp{Registrar: w.Account("alice").ID, Name: name, Owner: a, Active: a,
			Options: ledger.NewAccountOptions(own)}))
		w.Mine()
		testwallet.Must(t, w.Import.Watch(w.Ctx, name))
		return w.Account(name).ID
	}
	by := func(id ledger.AccountID) ledger.Authority {
		return ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: id, Weight: 1}}}
	}
	hot := register("alice-hot", ledger.SingleKeyAuthority(own))
	strangers := make([]ledger.Operation, 40)
	for i := range strangers { // strangers who name it in their authorities must hide nobody
		strangers[i] = ledger.NewOperation(&ledger.AccountCreateOp{Registrar: w.Account("alice").ID, Name: fmt.Sprintf("stranger-%d", i+1),
			Owner: by(hot), Active: by(hot), Options: ledger.NewAccountOptions(his)})
	}
	w.Send(strangers...)
	w.Mine()
	save := register("alice-save", by(hot))
	register("alice-deep", by(save))
	given, kept := ledger.SingleKeyAuthority(his), ledger.SingleKeyAuthority(own)
	page := reviewFile(w, ledger.NewOperation(&ledger.AccountUpdateOp{Account: hot, Owner: &given, Active: &given}))
	if got, text := wants(page), lines(&page); !slices.Contains(got, "alice-hot") || !slices.Contains(got, "alice-save") ||
		!slices.Contains(got, "alice-deep") || !strings.Contains(text, "who acts for alice-save") {
		t.Errorf("asked %q\n%s", got, text)
	}
	kept.KeyAuths[0].Weight = 2
	if page = reviewFile(w, ledger.NewOperation(&ledger.AccountUpdateOp{Account: hot, Active: &kept})); len(wants(page)) > 0 {
		t.Errorf("nobody new can act, but %q is asked", wants(page))
	}
}
