package uitest

import (
	"billfold/ledger"
	"billfold/walletcore"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
	"time"
)

// Start is when every test in virtual time begins.
var Start = time.Date(2026, 11, 20, 14, 2, 58, 0, time.UTC)

// Password opens every wallet of the tests.
const Password = "correct horse"

// The assets and accounts of the drawings.
var (
	DCT    = ledgerview.AssetRef{ID: 0, Symbol: "DCT", Precision: 8}
	Gold   = ledgerview.AssetRef{ID: 12, Symbol: "ALX.GOLD", Precision: 4}
	USDX   = ledgerview.AssetRef{ID: 13, Symbol: "USDX", Precision: 2}
	Points = ledgerview.AssetRef{ID: 14, Symbol: "POINTS", Precision: 0}

	Alice    = ledgerview.AccountRef{ID: 34, Name: "alice"}
	Savings  = ledgerview.AccountRef{ID: 88, Name: "savings-1"}
	Carol    = ledgerview.AccountRef{ID: 57, Name: "carol"}
	Caro1    = ledgerview.AccountRef{ID: 90412, Name: "caro1"}
	Bob      = ledgerview.AccountRef{ID: 410, Name: "bob-trade"}
	Merchant = ledgerview.AccountRef{ID: 1189, Name: "merchant-7"}
	Longest  = ledgerview.AccountRef{ID: 99001, Name: "a-very-long-account-name-that-goes-on-and-on-up-to-sixty-three"}
)

// TxID makes a transaction id of a byte.
func TxID(n byte) ledger.TransactionID {
	var id ledger.TransactionID
	for i := range id {
		id[i] = n + byte(i)
	}
	return id
}

// Drawn returns the wallet of the drawings, unlocked and online.
func Drawn() *FakeWallet {
	p := &FakeWallet{
		State: walletcore.Status{Lock: walletcore.LockUnlocked, Network: "mainnet", Daemon: walletcore.DaemonOnline,
			DaemonURL: "wss://eu-1.example.org:8090", Latency: 41 * time.Millisecond, Head: 18204511, Irreversible: 18204494,
			HeadTime: ledger.TimeOf(Start.Add(-3 * time.Second))},
		Own: []vault.OwnAccount{{AccountRef: Alice, Ownership: vault.OwnershipFull}, {AccountRef: Savings, Ownership: vault.OwnershipWatch}},
		Held: []ledgerview.Balance{{Asset: DCT, Amount: 1248050310000}, {Asset: Gold, Amount: 32500},
			{Asset: USDX, Amount: 25000}, {Asset: Points, Amount: 1204}},
	}
	p.Rows = []corehistory.Entry{
		Entry(211884, corehistory.Out, Carol, 25000000000, "rent november, thank you", vault.MemoOpen, 48*time.Second),
		Entry(211001, corehistory.In, Merchant, 1250000000, "", vault.MemoForeign, 5*time.Hour),
		Entry(210500, corehistory.In, Caro1, 1, "refund here", vault.MemoPlain, 70*time.Hour),
		Entry(210400, corehistory.In, Bob, 140000000000, "invoice 88", vault.MemoPlain, 75*time.Hour),
		Entry(210300, corehistory.Out, Bob, 7500000000, "", vault.MemoNone, 140*time.Hour),
		{ID: 210200, Code: 2, Name: "account update", Time: ledger.TimeOf(Start.Add(-200 * time.Hour)), Block: 18100000, Final: true,
			From: Alice, With: Alice, FeeAsset: DCT, Fee: 500000, Sentence: "alice changed its account"},
	}
	p.Paid = []walletcore.Payment{
		{ID: TxID(1), State: walletcore.PaymentInBlock, Review: Review(Carol, 12000000000), Prepared: Start.Add(-54 * time.Second),
			Sent: Start.Add(-53 * time.Second), InBlock: Start.Add(-48 * time.Second), Block: 18204502, TrxInBlock: 3, Last: 18204494, Taken: true},
		{ID: TxID(65), State: walletcore.PaymentUnknown, Review: Review(Bob, 1000000000), Prepared: Start.Add(-18 * time.Second),
			Sent: Start.Add(-17 * time.Second), Expiration: ledger.TimeOf(Start.Add(12 * time.Second)), Reason: "node us-2 closed the line before answering"},
	}
	p.Next = Review(Carol, 25000000000)
	return p
}

// Entry makes a row of the history of Alice.
// Entry makes a row of the history of Alice.
func Entry(id ledger.HistoryID, dir corehistory.Direction, with ledgerview.AccountRef, amount int64, memo string, state vault.MemoState, ago time.Duration) corehistory.Entry {
	e := corehistory.Entry{ID: id, Name: "transfer", Time: ledger.TimeOf(Start.Add(-ago)), Block: 18204502 - uint32(ago/(5*time.Second)),
		TrxInBlock: 3, Final: ago > time.Hour, Direction: dir, With: with, Asset: DCT, Amount: amount, FeeAsset: DCT, Fee: 500000, Memo: memo, MemoState: state}
	e.From, e.To = Alice, with
	if dir == corehistory.In {
		e.From, e.To = with, Alice
	}
	return e
}

// Review makes what the review of a payment by Alice shows.
func Review(to ledgerview.AccountRef, amount int64) walletcore.Review {
	key := ledger.DeriveKey("golden screens", 0).Public()
	return walletcore.Review{Operation: "transfer (0)", From: Alice, To: to, Asset: DCT, Amount: amount, FeeAsset: DCT, Fee: 500000,
		Memo: "rent november, thank you", MemoState: vault.MemoOpen, MemoBytes: 24, Available: 1248050310000,
		SignsWith: []ledger.PublicKey{key}, Chain: ledger.ChainID{0x47, 0x77, 0xb2, 0x83}, PaidBefore: 14,
		JSON: "{\n  \"operations\": [\n    [0, {\"amount\": 25000000000}]\n  ]\n}", Bytes: "00ff00ff"}
}

// Locked is Drawn with the wallet locked.
func Locked() *FakeWallet {
	p := Drawn()
	p.State.Lock = walletcore.LockLocked
	return p
}

// Unmade is Drawn before there is a wallet.
func Unmade() *FakeWallet {
	p := Drawn()
	p.State.Lock = walletcore.LockNew
	return p
}
