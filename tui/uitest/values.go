package uitest

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Start is the time at which every test in virtual time begins.
var Start = time.Date(2026, 11, 20, 14, 2, 58, 0, time.UTC)

// Password is the password of every wallet in the tests.
const Password = "correct horse"

// The assets and accounts of the drawings.
var (
	DCT    = ledgerview.AssetRef{ID: 0, Symbol: "DCT", Precision: 8}
	Gold   = ledgerview.AssetRef{ID: 1, Symbol: "ALX.GOLD", Precision: 4}
	USDX   = ledgerview.AssetRef{ID: 2, Symbol: "USDX", Precision: 2}
	Points = ledgerview.AssetRef{ID: 3, Symbol: "POINTS", Precision: 0}
	Huge   = ledgerview.AssetRef{ID: 5, Symbol: "HUGE", Precision: 8}

	Alice    = ledgerview.AccountRef{ID: 34, Name: "alice"}
	Savings  = ledgerview.AccountRef{ID: 88, Name: "savings-1"}
	Carol    = ledgerview.AccountRef{ID: 57, Name: "carol"}
	Caro1    = ledgerview.AccountRef{ID: 112, Name: "caro1"}
	Bob      = ledgerview.AccountRef{ID: 110, Name: "bob-trade"}
	Merchant = ledgerview.AccountRef{ID: 111, Name: "merchant-7"}
	Longest  = ledgerview.AccountRef{ID: 113, Name: "a-very-long-account-name-that-goes-on-and-on-up-to-sixty-three"}
)

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Review returns the review of a payment by Alice in DCT.
func Review(to ledgerview.AccountRef, amount int64) txbuild.Review {
	key := ledger.DeriveKey("golden screens", 0).Public()
	return txbuild.Review{Operation: "transfer (0)", From: Alice, To: to, ToObject: to.ID.Object(),
		Asset: DCT, Amount: amount, FeeAsset: DCT, Fee: 500000,
		Memo: "rent november, thank you", MemoState: vault.MemoOpen, MemoBytes: 24, Available: 1248050310000,
		SignsWith: []ledger.PublicKey{key},
		SignsAs:   []txbuild.AuthorityKey{{Key: key, Account: Alice, Role: "active", For: Alice}},
		Chain:     ledger.ChainID{0x47, 0x77, 0xb2, 0x83}, PaidBefore: 14,
		JSON: "{\n  \"operations\": [\n    [0, {\"amount\": 25000000000}]\n  ]\n}", Bytes: "00ff00ff"}
}
