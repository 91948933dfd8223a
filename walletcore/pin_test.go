package walletcore

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
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
)

// liar is a wallet that holds the keys of alice, on a ledger whose answers a
// relay changes; lives of it share the wallet's folder.
type liar struct {
	*stage
	relay *relay
	dir   string
	end   []func()
}

func openLiar(t testing.TB, change func(*Config)) *liar {
	t.Helper()
	box := ledgerOf(t, sandbox.Options{})
	l := &liar{relay: relayTo(t, box.URL()), dir: t.TempDir()}
	l.live(t, box, change)
	l.hold("alice")
	return l
}

// live begins a life of the wallet, after the end of the one before.
func (l *liar) live(t testing.TB, box *sandbox.Sandbox, change func(*Config)) {
	t.Helper()
	for _, stop := range slices.Backward(l.end) {
		stop()
	}
	kept, err := sqlite.Open(filepath.Join(l.dir, "payments.db"))
	must(t, err)
	client := daemonclient.New(daemonclient.Config{URL: l.relay.url, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond})
	cfg := Config{Path: filepath.Join(l.dir, "wallet.keys"), Keystore: cheap(), Daemon: client, OwnClock: true, Store: kept}
	if change != nil {
		change(&cfg)
	}
	w, err := Open(cfg)
	must(t, err)
	l.end = []func(){func() { _ = kept.Close() }, run(t, client.Run), run(t, w.Run)}
	t.Cleanup(func() { _ = kept.Close() })
	ctx := t.Context()
	l.stage = &stage{t: t, ctx: ctx, client: client, wallet: w, box: box}
	must(t, client.WaitOnline(ctx))
	if !w.Vault.IsNew() {
		must(t, w.Vault.Unlock(ctx, password))
	}
}

// lie has the daemon's answers changed from the next block on.
func (l *liar) lie(swap func(string) string) {
	l.relay.set(func(r *relay) { r.swap = swap })
	l.wallet.View.Chain.Forget()
}

// replace is a lie that writes new for old in answers that hold mark.
func replace(mark, old, new string) func(string) string {
	return func(answer string) string {
		if !strings.Contains(answer, mark) {
			return answer
		}
		return strings.ReplaceAll(answer, old, new)
	}
}

func (l *liar) transfer(req build.TransferParams, how payment.Sending) (*build.Signed, error) {
	l.wallet.View.Chain.Forget()
	return l.wallet.Payments.Spend(l.ctx, build.NewRequest("transfer", req, build.Transfer), how)
}

func TestSwappedIDsAreNotPaid(t *testing.T) {
	l := openLiar(t, nil)
	bobby, carol := l.account("bobby").ID, l.account("carol").ID
	swapped := replace(`"name":"bobby"`, `"id":"`+bobby.String()+`"`, `"id":"`+carol.String()+`"`)
	l.pay("alice", "bobby", "1", "")
	l.mine()
	for _, life := range []string{"the same", "the next"} {
		if life == "the next" {
			l.lie(nil)
			l.live(t, l.box, nil)
		}
		l.lie(swapped)
		_, err := l.transfer(oneDCT, payment.Sending{Broadcast: true})
		text := refused(t, err, fault.DaemonContradicts).Error()
		for _, part := range []string{l.relay.url, bobby.String(), carol.String(), "bobby", "nothing was signed", "pins forget bobby"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s life: %q is not in %q", life, part, text)
			}
		}
		_, err = l.wallet.Payments.Prepare(l.ctx, build.NewRequest("transfer", oneDCT, build.Transfer))
		refused(t, err, fault.DaemonContradicts)
		_, err = l.wallet.View.Accounts.Raw(l.ctx, "bobby")
		refused(t, err, fault.DaemonContradicts)
		_, err = l.wallet.View.Accounts.List(l.ctx, "", 100)
		if life == "the same" && err != nil {
			t.Error("a list that is true:", err)
		}
	}
	l.lie(nil)
	_, err := l.transfer(oneDCT, payment.Sending{})
	must(t, err)
}

