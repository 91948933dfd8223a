package uitest

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// Drawn returns the wallet of the drawings, unlocked and online.
func Drawn() *FakeWallet {
	p := &FakeWallet{
		State: walletcore.Status{Status: vault.Status{Lock: vault.Unlocked}, Network: "mainnet", Daemon: walletcore.DaemonOnline,
			DaemonURL: "wss://eu-1.example.org:8090", Latency: 41 * time.Millisecond, Head: 18204511, Irreversible: 18204494,
			HeadTime: ledger.TimeOf(Start.Add(-3 * time.Second))},
		Own: []vault.OwnAccount{
			{AccountRef: Alice, Ownership: vault.OwnershipFull},
			{AccountRef: Savings, Ownership: vault.OwnershipWatch},
		},
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
	p.Paid = []payment.Payment{
		{
			ID:       TxID(1),
			State:    payment.InBlock,
			Review:   Review(Carol, 12000000000),
			Prepared: Start.Add(-54 * time.Second),
			Sent: Start.Add(
				-53 * time.Second,
			),
			InBlock:    Start.Add(-48 * time.Second),
			Block:      18204502,
			TrxInBlock: 3,
			Last:       18204494,
			Taken:      true,
		},
		{
			ID:       TxID(65),
			State:    payment.Unknown,
			Review:   Review(Bob, 1000000000),
			Prepared: Start.Add(-18 * time.Second),
			Sent: Start.Add(
				-17 * time.Second,
			),
			Expiration: ledger.TimeOf(Start.Add(12 * time.Second)),
			Reason:     "node us-2 closed the line before answering",
		},
	}
	p.Next = Review(Carol, 25000000000)
	return p
}

// Locked is Drawn with the wallet locked.
func Locked() *FakeWallet {
	p := Drawn()
	p.State.Lock = vault.Locked
	return p
}
