package vault

import (
	"slices"
	"testing"

	"billfold/ledger"
)

// The keys that the reference derives from an owner key are stored when the
// account names them.
func TestImportOfAnOwnerKeyBringsTheDerivedKeysThatAreNamed(t *testing.T) {
	owner := ledger.DeriveKey("A NEW ACCOUNT", 0)
	active := ledger.DeriveKey(owner.WIF(), 0)
	memo := ledger.DeriveKey(active.WIF(), 0)
	acc := &ledger.Account{Owner: ledger.SingleKeyAuthority(owner.Public()), Active: ledger.SingleKeyAuthority(active.Public())}
	acc.Options.MemoKey = memo.Public()
	var got []ledger.PublicKey
	for _, k := range derivedFor(acc, owner) {
		got = append(got, k.Public())
	}
	if want := []ledger.PublicKey{active.Public(), memo.Public()}; !slices.Equal(got, want) {
		t.Errorf("derived %v, want %v", got, want)
	}
}
