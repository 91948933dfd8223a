package walletcore

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// owned is what the wallet says of an account on its list.
func (s *stage) owned(name string) (o vault.Ownership, listed bool) {
	s.t.Helper()
	for _, a := range s.wallet.Own.List() {
		if a.Name == name {
			return a.Ownership, true
		}
	}
	return vault.OwnershipUnknown, false
}

func (s *stage) wantOwned(name string, want vault.Ownership) {
	s.t.Helper()
	s.until(name+" is "+want.String(), func() bool { o, listed := s.owned(name); return listed && o == want })
}

// A key filed under a stranger's name, as import_key over RPC does, makes the
// stranger neither own nor the account that can sign.
func TestKeyFiledUnderAStrangerOwnsNothing(t *testing.T) {
	s := open(t, "alice")
	if belongs, err := s.wallet.Import.ImportKey(s.ctx, "carol", keyOf("alice").WIF()); err != nil || belongs {
		t.Fatalf("belongs %v, %v", belongs, err)
	}
	s.wantOwned("alice", vault.OwnershipFull)
	s.wantOwned("carol", vault.OwnershipWatch)
	s.wallet.Vault.Lock()
	s.wantOwned("alice", vault.OwnershipFull) // public keys are enough
}

// An authority is judged as a whole: weights, nested accounts, and anew when it changes.
func TestOwnershipFollowsTheAuthority(t *testing.T) {
	s := open(t, "alice")
	_, err := s.wallet.Import.ImportKey(s.ctx, "bobby", keyOf("alice").WIF())
	must(t, err)
	alice := s.account("alice").ID
	bobby := s.account("bobby").ID
	two := ledger.Authority{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{{Key: keyOf("bobby").Public(), Weight: 1}},
		AccountAuths: []ledger.AccountWeight{{Account: alice, Weight: 1}}}
	s.wantOwned("bobby", vault.OwnershipWatch)
	s.changeAuthority(bobby, two)
	s.wantOwned("bobby", vault.OwnershipPartial)
	two.AccountAuths[0].Weight = 2
	s.changeAuthority(bobby, two)
	s.wantOwned("bobby", vault.OwnershipFull)
	s.changeAuthority(bobby, ledger.SingleKeyAuthority(keyOf("bobby").Public()))
	s.wantOwned("bobby", vault.OwnershipWatch)
}

// changeAuthority gives an account whose owner key is the demo's another active
// authority; the wallet has no part in it.
func (s *stage) changeAuthority(id ledger.AccountID, active ledger.Authority) {
	s.t.Helper()
	name := s.wallet.View.Accounts.Ref(id).Name
	update := ledger.NewOperation(&ledger.AccountUpdateOp{Account: id, Active: &active})
	info, err := s.wallet.Payments.Spend(s.ctx, given(update), payment.Sending{})
	must(s.t, err)
	digest, err := info.Digest(s.box.ChainID())
	must(s.t, err)
	key := keyOf(name)
	info.Signatures = []ledger.Signature{key.Sign(digest)}
	must(s.t, s.client.BroadcastTransaction(s.ctx, &info.SignedTransaction))
	s.mine()
}

func TestImportFindsTheAccountsOfAKey(t *testing.T) {
	s := open(t)
	got, err := s.wallet.Import.ImportAccountKey(s.ctx, vault.KeyImport{WIF: keyOf("alice").WIF()})
	must(t, err)
	if len(got.Accounts) != 1 || got.Accounts[0].Name != "alice" || got.Accounts[0].Roles() != "owner, active, memo" {
		t.Errorf("the key was stored for %+v", got.Accounts)
	}
	if o, listed := s.owned("alice"); !listed || o != vault.OwnershipFull {
		t.Errorf("right after the import alice is %v, listed %v", o, listed)
	}
	if keys := s.storedKeys(); !slices.Equal(keys, []ledger.PublicKey{keyOf("alice").Public()}) {
		t.Errorf("keys that nobody names were stored too: %v", keys)
	}
}

func TestImportOfAKeyThatActsForNobody(t *testing.T) {
	s := open(t)
	lost := ledger.DeriveKey("lost", 0)
	_, err := s.wallet.Import.ImportAccountKey(s.ctx, vault.KeyImport{WIF: lost.WIF()})
	refused(t, err, fault.KeyUnused)
	_, err = s.wallet.Import.ImportAccountKey(s.ctx, vault.KeyImport{WIF: keyOf("alice").WIF(), Account: "carol"})
	refused(t, err, fault.KeyUnused)
	if keys := s.storedKeys(); len(keys) != 0 || len(s.wallet.Own.List()) != 0 {
		t.Errorf("a refused key was stored: %v, accounts %v", keys, s.wallet.Own.List())
	}
	got, err := s.wallet.Import.ImportAccountKey(s.ctx, vault.KeyImport{WIF: lost.WIF(), Anyway: true})
	if err != nil || len(got.Accounts) != 0 || len(s.wallet.Own.List()) != 0 || len(s.storedKeys()) != 1 {
		t.Errorf("kept anyway: %+v, %v, accounts %v", got, err, s.wallet.Own.List())
	}
}

func TestAccountIsTakenOffTheList(t *testing.T) {
	s := open(t, "alice", "bobby")
	must(t, s.wallet.Own.Remove("bobby"))
	if _, listed := s.owned("bobby"); listed || len(s.storedKeys()) != 2 {
		t.Errorf("bobby is listed %v, %d keys are left", listed, len(s.storedKeys()))
	}
	refused(t, s.wallet.Own.Remove("bobby"), fault.NoSuchAccount)
	s.importKey("bobby", keyOf("bobby"))
	s.wantOwned("bobby", vault.OwnershipFull)
	s.wallet.Vault.Lock()
	refused(t, s.wallet.Own.Remove("bobby"), fault.Locked)
}
