package walletcore

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// derived is what the reference makes of an owner key in an empty wallet.
func derived(owner ledger.PrivateKey) (active, memo ledger.PrivateKey) {
	active = ledger.DeriveKey(owner.WIF(), 0)
	return active, ledger.DeriveKey(active.WIF(), 0)
}

func (s *stage) storedKeys() []ledger.PublicKey {
	s.t.Helper()
	store, err := keystore.Open(s.wallet.Vault.Path)
	must(s.t, err)
	return store.PublicKeys()
}

func TestImportKeyOfAnOwnerBringsTheDerivedKeys(t *testing.T) {
	s := open(t)
	alice := keyOf("alice")
	belongs, err := s.wallet.Import.ImportKey(s.ctx, "alice", alice.WIF())
	must(t, err)
	active, memo := derived(alice)
	want := []ledger.PublicKey{alice.Public(), active.Public(), memo.Public()}
	slices.SortFunc(want, ledger.ComparePublicKeys)
	if got := s.storedKeys(); !belongs || !slices.Equal(got, want) {
		t.Errorf("belongs %v, on disk %v, want %v", belongs, got, want)
	}
	if wif, err := s.wallet.Vault.PrivateKeyOf(active.Public()); err != nil || string(wif) != active.WIF() {
		t.Errorf("the derived key is %v, %v", wif != nil, err)
	}
	if dump, err := s.wallet.Vault.DumpPrivateKeys(); err != nil || len(dump.ECKeys) != 3 || len(dump.ElGamalKeys) != 3 {
		t.Errorf("the dump has %d and %d keys, %v", len(dump.ECKeys), len(dump.ElGamalKeys), err)
	}
}

// A second import skips what the first one used.
func TestImportKeyAgainDerivesTheNextKeys(t *testing.T) {
	s := open(t)
	for range 2 {
		_, err := s.wallet.Import.ImportKey(s.ctx, "alice", keyOf("alice").WIF())
		must(t, err)
	}
	next := ledger.DeriveKey(keyOf("alice").WIF(), 1)
	if got := s.storedKeys(); len(got) != 5 || !slices.Contains(got, next.Public()) {
		t.Errorf("after two imports there are %d keys, next one held: %v", len(got), slices.Contains(got, next.Public()))
	}
}

func TestImportKeyOfAnotherAccountIsKeptButDoesNotBelong(t *testing.T) {
	s := open(t)
	belongs, err := s.wallet.Import.ImportKey(s.ctx, "alice", keyOf("carol").WIF())
	must(t, err)
	if got := s.storedKeys(); belongs || len(got) != 1 || got[0] != keyOf("carol").Public() {
		t.Errorf("belongs %v, keys %v", belongs, got)
	}
	store, err := keystore.Open(s.wallet.Vault.Path)
	must(t, err)
	if got := store.Public().ChainID; got != s.box.ChainID() {
		t.Errorf("the keystore belongs to chain %s", got)
	}
}

func TestImportKeyRefusals(t *testing.T) {
	s := open(t)
	before, err := os.ReadFile(s.wallet.Vault.Path)
	must(t, err)
	wif := keyOf("alice").WIF()
	for _, c := range []struct {
		name, account, key string
		code               fault.Code
	}{
		{"no key", "alice", "", fault.BadKey},
		{"broken key", "alice", wif[:50] + "x", fault.BadKey},
		{"public key", "alice", keyOf("alice").Public().String(), fault.BadKey},
		{"no account", "", wif, fault.EmptyAccount},
		{"unknown account", "nobody", wif, fault.NoSuchAccount},
		{"unknown id", "1.2.99999", wif, fault.NoSuchAccount},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.wallet.Import.ImportKey(s.ctx, c.account, c.key)
			refused(t, err, c.code)
		})
	}
	if after, _ := os.ReadFile(s.wallet.Vault.Path); string(after) != string(before) {
		t.Error("a refused import changed the file")
	}
}

func TestKeyLookUps(t *testing.T) {
	s := open(t, "alice")
	if pub, err := vault.PublicKeyOf(keyOf("carol").WIF()); err != nil || pub != keyOf("carol").Public() {
		t.Errorf("got %s, %v", pub, err)
	}
	_, err := vault.PublicKeyOf("5Jnonsense")
	refused(t, err, fault.BadWIF)
	_, err = s.wallet.Vault.PrivateKeyOf(keyOf("carol").Public())
	refused(t, err, fault.KeyNotInWallet)
	info := vault.BrainKeyInfoOf("  a very long\tbrain key\n indeed ")
	if info.BrainKey != "A VERY LONG BRAIN KEY INDEED" || info.WIF != ledger.DeriveKey(info.BrainKey, 0).WIF() {
		t.Errorf("the brain key is %q", info.BrainKey)
	}
	one, err := vault.SuggestBrainKey()
	must(t, err)
	two, err := vault.SuggestBrainKey()
	must(t, err)
	if one.PublicKey == two.PublicKey || vault.BrainKeyInfoOf(one.BrainKey) != one {
		t.Error("suggested brain keys are not new each time, or do not give what they say")
	}
}

func TestKeysOfAnotherChainAreRefused(t *testing.T) {
	s := begin(t)
	foreign := keystore.Public{ChainID: ledger.ChainID{1, 2, 3}}
	path := filepath.Join(t.TempDir(), "wallet.keys")
	_, err := keystore.Create(path, password, foreign, nil, cheap())
	must(t, err)
	other := connect(t, path, s.box.URL(), nil)
	must(t, other.client.WaitOnline(other.ctx))
	must(t, other.wallet.Vault.Unlock(other.ctx, password))
	_, err = other.wallet.Import.ImportKey(other.ctx, "alice", keyOf("alice").WIF())
	refused(t, err, fault.WrongChain)
	_, err = other.wallet.Payments.Spend(other.ctx,
		build.NewRequest("transfer", build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}, build.Transfer),
		payment.Sending{Broadcast: true})
	refused(t, err, fault.WrongChain)
}
