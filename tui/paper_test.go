package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corehistory "billfold/walletcore/history"

	"billfold/ledger"
	"billfold/tui/page/history"
	"billfold/tui/page/send"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/strength"
	"billfold/walletcore/vault"
)

// paper is a wallet on paper: fixed data behind the interface that the UI
// drives. It decides nothing; tests set what it answers.
type paper struct {
	mu         sync.Mutex
	status     walletcore.Status
	accounts   []vault.OwnAccount
	balances   []ledgerview.Balance
	history    []corehistory.Entry
	payments   []walletcore.Payment
	review     walletcore.Review // of the next draft
	forms      []walletcore.SavedForm
	buildErr   error
	sendErr    error
	readErr    error
	findErr    error
	sought     []string      // what names were looked for
	slow       time.Duration // how long Send takes
	shelfErr   error
	slowExport time.Duration
	slowTally  time.Duration
	shelf      *walletcore.Wallet // has the history, in an index; nil: there is none

	lockAfter time.Duration // as of the last touch; 0 is 15 minutes
	events    chan event.Event
	sent      int
	built     []walletcore.TransferRequest
	resent    int
	unlocks   int
}

const password = "correct horse"

var (
	dct    = ledgerview.AssetRef{ID: 0, Symbol: "DCT", Precision: 8}
	gold   = ledgerview.AssetRef{ID: 12, Symbol: "ALX.GOLD", Precision: 4}
	usdx   = ledgerview.AssetRef{ID: 13, Symbol: "USDX", Precision: 2}
	points = ledgerview.AssetRef{ID: 14, Symbol: "POINTS", Precision: 0}

	alice    = ledgerview.AccountRef{ID: 34, Name: "alice"}
	savings  = ledgerview.AccountRef{ID: 88, Name: "savings-1"}
	carol    = ledgerview.AccountRef{ID: 57, Name: "carol"}
	caro1    = ledgerview.AccountRef{ID: 90412, Name: "caro1"}
	bob      = ledgerview.AccountRef{ID: 410, Name: "bob-trade"}
	merchant = ledgerview.AccountRef{ID: 1189, Name: "merchant-7"}
	longest  = ledgerview.AccountRef{ID: 99001, Name: "a-very-long-account-name-that-goes-on-and-on-up-to-sixty-three"}
)

func txid(n byte) ledger.TransactionID {
	var id ledger.TransactionID
	for i := range id {
		id[i] = n + byte(i)
	}
	return id
}

// sample is the wallet of the drawings, unlocked and online.
func sample() *paper {
	p := &paper{
		status: walletcore.Status{Lock: walletcore.LockUnlocked, Network: "mainnet", Daemon: walletcore.DaemonOnline,
			DaemonURL: "wss://eu-1.example.org:8090", Latency: 41 * time.Millisecond, Head: 18204511, Irreversible: 18204494,
			HeadTime: ledger.TimeOf(start.Add(-3 * time.Second))},
		accounts: []vault.OwnAccount{{AccountRef: alice, Ownership: vault.OwnershipFull}, {AccountRef: savings, Ownership: vault.OwnershipWatch}},
		balances: []ledgerview.Balance{{Asset: dct, Amount: 1248050310000}, {Asset: gold, Amount: 32500},
			{Asset: usdx, Amount: 25000}, {Asset: points, Amount: 1204}},
	}
	p.history = []corehistory.Entry{
		entry(211884, corehistory.Out, carol, 25000000000, "rent november, thank you", vault.MemoOpen, 48*time.Second),
		entry(211001, corehistory.In, merchant, 1250000000, "", vault.MemoForeign, 5*time.Hour),
		entry(210500, corehistory.In, caro1, 1, "refund here", vault.MemoPlain, 70*time.Hour),
		entry(210400, corehistory.In, bob, 140000000000, "invoice 88", vault.MemoPlain, 75*time.Hour),
		entry(210300, corehistory.Out, bob, 7500000000, "", vault.MemoNone, 140*time.Hour),
		{ID: 210200, Code: 2, Name: "account update", Time: ledger.TimeOf(start.Add(-200 * time.Hour)), Block: 18100000, Final: true,
			From: alice, With: alice, FeeAsset: dct, Fee: 500000, Sentence: "alice changed its account"},
	}
	p.payments = []walletcore.Payment{
		{ID: txid(1), State: walletcore.PaymentInBlock, Review: review(carol, 12000000000), Prepared: start.Add(-54 * time.Second),
			Sent: start.Add(-53 * time.Second), InBlock: start.Add(-48 * time.Second), Block: 18204502, TrxInBlock: 3, Last: 18204494, Taken: true},
		{ID: txid(65), State: walletcore.PaymentUnknown, Review: review(bob, 1000000000), Prepared: start.Add(-18 * time.Second),
			Sent: start.Add(-17 * time.Second), Expiration: ledger.TimeOf(start.Add(12 * time.Second)), Reason: "node us-2 closed the line before answering"},
	}
	p.review = review(carol, 25000000000)
	return p
}

