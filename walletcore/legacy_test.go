package walletcore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/keystore"
	"billfold/sandbox"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

const (
	legacyPath     = "testdata/wallet-legacy.json"
	legacyPassword = "pass123"
)

// ofGenesis starts the ledger that the recorded wallet.json belongs to.
func ofGenesis(t testing.TB) *sandbox.Sandbox {
	t.Helper()
	text, err := os.ReadFile("testdata/genesis.json")
	must(t, err)
	genesis, err := sandbox.ReadGenesis(text)
	must(t, err)
	return ledgerOf(t, sandbox.Options{Genesis: genesis})
}

// folder reports what is in the wallet's folder, so that no change goes unseen.
func folder(t testing.TB, path string) string {
	t.Helper()
	var all strings.Builder
	entries, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		must(t, err)
		all.WriteString(e.Name() + "\n" + string(data) + "\n")
	}
	return all.String()
}

func TestImportLegacyIntoANewWallet(t *testing.T) {
	box := ofGenesis(t)
	s := beginAt(t, box, box.URL())
	got, err := s.wallet.Import.ImportLegacy(s.ctx, legacyPath, legacyPassword, password)
	must(t, err)
	if got.ChainID != box.ChainID() || len(got.Accounts) == 0 || got.Keys != len(s.storedKeys()) ||
		len(s.wallet.Own.List()) != len(got.Accounts) {
		t.Errorf("it brought %+v, on disk are %d keys", got, len(s.storedKeys()))
	}
	s.wantLock(vault.Unlocked)
	dump, err := s.wallet.Vault.DumpPrivateKeys()
	if err != nil || len(dump.ECKeys) != got.Keys {
		t.Errorf("the dump has %d keys, %v", len(dump.ECKeys), err)
	}
	s.mine()
	_, err = s.wallet.Payments.Spend(
		s.ctx,
		build.NewRequest("transfer",
			build.TransferParams{From: "nathan", To: "decent", Amount: "1", Asset: "DCT", Memo: "with keys of old"}, build.Transfer),
		payment.Sending{Broadcast: true},
	)
	must(t, err)
	s.wallet.Vault.Lock()
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	held := folder(t, s.wallet.Vault.Path)
	_, err = s.wallet.Import.ImportLegacy(s.ctx, legacyPath, legacyPassword, "")
	if must(t, err); folder(t, s.wallet.Vault.Path) != held {
		t.Error("importing the same again changed the folder")
	}
}

func TestImportLegacyIntoAnExistingWallet(t *testing.T) {
	box := ofGenesis(t)
	s := beginAt(t, box, box.URL())
	must(t, s.wallet.Vault.Create(s.ctx, password))
	s.wallet.Vault.Lock()
	_, err := s.wallet.Import.ImportLegacy(s.ctx, legacyPath, legacyPassword, "")
	refused(t, err, fault.Locked)
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	first, err := s.wallet.Import.ImportLegacy(s.ctx, legacyPath, legacyPassword, "")
	must(t, err)
	held := folder(t, s.wallet.Vault.Path)
	again, err := s.wallet.Import.ImportLegacy(s.ctx, legacyPath, legacyPassword, "")
	if err != nil || again.Keys != first.Keys || len(s.storedKeys()) != first.Keys {
		t.Errorf("the second import says %d keys, the first %d: %v", again.Keys, first.Keys, err)
	}
	if folder(t, s.wallet.Vault.Path) != held {
		t.Error("importing the same again changed the folder")
	}
}

func TestRefusedLegacyImportChangesNothing(t *testing.T) {
	box := ofGenesis(t)
	whole, err := os.ReadFile(legacyPath)
	must(t, err)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	newer := write("newer", strings.Replace(string(whole), `"version": 1`, `"version": 9`, 1))
	cases := []struct {
		name, path, password string
		code                 fault.Code
	}{
		{"wrong password", legacyPath, "pass124", fault.WrongPassword},
		{"empty password", legacyPath, "", fault.EmptyPassword},
		{"missing", filepath.Join(dir, "none"), legacyPassword, fault.File},
		{"a folder", dir, legacyPassword, fault.File},
		{"cut short", write("short", string(whole[:len(whole)/2])), legacyPassword, fault.File},
		{"newer version", newer, legacyPassword, fault.File},
		{"no wallet", write("other", "hello"), legacyPassword, fault.File},
	}
	for _, existing := range []bool{false, true} {
		s := beginAt(t, box, box.URL())
		if existing {
			must(t, s.wallet.Vault.Create(s.ctx, password))
		}
		before := folder(t, s.wallet.Vault.Path)
		for _, c := range cases {
			_, err := s.wallet.Import.ImportLegacy(s.ctx, c.path, c.password, password)
			if e := refused(t, err, c.code); strings.Contains(e.Error(), legacyPassword) {
				t.Errorf("%s: the error shows the password", c.name)
			}
			if folder(t, s.wallet.Vault.Path) != before || s.wallet.Vault.IsNew() == existing {
				t.Errorf("%s: something changed on disk", c.name)
			}
		}
	}
	if after, _ := os.ReadFile(legacyPath); string(after) != string(whole) {
		t.Error("the imported file was changed")
	}
}

func TestLegacyOfAnotherChainIsRefused(t *testing.T) {
	s := begin(t)
	_, err := s.wallet.Import.ImportLegacy(s.ctx, legacyPath, legacyPassword, password)
	refused(t, err, fault.WrongChain)
	if !s.wallet.Vault.IsNew() || folder(t, s.wallet.Vault.Path) != "" {
		t.Error("a wallet was made of it")
	}
	path := filepath.Join(t.TempDir(), "wallet.keys")
	_, err = keystore.Create(path, password, keystore.Public{ChainID: s.box.ChainID()}, nil, cheap())
	must(t, err)
	other := connect(t, path, "ws://127.0.0.1:1", nil)
	must(t, other.wallet.Vault.Unlock(other.ctx, password))
	_, err = other.wallet.Import.ImportLegacy(other.ctx, legacyPath, legacyPassword, "")
	refused(t, err, fault.WrongChain)
}