// The names of the wallet's own accounts stand in the key file.
func TestTheKeyFileIsBelieved(t *testing.T) {
	l := openLiar(t, nil)
	alice, carol := l.account("alice").ID, l.account("carol").ID
	l.lie(nil)
	l.live(t, l.box, func(c *Config) { c.Store = nil })
	l.lie(replace(`"name":"alice"`, `"id":"`+alice.String()+`"`, `"id":"`+carol.String()+`"`))
	_, err := l.transfer(oneDCT, payment.Sending{})
	if text := refused(t, err, fault.DaemonContradicts).Error(); !strings.Contains(text, "the key file") {
		t.Error(text)
	}
}

func TestAnAssetIsWhatItWas(t *testing.T) {
	l := openLiar(t, nil)
	gold := build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}
	_, err := l.transfer(gold, payment.Sending{})
	must(t, err)
	l.lie(replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`))
	_, err = l.transfer(gold, payment.Sending{})
	refused(t, err, fault.DaemonContradicts)
	_, err = l.wallet.View.Assets.Balances(l.ctx, l.account("alice").ID)
	refused(t, err, fault.DaemonContradicts)

	l.lie(replace(`"symbol":"DCT"`, `"precision":8`, `"precision":6`))
	info, err := l.transfer(oneDCT, payment.Sending{}) // nobody is asked what DCT is
	must(t, err)
	if got := info.Operations[0].Body.(*ledger.TransferObsoleteOp).Amount; got != (ledger.AssetAmount{Amount: 1_0000_0000}) {
		t.Errorf("1 DCT is %+v", got)
	}
	_, err = l.wallet.View.Assets.Raw(l.ctx, "DCT")
	refused(t, err, fault.DaemonGarbage)
}

func TestAnotherMemoKeyIsShownAndRefused(t *testing.T) {
	l := openLiar(t, nil)
	req := oneDCT
	req.Memo = "for the boat"
	_, err := l.transfer(req, payment.Sending{})
	must(t, err)
	was, now := keyOf("bobby").Public(), keyOf("carol").Public()
	l.lie(replace(`"name":"bobby"`, `"memo_key":"`+was.String()+`"`, `"memo_key":"`+now.String()+`"`))
	_, err = l.transfer(req, payment.Sending{Broadcast: true})
	if text := refused(t, err, fault.KeysChanged).Error(); !strings.Contains(text, was.String()) || !strings.Contains(text, now.String()) ||
		strings.Contains(text, "boat") {
		t.Error(text)
	}
	d, err := l.wallet.Payments.Prepare(l.ctx, build.NewRequest("transfer", req, build.Transfer))
	must(t, err)
	if c := d.Review().Changed; len(c) != 1 || c[0].What != "memo key" || c[0].Was != was.String() || c[0].Now != now.String() ||
		c[0].Since.IsZero() ||
		c[0].Account.Name != "bobby" {
		t.Fatalf("the review shows %+v", c)
	}
	_, err = l.transfer(req, payment.Sending{}) // looking at it accepts nothing
	refused(t, err, fault.KeysChanged)
	no := &fault.Error{Code: fault.Denied, Op: "transfer", Message: "no"}
	_, err = l.transfer(req, payment.Sending{Approve: func(_ context.Context, r build.Review) error {
		if len(r.Changed) != 1 {
			t.Errorf("the review shows %+v", r.Changed)
		}
		return no
	}})
	refused(t, err, fault.Denied)
	_, err = l.transfer(req, payment.Sending{})
	refused(t, err, fault.KeysChanged)
	_, err = l.wallet.Payments.Send(l.ctx, d)
	must(t, err)
	_, err = l.transfer(req, payment.Sending{})
	must(t, err)
	l.lie(nil) // the true key is the changed one now
	_, err = l.transfer(req, payment.Sending{})
	refused(t, err, fault.KeysChanged)
	l.wallet.Build.AcceptChanges = true
	_, err = l.transfer(req, payment.Sending{})
	must(t, err)
}

func TestAFeeAboveTheCeilingIsNotSigned(t *testing.T) {
	l := openLiar(t, nil)
	fee := regexp.MustCompile(`\[0,\{"fee":"?\d+"?\}\]`)
	ask := func(amount int64) {
		l.lie(func(answer string) string { return fee.ReplaceAllString(answer, fmt.Sprintf(`[0,{"fee":%d}]`, amount)) })
	}
	for _, amount := range []int64{5000_0000_0000, 1_0000_0001, math.MaxInt64} {
		ask(amount)
		_, err := l.transfer(oneDCT, payment.Sending{Broadcast: true})
		if amount != math.MaxInt64 {
			text := refused(t, err, fault.FeeTooHigh).Error()
			for _, part := range []string{ledgerview.DCT().Format(amount), "1.00000000 DCT", "--max-fee", "nothing was signed"} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in %q", part, text)
				}
			}
		} else if err == nil {
			t.Error("a fee that cannot be was signed")
		}
		if _, err = l.wallet.Payments.Prepare(l.ctx, build.NewRequest("transfer", oneDCT, build.Transfer)); err == nil {
			t.Error("a draft was built")
		}
	}
	ask(1_0000_0000)
	_, err := l.transfer(oneDCT, payment.Sending{})
	must(t, err)
	ask(5000_0000_0000)
	l.wallet.Build.MaxFee = 5000_0000_0000
	_, err = l.transfer(oneDCT, payment.Sending{})
	must(t, err)
	l.wallet.Build.MaxFee = 100
	ask(101)
	_, err = l.transfer(oneDCT, payment.Sending{})
	refused(t, err, fault.FeeTooHigh)
}

// The fee counts where the balance is looked at.
func TestTheReviewCountsTheFee(t *testing.T) {
	s := open(t, "alice")
	all := s.dct("alice")
	req := oneDCT
	req.Amount = ledgerview.DCT().Decimals(all - 99_999)
	_, err := s.wallet.Payments.Prepare(s.ctx, build.NewRequest("transfer", req, build.Transfer))
	refused(t, err, fault.InsufficientBalance)
	req.Amount = ledgerview.DCT().Decimals(all - 100_000)
	d, err := s.wallet.Payments.Prepare(s.ctx, build.NewRequest("transfer", req, build.Transfer))
	must(t, err)
	if d.Review().Spent() != all {
		t.Errorf("%d of %d are spent", d.Review().Spent(), all)
	}
}

func TestAnExpirationGoesByThisClock(t *testing.T) {
	l := openLiar(t, func(c *Config) { c.OwnClock = false })
	at := regexp.MustCompile(`("head_block_number":\d+.*?"time":")[^"]+`)
	head := func(ahead time.Duration) {
		l.lie(func(answer string) string {
			return at.ReplaceAllString(answer, "${1}"+ledger.TimeOf(time.Now().Add(ahead)).String())
		})
	}
	for _, ahead := range []time.Duration{23 * time.Hour, time.Minute, 20 * time.Second} {
		head(ahead)
		_, err := l.transfer(oneDCT, payment.Sending{})
		if text := refused(t, err, fault.DaemonStale).Error(); !strings.Contains(text, "clock") {
			t.Error(text)
		}
	}
	for _, ahead := range []time.Duration{10 * time.Second, 0, -10 * time.Second} {
		head(ahead)
		info, err := l.transfer(oneDCT, payment.Sending{})
		must(t, err)
		late := time.Until(info.Expiration.Time())
		if want := 30*time.Second + min(0, ahead); late > want+time.Second || late < want-5*time.Second {
			t.Errorf("head %v ahead: it expires in %v", ahead, late)
		}
	}
}

// A daemon that is alone with its answer is named, and nothing is signed.
func TestAQuorumAgreesOnWhatIsSigned(t *testing.T) {
	box := ledgerOf(t, sandbox.Options{})
	r := relayTo(t, box.URL())
	client := daemonclient.New(daemonclient.Config{URLs: []string{box.URL(), r.url}, Quorum: 2, StaleAfter: -1,
		MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond, ProbeInterval: 10 * time.Millisecond})
	w, err := Open(Config{Path: filepath.Join(t.TempDir(), "wallet.keys"), Keystore: cheap(), Daemon: client, OwnClock: true})
	must(t, err)
	run(t, client.Run)
	run(t, w.Run)
	s := &stage{t: t, ctx: t.Context(), client: client, wallet: w, box: box}
	must(t, client.WaitOnline(s.ctx))
	s.hold("alice")
	bobby, carol := s.account("bobby").ID, s.account("carol").ID
	gold := build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}
	for name, lie := range map[string]func(string) string{
		"account": replace(`"name":"bobby"`, `"id":"`+bobby.String()+`"`, `"id":"`+carol.String()+`"`),
		"memo":    replace(`"name":"bobby"`, `"memo_key":"`+keyOf("bobby").Public().String()+`"`, `"memo_key":"`+keyOf("carol").Public().String()+`"`),
		"asset":   replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`),
		"fees":    replace(`"current_fees"`, `[0,{"fee":100000}]`, `[0,{"fee":100001}]`),
	} {
		r.set(func(r *relay) { r.swap = lie })
		w.View.Chain.Forget()
		_, err := w.Payments.Spend(s.ctx, build.NewRequest("transfer", gold, build.Transfer), payment.Sending{})
		if text := refused(t, err, fault.DaemonsDisagree).Error(); !strings.Contains(text, r.url) {
			t.Errorf("%s: %s", name, text)
		}
	}
	r.set(func(r *relay) { r.swap = nil })
	w.View.Chain.Forget()
	_, err = w.Payments.Spend(s.ctx, build.NewRequest("transfer", gold, build.Transfer), payment.Sending{})
	must(t, err)
}