func entry(id ledger.HistoryID, dir corehistory.Direction, with ledgerview.AccountRef, amount int64, memo string, state vault.MemoState, ago time.Duration) corehistory.Entry {
	e := corehistory.Entry{ID: id, Name: "transfer", Time: ledger.TimeOf(start.Add(-ago)), Block: 18204502 - uint32(ago/(5*time.Second)),
		TrxInBlock: 3, Final: ago > time.Hour, Direction: dir, With: with, Asset: dct, Amount: amount, FeeAsset: dct, Fee: 500000, Memo: memo, MemoState: state}
	e.From, e.To = alice, with
	if dir == corehistory.In {
		e.From, e.To = with, alice
	}
	return e
}

func review(to ledgerview.AccountRef, amount int64) walletcore.Review {
	key := ledger.DeriveKey("golden screens", 0).Public()
	return walletcore.Review{Operation: "transfer (0)", From: alice, To: to, Asset: dct, Amount: amount, FeeAsset: dct, Fee: 500000,
		Memo: "rent november, thank you", MemoState: vault.MemoOpen, MemoBytes: 24, Available: 1248050310000,
		SignsWith: []ledger.PublicKey{key}, Chain: ledger.ChainID{0x47, 0x77, 0xb2, 0x83}, PaidBefore: 14,
		JSON: "{\n  \"operations\": [\n    [0, {\"amount\": 25000000000}]\n  ]\n}", Bytes: "00ff00ff"}
}

func (p *paper) open() {
	p.events = make(chan event.Event, 16)
	p.Touch()
}

func (p *paper) Touch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.touchLocked()
}

func (p *paper) touchLocked() {
	if p.status.Lock == walletcore.LockUnlocked {
		p.status.LocksAt = time.Now().Add(cmp.Or(p.lockAfter, 15*time.Minute))
	}
}

// change sets data and tells the UI.
func (p *paper) change(kind event.Kind, set func()) {
	p.mu.Lock()
	set()
	p.mu.Unlock()
	p.events <- event.Event{Kind: kind}
}

func (p *paper) Status() walletcore.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

func (p *paper) Subscribe() (<-chan event.Event, func()) {
	return p.events, func() { close(p.events) }
}

func (p *paper) Accounts() []vault.OwnAccount { return p.accounts }

func (p *paper) Balances(context.Context, ledger.AccountID) ([]ledgerview.Balance, error) {
	return p.balances, p.readErr
}

func (p *paper) Entries(_ context.Context, _ ledger.AccountID, before ledger.HistoryID, limit int) ([]corehistory.Entry, error) {
	var out []corehistory.Entry
	for _, e := range p.history {
		if (before == 0 || e.ID < before) && len(out) < limit {
			if p.Status().Lock != walletcore.LockUnlocked && e.MemoState == vault.MemoOpen {
				e.Memo, e.MemoState = "", vault.MemoLocked
			}
			out = append(out, e)
		}
	}
	return out, p.readErr
}

func (p *paper) Unlock(_ context.Context, text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unlocks++
	if text != password {
		return &fault.Error{Code: fault.WrongPassword, Message: "the password does not open the wallet"}
	}
	p.status.Lock = walletcore.LockUnlocked
	p.touchLocked()
	return nil
}

func (p *paper) Lock() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Lock, p.status.LocksAt = walletcore.LockLocked, time.Time{}
	return true
}

func (p *paper) IsNew() bool { return p.Status().Lock == walletcore.LockNew }

func (p *paper) Create(context.Context, string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Lock = walletcore.LockUnlocked
	p.touchLocked()
	return nil
}

func (p *paper) CheckKeyImport(ctx context.Context, in walletcore.KeyImport) (walletcore.ImportedKey, error) {
	if in.Account == "" {
		return walletcore.ImportedKey{}, nil
	}
	_, err := p.AccountByName(ctx, in.Account)
	return walletcore.ImportedKey{}, err
}

func (p *paper) ImportAccountKey(context.Context, walletcore.KeyImport) (walletcore.ImportedKey, error) {
	p.accounts = []vault.OwnAccount{{AccountRef: alice, Ownership: vault.OwnershipFull}}
	return walletcore.ImportedKey{Accounts: []ledgerview.KeyUse{{AccountRef: alice, Active: true, Memo: true}}}, nil
}

func (p *paper) RemoveAccount(nameOrID string) error {
	p.accounts = slices.DeleteFunc(p.accounts, func(a vault.OwnAccount) bool { return a.ID.String() == nameOrID })
	return nil
}

func (p *paper) CheckLegacyFile(_ context.Context, path string) error {
	if path != "/tmp/wallet.json" {
		return &fault.Error{Code: fault.File, Message: "there is no file " + path}
	}
	return nil
}

