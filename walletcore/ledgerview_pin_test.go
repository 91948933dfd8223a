package walletcore_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// misled is a wallet that holds the keys of alice, on a ledger whose answers a
// relay changes. Its runs share the wallet's folder.
type misled struct {
	*testwallet.Wallet
	relay *testwallet.Relay
	dir   string
	end   []func()
}

func openMisled(t testing.TB, change func(*walletcore.Config)) *misled {
	t.Helper()
	box := testwallet.Ledger(t, sandbox.Options{})
	l := &misled{relay: testwallet.RelayTo(t, box.URL()), dir: testwallet.Folder(t)}
	l.live(t, box, change)
	l.Hold("alice")
	l.Mine()
	return l
}

// live ends the wallet's current run and starts another.
func (l *misled) live(t testing.TB, box *sandbox.Sandbox, change func(*walletcore.Config)) {
	t.Helper()
	for _, stop := range slices.Backward(l.end) {
		stop()
	}
	kept, err := sqlite.Open(filepath.Join(l.dir, "payments.db"))
	testwallet.Must(t, err)
	t.Cleanup(func() { _ = kept.Close() }) // after the wallet, which Run ends first
	client := daemonclient.New(testwallet.ClientConfig(l.relay.URL))
	cfg := walletcore.Config{Path: filepath.Join(l.dir, "wallet.keys"), Keystore: testwallet.CheapKeys(), Daemon: client,
		OwnClock: true, Store: kept}
	if change != nil {
		change(&cfg)
	}
	w, err := walletcore.Open(cfg)
	testwallet.Must(t, err)
	l.end = []func(){func() { _ = kept.Close() }, testwallet.Run(t, client.Run), testwallet.Run(t, w.Run)}
	ctx := t.Context()
	l.Wallet = &testwallet.Wallet{Wallet: w, T: t, Ctx: ctx, Box: box, Client: client}
	testwallet.Must(t, client.WaitOnline(ctx))
	if !w.Vault.IsNew() {
		testwallet.Must(t, w.Vault.Unlock(ctx, testwallet.Password))
	}
}

// lie changes the daemon's answers from the next block on.
func (l *misled) lie(swap func(string) string) {
	l.relay.Set(func(r *testwallet.Relay) { r.Swap = swap })
	l.View.Chain.Forget()
}

// replace returns a lie that replaces old by new in answers that contain mark.
func replace(mark, old, new string) func(string) string {
	return func(answer string) string {
		if !strings.Contains(answer, mark) {
			return answer
		}
		return strings.ReplaceAll(answer, old, new)
	}
}

func (l *misled) transfer(req txbuild.TransferParams, how payment.Sending) (*txbuild.Signed, error) {
	l.View.Chain.Forget()
	return l.Transfer(req, how)
}

func TestSwappedIDsAreNotPaid(t *testing.T) {
	l := openMisled(t, nil)
	bobby, carol := l.Account("bobby").ID, l.Account("carol").ID
	swapped := replace(`"name":"bobby"`, `"id":"`+bobby.String()+`"`, `"id":"`+carol.String()+`"`)
	l.Pay("alice", "bobby", "1", "")
	l.Mine()
	for _, life := range []string{"the same", "the next"} {
		if life == "the next" {
			l.lie(nil)
			l.live(t, l.Box, nil)
		}
		l.lie(swapped)
		_, err := l.transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
		text := faulttest.Refused(t, err, fault.DaemonContradicts).Error()
		for _, part := range []string{l.relay.URL, bobby.String(), carol.String(), "bobby", "nothing was signed", "pins forget bobby"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s life: %q is not in %q", life, part, text)
			}
		}
		_, err = l.Payments.Prepare(l.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer))
		faulttest.Refused(t, err, fault.DaemonContradicts)
		_, err = l.View.Accounts.Raw(l.Ctx, "bobby")
		faulttest.Refused(t, err, fault.DaemonContradicts)
		_, err = l.View.Accounts.List(l.Ctx, "", 100)
		if life == "the same" && err != nil {
			t.Error("a list that is true:", err)
		}
	}
	l.lie(nil)
	_, err := l.transfer(testwallet.OneDCT(), payment.Sending{})
	testwallet.Must(t, err)
}