// What somebody looked up by its name is known in the next life too.
func TestWhatWasLookedUpIsKept(t *testing.T) {
	l := openLiar(t, nil)
	bobby, carol := l.account("bobby").ID, l.account("carol").ID
	_, err := l.wallet.View.Assets.Raw(l.ctx, "ALX.GOLD")
	must(t, err)
	l.live(t, l.box, nil)
	l.lie(func(answer string) string {
		answer = replace(`"name":"bobby"`, `"id":"`+bobby.String()+`"`, `"id":"`+carol.String()+`"`)(answer)
		return replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`)(answer)
	})
	_, err = l.wallet.View.Accounts.Get(l.ctx, "bobby")
	refused(t, err, fault.DaemonContradicts)
	_, err = l.wallet.View.Assets.Get(l.ctx, "ALX.GOLD")
	refused(t, err, fault.DaemonContradicts)
}

// What is irreversible by the signatures is called so of a large payment, and of
// a deposit, only when the other daemons of a quorum have the same block.
func TestAQuorumAgreesOnWhatIsIrreversible(t *testing.T) {
	box := ledgerOf(t, sandbox.Options{})
	r := relayTo(t, box.URL())
	client := daemonclient.New(daemonclient.Config{URLs: []string{box.URL(), r.url}, Quorum: 2, StaleAfter: -1, Pin: box.URL(),
		MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond, ProbeInterval: 10 * time.Millisecond})
	w, err := Open(Config{Path: filepath.Join(t.TempDir(), "wallet.keys"), Keystore: cheap(), Daemon: client, OwnClock: true})
	must(t, err)
	run(t, client.Run)
	run(t, w.Run)
	s := &stage{t: t, ctx: t.Context(), client: client, wallet: w, box: box}
	must(t, client.WaitOnline(s.ctx))
	s.hold("alice")
	r.set(func(r *relay) { // another block than the one that there is
		r.swap = func(answer string) string {
			if strings.Contains(answer, `"previous"`) && !strings.Contains(answer, `"transactions"`) {
				return regexp.MustCompile(`("previous":"[0-9a-f]{8})[0-9a-f]{8}`).ReplaceAllString(answer, "${1}deadbeef")
			}
			return answer
		}
	})
	small := s.pay("alice", "bobby", "1", "").TransactionID
	large := s.pay("alice", "bobby", "1000", "").TransactionID
	for range 4 {
		s.mine()
	}
	s.until("the small one", func() bool { return s.payment(small).State == payment.Irreversible })
	s.until("the disagreement", func() bool { return strings.Contains(s.payment(large).Reason, r.url) })
	if got := s.payment(large); got.State != payment.InBlock {
		t.Errorf("a large payment that daemons disagree on is %s", got.State)
	}
	r.set(func(r *relay) { r.swap = nil })
	s.mine()
	s.until("the large one", func() bool { return s.payment(large).State == payment.Irreversible })
}

