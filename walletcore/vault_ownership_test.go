package walletcore_test

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// owned returns the ownership of an account on the wallet's list.
func owned(s *testwallet.Wallet, name string) (o vault.Ownership, listed bool) {
	s.T.Helper()
	for _, a := range s.Own.List() {
		if a.Name == name {
			return a.Ownership, true
		}
	}
	return vault.OwnershipUnknown, false
}

func wantOwned(s *testwallet.Wallet, name string, want vault.Ownership) {
	s.T.Helper()
	s.Until(name+" is "+want.String(), func() bool { o, listed := owned(s, name); return listed && o == want })
}

// A key stored under a stranger's name, which import_key over RPC allows, makes the
// stranger neither an own account nor one that can sign.
func TestKeyStoredUnderAStrangerOwnsNothing(t *testing.T) {
	s := testwallet.Open(t, "alice")
	if belongs, err := s.Import.ImportKey(s.Ctx, "carol", testwallet.Key("alice").WIF()); err != nil || belongs {
		t.Fatalf("belongs %v, %v", belongs, err)
	}
	wantOwned(s, "alice", vault.OwnershipFull)
	wantOwned(s, "carol", vault.OwnershipWatch)
	s.Vault.Lock()
	wantOwned(s, "alice", vault.OwnershipFull) // public keys are enough
}

// The whole authority counts: weights and nested accounts, also after it changes.
func TestOwnershipFollowsTheAuthority(t *testing.T) {
	s := testwallet.Open(t, "alice")
	_, err := s.Import.ImportKey(s.Ctx, "bobby", testwallet.Key("alice").WIF())
	testwallet.Must(t, err)
	alice := s.Account("alice").ID
	bobby := s.Account("bobby").ID
	two := ledger.Authority{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{{Key: testwallet.Key("bobby").Public(), Weight: 1}},
		AccountAuths: []ledger.AccountWeight{{Account: alice, Weight: 1}}}
	wantOwned(s, "bobby", vault.OwnershipWatch)
	changeAuthority(s, bobby, two)
	wantOwned(s, "bobby", vault.OwnershipPartial)
	two.AccountAuths[0].Weight = 2
	changeAuthority(s, bobby, two)
	wantOwned(s, "bobby", vault.OwnershipFull)
	changeAuthority(s, bobby, ledger.SingleKeyAuthority(testwallet.Key("bobby").Public()))
	wantOwned(s, "bobby", vault.OwnershipWatch)
}

// changeAuthority changes the active authority of an account whose owner key is the demo's,
// without the wallet.
func changeAuthority(s *testwallet.Wallet, id ledger.AccountID, active ledger.Authority) {
	s.T.Helper()
	name := s.View.Accounts.Ref(id).Name
	update := ledger.NewOperation(&ledger.AccountUpdateOp{Account: id, Active: &active})
	info, err := s.Payments.Spend(s.Ctx, testwallet.Ready(update), payment.Sending{})
	testwallet.Must(s.T, err)
	digest, err := info.Digest(s.Box.ChainID())
	testwallet.Must(s.T, err)
	key := testwallet.Key(name)
	info.Signatures = []ledger.Signature{key.Sign(digest)}
	testwallet.Must(s.T, s.Client.BroadcastTransaction(s.Ctx, &info.SignedTransaction))
	s.Mine()
}

func TestImportFindsTheAccountsOfAKey(t *testing.T) {
	s := testwallet.Open(t)
	got, err := s.Import.ImportAccountKey(s.Ctx, vault.KeyImport{WIF: testwallet.Key("alice").WIF()})
	testwallet.Must(t, err)
	if len(got.Accounts) != 1 || got.Accounts[0].Name != "alice" || got.Accounts[0].Roles() != "owner, active, memo" {
		t.Errorf("the key was stored for %+v", got.Accounts)
	}
	if o, listed := owned(s, "alice"); !listed || o != vault.OwnershipFull {
		t.Errorf("right after the import alice is %v, listed %v", o, listed)
	}
	if keys := storedKeys(s); !slices.Equal(keys, []ledger.PublicKey{testwallet.Key("alice").Public()}) {
		t.Errorf("keys that nobody names were stored too: %v", keys)
	}
}

func TestImportOfAKeyOfNoAccount(t *testing.T) {
	s := testwallet.Open(t)
	lost := ledger.DeriveKey("lost", 0)
	_, err := s.Import.ImportAccountKey(s.Ctx, vault.KeyImport{WIF: lost.WIF()})
	faulttest.Refused(t, err, fault.KeyUnused)
	_, err = s.Import.ImportAccountKey(s.Ctx, vault.KeyImport{WIF: testwallet.Key("alice").WIF(), Account: "carol"})
	faulttest.Refused(t, err, fault.KeyUnused)
	if keys := storedKeys(s); len(keys) != 0 || len(s.Own.List()) != 0 {
		t.Errorf("a refused key was stored: %v, accounts %v", keys, s.Own.List())
	}
	got, err := s.Import.ImportAccountKey(s.Ctx, vault.KeyImport{WIF: lost.WIF(), Anyway: true})
	if err != nil || len(got.Accounts) != 0 || len(s.Own.List()) != 0 || len(storedKeys(s)) != 1 {
		t.Errorf("kept anyway: %+v, %v, accounts %v", got, err, s.Own.List())
	}
}

func TestAccountIsRemovedFromTheList(t *testing.T) {
	s := testwallet.Open(t, "alice", "bobby")
	testwallet.Must(t, s.Own.Remove("bobby"))
	if _, listed := owned(s, "bobby"); listed || len(storedKeys(s)) != 2 {
		t.Errorf("bobby is listed %v, %d keys are left", listed, len(storedKeys(s)))
	}
	faulttest.Refused(t, s.Own.Remove("bobby"), fault.NoSuchAccount)
	s.ImportKey("bobby", testwallet.Key("bobby"))
	wantOwned(s, "bobby", vault.OwnershipFull)
	s.Vault.Lock()
	faulttest.Refused(t, s.Own.Remove("bobby"), fault.Locked)
}