// The names of the wallet's own accounts come from the key file.
func TestKeyFileIsTrusted(t *testing.T) {
	l := openMisled(t, nil)
	alice, carol := l.Account("alice").ID, l.Account("carol").ID
	l.lie(nil)
	l.live(t, l.Box, func(c *walletcore.Config) { c.Store = nil })
	l.lie(replace(`"name":"alice"`, `"id":"`+alice.String()+`"`, `"id":"`+carol.String()+`"`))
	_, err := l.transfer(testwallet.OneDCT(), payment.Sending{})
	if text := faulttest.Refused(t, err, fault.DaemonContradicts).Error(); !strings.Contains(text, "the key file") {
		t.Error(text)
	}
}

func TestChangedAssetIsRefused(t *testing.T) {
	l := openMisled(t, nil)
	gold := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}
	_, err := l.transfer(gold, payment.Sending{})
	testwallet.Must(t, err)
	l.lie(replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`))
	_, err = l.transfer(gold, payment.Sending{})
	faulttest.Refused(t, err, fault.DaemonContradicts)
	rows, err := l.View.Assets.Balances(l.Ctx, l.Account("alice").ID)
	testwallet.Must(t, err)
	if got := rows[1].Asset; got != (ledgerview.AssetRef{ID: 1, Symbol: "ALX.GOLD (smallest units, decimals in doubt)"}) {
		t.Errorf("what is in doubt is %+v", got)
	}
	l.lie(nil)
	_, err = l.transfer(gold, payment.Sending{})
	testwallet.Must(t, err)

	l.lie(replace(`"symbol":"DCT"`, `"precision":8`, `"precision":6`))
	info, err := l.transfer(testwallet.OneDCT(), payment.Sending{}) // DCT need not be looked up
	testwallet.Must(t, err)
	if got := info.Operations[0].Body.(*ledger.TransferObsoleteOp).Amount; got != (ledger.AssetAmount{Amount: 1_0000_0000}) {
		t.Errorf("1 DCT is %+v", got)
	}
	_, err = l.View.Assets.Raw(l.Ctx, "DCT")
	faulttest.Refused(t, err, fault.DaemonGarbage)
}

func TestChangedMemoKeyIsShownAndRefused(t *testing.T) {
	l := openMisled(t, nil)
	req := testwallet.OneDCT()
	req.Memo = "for the boat"
	_, err := l.transfer(req, payment.Sending{})
	testwallet.Must(t, err)
	was, now := testwallet.Key("bobby").Public(), testwallet.Key("carol").Public()
	l.lie(replace(`"name":"bobby"`, `"memo_key":"`+was.String()+`"`, `"memo_key":"`+now.String()+`"`))
	_, err = l.transfer(req, payment.Sending{Broadcast: true})
	text := faulttest.Refused(t, err, fault.KeysChanged).Error()
	if !strings.Contains(text, was.String()) || !strings.Contains(text, now.String()) ||
		strings.Contains(text, "boat") {
		t.Error(text)
	}
	d, err := l.Payments.Prepare(l.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
	testwallet.Must(t, err)
	if c := d.Review().Changed; len(c) != 1 || c[0].What != "memo key" || c[0].Was != was.String() || c[0].Now != now.String() ||
		c[0].Since.IsZero() ||
		c[0].Account.Name != "bobby" {
		t.Fatalf("the review shows %+v", c)
	}
	_, err = l.transfer(req, payment.Sending{}) // showing the change does not accept it
	faulttest.Refused(t, err, fault.KeysChanged)
	no := &fault.Error{Code: fault.Denied, Op: "transfer", Message: "no"}
	_, err = l.transfer(req, payment.Sending{Approve: func(_ context.Context, r txbuild.Review) error {
		if len(r.Changed) != 1 {
			t.Errorf("the review shows %+v", r.Changed)
		}
		return no
	}})
	faulttest.Refused(t, err, fault.Denied)
	_, err = l.transfer(req, payment.Sending{})
	faulttest.Refused(t, err, fault.KeysChanged)
	_, err = l.Payments.Send(l.Ctx, d)
	testwallet.Must(t, err)
	_, err = l.transfer(req, payment.Sending{})
	testwallet.Must(t, err)
	l.lie(nil) // now the true key is the changed one
	_, err = l.transfer(req, payment.Sending{})
	faulttest.Refused(t, err, fault.KeysChanged)
	l.Build.AcceptChanges = true
	_, err = l.transfer(req, payment.Sending{})
	testwallet.Must(t, err)
}

func TestFeeAboveTheLimitIsNotSigned(t *testing.T) {
	l := openMisled(t, nil)
	fee := regexp.MustCompile(`\[0,\{"fee":"?\d+"?\}\]`)
	ask := func(amount int64) {
		l.lie(func(answer string) string { return fee.ReplaceAllString(answer, fmt.Sprintf(`[0,{"fee":%d}]`, amount)) })
	}
	for _, amount := range []int64{5000_0000_0000, 1_0000_0001, math.MaxInt64} {
		ask(amount)
		_, err := l.transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
		if amount != math.MaxInt64 {
			text := faulttest.Refused(t, err, fault.FeeTooHigh).Error()
			for _, part := range []string{ledgerview.DCT().Format(amount), "1.00000000 DCT", "--max-fee", "nothing was signed"} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in %q", part, text)
				}
			}
		} else if err == nil {
			t.Error("a fee that cannot be was signed")
		}
		if _, err = l.Payments.Prepare(l.Ctx, txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer)); err == nil {
			t.Error("a draft was built")
		}
	}
	ask(1_0000_0000)
	_, err := l.transfer(testwallet.OneDCT(), payment.Sending{})
	testwallet.Must(t, err)
	ask(5000_0000_0000)
	l.Build.MaxFee = 5000_0000_0000
	_, err = l.transfer(testwallet.OneDCT(), payment.Sending{})
	if text := faulttest.Refused(t, err, fault.FeeTooHigh).Error(); !strings.Contains(text, "more than ten times the 1.00000000 DCT") {
		t.Error(text) // whatever the ceiling
	}
	_, err = l.transfer(testwallet.OneDCT(), payment.Sending{Approve: func(_ context.Context, r txbuild.Review) error {
		if !r.FeeLeaps {
			t.Error("the review does not ask for the fee")
		}
		return nil
	}})
	testwallet.Must(t, err)
	_, err = l.transfer(testwallet.OneDCT(), payment.Sending{})
	testwallet.Must(t, err)
	l.Build.MaxFee = 100
	ask(101)
	_, err = l.transfer(testwallet.OneDCT(), payment.Sending{})
	faulttest.Refused(t, err, fault.FeeTooHigh)
}

// A fee that differs from the accepted one is told once for all operations that it is the fee of, and as often as they have different ones.
func TestAFeeThatChangedIsToldOnce(t *testing.T) {
	l := openMisled(t, nil)
	bobby := l.Account("bobby").ID
	pays := func() ledger.Operation {
		return ledger.NewOperation(&ledger.TransferObsoleteOp{From: l.Account("alice").ID, To: bobby, Amount: ledger.AssetAmount{Amount: 1}})
	}
	_, err := l.transfer(testwallet.OneDCT(), payment.Sending{Approve: func(context.Context, txbuild.Review) error { return nil }})
	testwallet.Must(t, err)
	fee := regexp.MustCompile(`\[0,\{"fee":"?\d+"?\}\]`)
	l.lie(func(answer string) string { return fee.ReplaceAllString(answer, `[0,{"fee":200000}]`) })
	tried, err := l.Build.DryRun(l.Ctx, testwallet.Ready(pays(), pays()))
	testwallet.Must(t, err)
	var told []string
	for _, c := range tried.Review.Changed {
		told = append(told, c.What+" "+c.Was+" "+c.Now)
	}
	if len(told) != 1 || !strings.Contains(told[0], "0.00100000") || !strings.Contains(told[0], "0.00200000") {
		t.Errorf("%q", told)
	}
}

// The check of the balance includes the fee.
func TestReviewCountsTheFee(t *testing.T) {
	s := testwallet.Open(t, "alice")
	all := s.DCT("alice")
	req := testwallet.OneDCT()
	req.Amount = ledgerview.DCT().Decimals(all - 99_999)
	_, err := s.Payments.Prepare(s.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
	faulttest.Refused(t, err, fault.InsufficientBalance)
	req.Amount = ledgerview.DCT().Decimals(all - 100_000)
	d, err := s.Payments.Prepare(s.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
	testwallet.Must(t, err)
	if d.Review().Spent() != all {
		t.Errorf("%d of %d are spent", d.Review().Spent(), all)
	}
}

func TestExpirationFollowsThisClock(t *testing.T) {
	l := openMisled(t, func(c *walletcore.Config) { c.OwnClock = false })
	at := regexp.MustCompile(`("head_block_number":\d+.*?"time":")[^"]+`)
	head := func(ahead time.Duration) {
		l.lie(func(answer string) string {
			return at.ReplaceAllString(answer, "${1}"+ledger.TimeOf(time.Now().Add(ahead)).String())
		})
	}
	for _, ahead := range []time.Duration{23 * time.Hour, time.Minute, 20 * time.Second} {
		head(ahead)
		_, err := l.transfer(testwallet.OneDCT(), payment.Sending{})
		if text := faulttest.Refused(t, err, fault.DaemonStale).Error(); !strings.Contains(text, "clock") {
			t.Error(text)
		}
	}
	for _, ahead := range []time.Duration{10 * time.Second, 0, -10 * time.Second} {
		head(ahead)
		info, err := l.transfer(testwallet.OneDCT(), payment.Sending{})
		testwallet.Must(t, err)
		late := time.Until(info.Expiration.Time())
		const spread = 4 * time.Second
		if want := 30*time.Second + min(0, ahead); late > min(want+spread, 30*time.Second)+time.Second || late < want-spread-5*time.Second {
			t.Errorf("head %v ahead: it expires in %v", ahead, late)
		}
	}
}

// If one daemon's answer differs from the others', it is named and nothing is signed.
func TestQuorumAgreesOnWhatIsSigned(t *testing.T) {
	s, r := testwallet.OpenOnTwo(t, 2, nil, "alice")
	bobby, carol := s.Account("bobby").ID, s.Account("carol").ID
	gold := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}
	for name, lie := range map[string]func(string) string{
		"account": replace(`"name":"bobby"`, `"id":"`+bobby.String()+`"`, `"id":"`+carol.String()+`"`),
		"memo":    replace(`"name":"bobby"`, `"memo_key":"`+testwallet.Key("bobby").Public().String()+`"`, `"memo_key":"`+testwallet.Key("carol").Public().String()+`"`),
		"asset":   replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`),
		"fees":    replace(`"current_fees"`, `[0,{"fee":100000}]`, `[0,{"fee":100001}]`),
	} {
		r.Set(func(r *testwallet.Relay) { r.Swap = lie })
		s.View.Chain.Forget()
		_, err := s.Transfer(gold, payment.Sending{})
		if text := faulttest.Refused(t, err, fault.DaemonsDisagree).Error(); !strings.Contains(text, r.URL) {
			t.Errorf("%s: %s", name, text)
		}
	}
	r.Set(func(r *testwallet.Relay) { r.Swap = nil })
	s.View.Chain.Forget()
	_, err := s.Transfer(gold, payment.Sending{})
	testwallet.Must(t, err)
}