// Who paid, or was paid, in an earlier run is not seen for the first time.
func TestWhatTheHistorySaysCountsLikeAPin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	indexed := func(cfg *Config) {
		x, err := historyindex.Open(path)
		must(t, err)
		cfg.Index = x
		t.Cleanup(func() { _ = x.Close() })
	}
	l := openLiar(t, indexed)
	found, err := l.client.LookupAccountNames(l.ctx, []string{"carol", "merchant-7"}) // the wallet is not asked
	must(t, err)
	carol, merchant := found[0].ID, found[1].ID
	must(t, l.wallet.index.Bind(l.box.ChainID()))
	must(t, l.wallet.index.PutNames(l.ctx, historyindex.Names{
		Accounts: map[ledger.AccountID]string{
			merchant: "merchant-7",
		}, Assets: map[ledger.AssetID]historyindex.Asset{1: {Symbol: "ALX.GOLD", Precision: 4}},
	}))
	must(t, l.wallet.index.Close())
	l.live(t, l.box, indexed)
	l.lie(replace(`"name":"merchant-7"`, `"id":"`+merchant.String()+`"`, `"id":"`+carol.String()+`"`))
	_, err = l.transfer(build.TransferParams{From: "alice", To: "merchant-7", Amount: "1", Asset: "DCT"}, payment.Sending{})
	if text := refused(t, err, fault.DaemonContradicts).Error(); !strings.Contains(text, "by the history of this wallet's accounts") {
		t.Error(text)
	}
	l.lie(replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":5`))
	_, err = l.transfer(build.TransferParams{From: "alice", To: "carol", Amount: "1", Asset: "ALX.GOLD"}, payment.Sending{})
	refused(t, err, fault.DaemonContradicts)
	l.lie(nil)
	_, err = l.transfer(build.TransferParams{From: "alice", To: "merchant-7", Amount: "1", Asset: "DCT"}, payment.Sending{})
	must(t, err)
	forgotten, err := l.wallet.index.ForgetName(l.ctx, merchant.String())
	if left, failure := l.wallet.index.Names(l.ctx, []ledger.AccountID{merchant}, nil); err != nil || failure != nil || !forgotten ||
		len(left.Accounts) != 0 {
		t.Errorf("forgotten %v, %v; left %v, %v", forgotten, err, left, failure)
	}
}

// What an own account holds is known in the next life, decimals included.
func TestAssetsThatAreHeldAreKept(t *testing.T) {
	l := openLiar(t, nil)
	_, err := l.wallet.View.Assets.Balances(l.ctx, l.account("alice").ID)
	must(t, err)
	l.live(t, l.box, nil)
	l.lie(replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":5`))
	_, err = l.transfer(build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}, payment.Sending{})
	refused(t, err, fault.DaemonContradicts)
}

// The chain that was seen first is bound to the keys as soon as the wallet is open.
func TestTheFirstChainIsBoundBeforeAnyKeyIsImported(t *testing.T) {
	box := ledgerOf(t, sandbox.Options{})
	path := filepath.Join(t.TempDir(), "wallet.keys")
	_, err := keystore.Create(path, password, keystore.Public{}, nil, cheap())
	must(t, err)
	s := connect(t, path, box.URL(), nil)
	must(t, s.client.WaitOnline(s.ctx))
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	if chain, err := ChainOf(path); err != nil || chain != box.ChainID() {
		t.Errorf("the keys are bound to %s, %v", chain, err)
	}
}
