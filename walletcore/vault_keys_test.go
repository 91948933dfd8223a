package walletcore_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// derived returns the keys that the reference derives from an owner key in an empty wallet.
func derived(owner ledger.PrivateKey) (active, memo ledger.PrivateKey) {
	active = ledger.DeriveKey(owner.WIF(), 0)
	return active, ledger.DeriveKey(active.WIF(), 0)
}

func storedKeys(s *testwallet.Wallet) []ledger.PublicKey {
	s.T.Helper()
	store, err := keystore.Open(s.Vault.Path)
	testwallet.Must(s.T, err)
	return store.PublicKeys()
}

func TestImportOfAnOwnerKeyAddsTheDerivedKeys(t *testing.T) {
	s := testwallet.Open(t)
	alice := testwallet.Key("alice")
	belongs, err := s.Import.ImportKey(s.Ctx, "alice", alice.WIF())
	testwallet.Must(t, err)
	active, memo := derived(alice)
	want := []ledger.PublicKey{alice.Public(), active.Public(), memo.Public()}
	slices.SortFunc(want, ledger.ComparePublicKeys)
	if got := storedKeys(s); !belongs || !slices.Equal(got, want) {
		t.Errorf("belongs %v, on disk %v, want %v", belongs, got, want)
	}
	if wif, err := s.Vault.PrivateKeyOf(active.Public()); err != nil || string(wif) != active.WIF() {
		t.Errorf("the derived key is %v, %v", wif != nil, err)
	}
	if dump, err := s.Vault.DumpPrivateKeys(); err != nil || len(dump.ECKeys) != 3 || len(dump.ElGamalKeys) != 3 {
		t.Errorf("the dump has %d and %d keys, %v", len(dump.ECKeys), len(dump.ElGamalKeys), err)
	}
}

// A second import skips the keys that the first one derived.
func TestImportKeyAgainDerivesTheNextKeys(t *testing.T) {
	s := testwallet.Open(t)
	for range 2 {
		_, err := s.Import.ImportKey(s.Ctx, "alice", testwallet.Key("alice").WIF())
		testwallet.Must(t, err)
	}
	next := ledger.DeriveKey(testwallet.Key("alice").WIF(), 1)
	if got := storedKeys(s); len(got) != 5 || !slices.Contains(got, next.Public()) {
		t.Errorf("after two imports there are %d keys, next one held: %v", len(got), slices.Contains(got, next.Public()))
	}
}

func TestImportKeyOfAnotherAccountIsKeptButDoesNotBelong(t *testing.T) {
	s := testwallet.Open(t)
	belongs, err := s.Import.ImportKey(s.Ctx, "alice", testwallet.Key("carol").WIF())
	testwallet.Must(t, err)
	if got := storedKeys(s); belongs || len(got) != 1 || got[0] != testwallet.Key("carol").Public() {
		t.Errorf("belongs %v, keys %v", belongs, got)
	}
	store, err := keystore.Open(s.Vault.Path)
	testwallet.Must(t, err)
	if got := store.Public().ChainID; got != s.Box.ChainID() {
		t.Errorf("the keystore belongs to chain %s", got)
	}
}

func TestImportKeyRefusals(t *testing.T) {
	s := testwallet.Open(t)
	before, err := os.ReadFile(s.Vault.Path)
	testwallet.Must(t, err)
	wif := testwallet.Key("alice").WIF()
	for _, c := range []struct {
		name, account, key string
		code               fault.Code
	}{
		{"no key", "alice", "", fault.BadKey},
		{"broken key", "alice", wif[:50] + "x", fault.BadKey},
		{"public key", "alice", testwallet.Key("alice").Public().String(), fault.BadKey},
		{"no account", "", wif, fault.EmptyAccount},
		{"unknown account", "nobody", wif, fault.NoSuchAccount},
		{"unknown id", "1.2.99999", wif, fault.NoSuchAccount},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.Import.ImportKey(s.Ctx, c.account, c.key)
			faulttest.Refused(t, err, c.code)
		})
	}
	if after, _ := os.ReadFile(s.Vault.Path); string(after) != string(before) {
		t.Error("a refused import changed the file")
	}
}

func TestKeyLookUps(t *testing.T) {
	s := testwallet.Open(t, "alice")
	if pub, err := vault.PublicKeyOf(testwallet.Key("carol").WIF()); err != nil || pub != testwallet.Key("carol").Public() {
		t.Errorf("got %s, %v", pub, err)
	}
	_, err := vault.PublicKeyOf("5Jnonsense")
	faulttest.Refused(t, err, fault.BadWIF)
	_, err = s.Vault.PrivateKeyOf(testwallet.Key("carol").Public())
	faulttest.Refused(t, err, fault.KeyNotInWallet)
	info := vault.BrainKeyInfoOf("  a very long\tbrain key\n indeed ")
	if info.BrainKey != "A VERY LONG BRAIN KEY INDEED" || info.WIF != ledger.DeriveKey(info.BrainKey, 0).WIF() {
		t.Errorf("the brain key is %q", info.BrainKey)
	}
	one, err := vault.SuggestBrainKey()
	testwallet.Must(t, err)
	two, err := vault.SuggestBrainKey()
	testwallet.Must(t, err)
	if one.PublicKey == two.PublicKey || vault.BrainKeyInfoOf(one.BrainKey) != one {
		t.Error("suggested brain keys are not new each time, or do not give what they say")
	}
}

func TestKeysOfAnotherChainAreRefused(t *testing.T) {
	s := testwallet.New(t, nil)
	foreign := keystore.Public{ChainID: ledger.ChainID{1, 2, 3}}
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	_, err := keystore.Create(path, testwallet.Password, foreign, nil, testwallet.CheapKeys())
	testwallet.Must(t, err)
	other := testwallet.Connect(t, path, s.Box.URL(), nil)
	testwallet.Must(t, other.Client.WaitOnline(other.Ctx))
	testwallet.Must(t, other.Vault.Unlock(other.Ctx, testwallet.Password))
	_, err = other.Import.ImportKey(other.Ctx, "alice", testwallet.Key("alice").WIF())
	faulttest.Refused(t, err, fault.WrongChain)
	_, err = other.Payments.Spend(other.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
		payment.Sending{Broadcast: true})
	faulttest.Refused(t, err, fault.WrongChain)
}