// What a person looked up by name is still known in the next run.
func TestLookedUpNamesAreKept(t *testing.T) {
	l := openMisled(t, nil)
	bobby, carol := l.Account("bobby").ID, l.Account("carol").ID
	_, err := l.View.Assets.Raw(l.Ctx, "ALX.GOLD")
	testwallet.Must(t, err)
	l.live(t, l.Box, nil)
	l.lie(func(answer string) string {
		answer = replace(`"name":"bobby"`, `"id":"`+bobby.String()+`"`, `"id":"`+carol.String()+`"`)(answer)
		return replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`)(answer)
	})
	_, err = l.View.Accounts.Get(l.Ctx, "bobby")
	faulttest.Refused(t, err, fault.DaemonContradicts)
	_, err = l.View.Assets.Get(l.Ctx, "ALX.GOLD")
	faulttest.Refused(t, err, fault.DaemonContradicts)
}

// A large payment, or a deposit, that the signatures prove irreversible is reported so
// only if the other daemons of a quorum have the same block.
func TestQuorumAgreesOnWhatIsIrreversible(t *testing.T) {
	s, r := testwallet.OpenOnTwo(t, 2, nil, "alice")
	r.Set(func(r *testwallet.Relay) { // answers with another block than the real one
		r.Swap = func(answer string) string {
			if strings.Contains(answer, `"previous"`) && !strings.Contains(answer, `"transactions"`) {
				return regexp.MustCompile(`("previous":"[0-9a-f]{8})[0-9a-f]{8}`).ReplaceAllString(answer, "${1}deadbeef")
			}
			return answer
		}
	})
	small := s.Pay("alice", "bobby", "1", "").TransactionID
	large := s.Pay("alice", "bobby", "1000", "").TransactionID
	for range 4 {
		s.Mine()
	}
	s.Until("the small one", func() bool { return s.Payment(small).State == payment.Irreversible })
	s.Until("the disagreement", func() bool { return strings.Contains(s.Payment(large).Reason, r.URL) })
	if got := s.Payment(large); got.State != payment.InBlock {
		t.Errorf("a large payment that daemons disagree on is %s", got.State)
	}
	r.Set(func(r *testwallet.Relay) { r.Swap = nil })
	s.Mine()
	s.Until("the large one", func() bool { return s.Payment(large).State == payment.Irreversible })
}