func (p *paper) CheckLegacy(_ context.Context, _, text string) (walletcore.Imported, error) {
	if text != password {
		return walletcore.Imported{}, &fault.Error{Code: fault.WrongPassword, Message: "the password does not open the wallet.json"}
	}
	return walletcore.Imported{Accounts: []ledgerview.AccountRef{alice}, Keys: 3}, nil
}

func (p *paper) JudgePassword(lists *strength.Estimator, text string) strength.Verdict {
	return strength.Judge(lists.Guesses(text), 100)
}

func (p *paper) ImportLegacy(context.Context, string, string, string) (walletcore.Imported, error) {
	return walletcore.Imported{Accounts: []ledgerview.AccountRef{alice}, Keys: 3}, p.Create(context.Background(), "")
}

func (p *paper) FindAccounts(_ context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	p.sought = append(p.sought, prefix)
	var out []ledgerview.AccountRef
	for _, a := range []ledgerview.AccountRef{alice, bob, caro1, carol, merchant, savings} {
		if strings.HasPrefix(a.Name, prefix) && len(out) < limit {
			out = append(out, a)
		}
	}
	return out, p.findErr
}

func (p *paper) Asset(_ context.Context, symbol string) (*ledger.Asset, error) {
	for _, a := range []ledgerview.AssetRef{dct, gold, usdx, points, {ID: 15, Symbol: "NONE", Precision: 2}} {
		if a.Symbol == symbol {
			return &ledger.Asset{ID: a.ID, Symbol: a.Symbol, Precision: a.Precision}, p.findErr
		}
	}
	return nil, &fault.Error{Code: fault.NoSuchAsset, Message: "there is no asset " + symbol}
}

func (p *paper) AccountByName(_ context.Context, name string) (ledgerview.AccountRef, error) {
	found, _ := p.FindAccounts(context.Background(), name, 1)
	if len(found) == 0 {
		return ledgerview.AccountRef{}, &fault.Error{Code: fault.NoSuchAccount, Message: fmt.Sprintf("there is no account %s", name)}
	}
	return found[0], nil
}

type paperDraft struct {
	r walletcore.Review
	p *paper
}

func (d paperDraft) Review() walletcore.Review { return d.r }

func (p *paper) Prepare(_ context.Context, req walletcore.TransferRequest) (send.Prepared, error) {
	p.built = append(p.built, req)
	if p.buildErr != nil {
		return nil, p.buildErr
	}
	return paperDraft{p.review, p}, nil
}

func (d paperDraft) Send(context.Context) (walletcore.Payment, error) {
	p := d.p
	p.sent++
	time.Sleep(p.slow)
	now := time.Now()
	pay := walletcore.Payment{ID: txid(100), State: walletcore.PaymentSent, Review: d.Review(), Prepared: now, Sent: now, Taken: true,
		Expiration: ledger.TimeOf(now.Add(30 * time.Second))}
	switch {
	case fault.CodeOf(p.sendErr) == fault.OutcomeUnknown:
		pay.State, pay.Reason, pay.Taken = walletcore.PaymentUnknown, "no answer", false
	case p.sendErr != nil:
		return walletcore.Payment{}, p.sendErr
	}
	p.change(event.Payment, func() { p.payments = append([]walletcore.Payment{pay}, p.payments...) })
	return pay, p.sendErr
}

// core is the wallet as the UI takes it.
func (p *paper) core() Core {
	return Core{Session: p, Accounts: p, Payments: p, Home: p, Unlock: p, FirstRun: p,
		History: history.Core{Recent: p, Index: p, Rows: p, Counter: p, Exporter: p},
		Send:    send.Core{Finder: p, Past: p, Payer: p, Drafts: p}}
}

func (p *paper) Payments() []walletcore.Payment {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]walletcore.Payment(nil), p.payments...)
}

func (p *paper) Resend(context.Context, ledger.TransactionID) error {
	p.resent++
	return nil
}

func (p *paper) TransferFee(context.Context) (ledgerview.AssetRef, int64, error) {
	return dct, 500000, nil
}

func (p *paper) SaveForm(_ context.Context, _ ledger.AccountID, req walletcore.TransferRequest) (int64, error) {
	p.forms = append([]walletcore.SavedForm{{Number: int64(len(p.forms) + 1), Saved: time.Now(), Request: req}}, p.forms...)
	return p.forms[0].Number, p.readErr
}

func (p *paper) SavedForms(context.Context, ledger.AccountID) ([]walletcore.SavedForm, error) {
	return append([]walletcore.SavedForm(nil), p.forms...), p.readErr
}

func (p *paper) DropForm(_ context.Context, number int64) error {
	p.forms = slices.DeleteFunc(p.forms, func(f walletcore.SavedForm) bool { return f.Number == number })
	return nil
}