// An account that paid, or was paid, in an earlier run is not new.
func TestNamesInTheHistoryCountLikePins(t *testing.T) {
	path := filepath.Join(testwallet.Folder(t), "history.db")
	var index *historyindex.Index
	indexed := func(cfg *walletcore.Config) {
		x, err := historyindex.Open(path)
		testwallet.Must(t, err)
		index, cfg.Index = x, x
		t.Cleanup(func() { _ = x.Close() })
	}
	l := openMisled(t, indexed)
	found, err := l.Client.LookupAccountNames(l.Ctx, []string{"carol", "merchant-7"}) // bypassing the wallet
	testwallet.Must(t, err)
	carol, merchant := found[0].ID, found[1].ID
	testwallet.Must(t, index.Bind(l.Box.ChainID()))
	testwallet.Must(t, index.PutNames(l.Ctx, historyindex.Names{
		Accounts: map[ledger.AccountID]string{
			merchant: "merchant-7",
		}, Assets: map[ledger.AssetID]historyindex.Asset{1: {Symbol: "ALX.GOLD", Precision: 4}},
	}))
	testwallet.Must(t, index.Close())
	l.live(t, l.Box, indexed)
	l.lie(replace(`"name":"merchant-7"`, `"id":"`+merchant.String()+`"`, `"id":"`+carol.String()+`"`))
	_, err = l.transfer(txbuild.TransferParams{From: "alice", To: "merchant-7", Amount: "1", Asset: "DCT"}, payment.Sending{})
	text := faulttest.Refused(t, err, fault.DaemonContradicts).Error()
	if !strings.Contains(text, "by the history of this wallet's accounts") {
		t.Error(text)
	}
	l.lie(replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":5`))
	_, err = l.transfer(txbuild.TransferParams{From: "alice", To: "carol", Amount: "1", Asset: "ALX.GOLD"}, payment.Sending{})
	faulttest.Refused(t, err, fault.DaemonContradicts)
	l.lie(nil)
	_, err = l.transfer(txbuild.TransferParams{From: "alice", To: "merchant-7", Amount: "1", Asset: "DCT"}, payment.Sending{})
	testwallet.Must(t, err)
	forgotten, err := index.ForgetName(l.Ctx, merchant.String())
	if left, failure := index.Names(l.Ctx, []ledger.AccountID{merchant}, nil); err != nil || failure != nil || !forgotten ||
		len(left.Accounts) != 0 {
		t.Errorf("forgotten %v, %v; left %v, %v", forgotten, err, left, failure)
	}
	testwallet.Must(t, index.Close())
	l.live(t, l.Box, indexed) // the payment pinned the name, whatever happens to the index
	l.lie(replace(`"name":"merchant-7"`, `"id":"`+merchant.String()+`"`, `"id":"`+ledger.AccountID(3).String()+`"`))
	_, err = l.transfer(txbuild.TransferParams{From: "alice", To: "merchant-7", Amount: "1", Asset: "DCT"}, payment.Sending{})
	faulttest.Refused(t, err, fault.DaemonContradicts)
}

// The assets that an own account holds are still known in the next run, decimals included.
func TestHeldAssetsArePinned(t *testing.T) {
	l := openMisled(t, nil)
	_, err := l.View.Assets.Balances(l.Ctx, l.Account("alice").ID)
	testwallet.Must(t, err)
	l.live(t, l.Box, nil)
	l.lie(replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":5`))
	_, err = l.transfer(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}, payment.Sending{})
	faulttest.Refused(t, err, fault.DaemonContradicts)
}

// The first chain that the wallet sees is bound to it as soon as it is unlocked.
func TestFirstChainIsBoundBeforeAnyKeyIsImported(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	_, err := keystore.Create(path, testwallet.Password, keystore.Public{}, nil, testwallet.CheapKeys())
	testwallet.Must(t, err)
	s := testwallet.Connect(t, path, box.URL(), nil)
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	if chain, err := walletcore.ChainOf(path); err != nil || chain != box.ChainID() {
		t.Errorf("the keys are bound to %s, %v", chain, err)
	}
}
