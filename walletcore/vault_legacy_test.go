package walletcore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/keystore"
	"billfold/sandbox"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

const (
	legacyPath     = "../keystore/testdata/wallet-legacy.json"
	legacyPassword = "pass123"
)

// ofGenesis starts the ledger of the recorded wallet.json.
func ofGenesis(t testing.TB) *sandbox.Sandbox {
	t.Helper()
	text, err := os.ReadFile("../sandbox/testdata/genesis.json")
	testwallet.Must(t, err)
	genesis, err := sandbox.ReadGenesis(text)
	testwallet.Must(t, err)
	return testwallet.Ledger(t, sandbox.Options{Genesis: genesis})
}

func TestImportLegacyIntoANewWallet(t *testing.T) {
	box := ofGenesis(t)
	s := testwallet.On(t, box, box.URL(), nil)
	got, err := s.Import.ImportLegacy(s.Ctx, legacyPath, legacyPassword, testwallet.Password)
	testwallet.Must(t, err)
	if got.ChainID != box.ChainID() || len(got.Accounts) == 0 || got.Keys != len(storedKeys(s)) ||
		len(s.Own.List()) != len(got.Accounts) {
		t.Errorf("it brought %+v, on disk are %d keys", got, len(storedKeys(s)))
	}
	wantLock(s, vault.Unlocked)
	dump, err := s.Vault.DumpPrivateKeys()
	if err != nil || len(dump.ECKeys) != got.Keys {
		t.Errorf("the dump has %d keys, %v", len(dump.ECKeys), err)
	}
	s.Mine()
	_, err = s.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer",
			txbuild.TransferParams{From: "nathan", To: "decent", Amount: "1", Asset: "DCT", Memo: "with keys of old"}, txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
	testwallet.Must(t, err)
	s.Vault.Lock()
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	held := s.Folder()
	_, err = s.Import.ImportLegacy(s.Ctx, legacyPath, legacyPassword, "")
	if testwallet.Must(t, err); s.Folder() != held {
		t.Error("importing the same again changed the folder")
	}
}

func TestImportLegacyIntoAnExistingWallet(t *testing.T) {
	box := ofGenesis(t)
	s := testwallet.On(t, box, box.URL(), nil)
	testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
	s.Vault.Lock()
	_, err := s.Import.ImportLegacy(s.Ctx, legacyPath, legacyPassword, "")
	faulttest.Refused(t, err, fault.Locked)
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	first, err := s.Import.ImportLegacy(s.Ctx, legacyPath, legacyPassword, "")
	testwallet.Must(t, err)
	held := s.Folder()
	again, err := s.Import.ImportLegacy(s.Ctx, legacyPath, legacyPassword, "")
	if err != nil || again.Keys != first.Keys || len(storedKeys(s)) != first.Keys {
		t.Errorf("the second import says %d keys, the first %d: %v", again.Keys, first.Keys, err)
	}
	if s.Folder() != held {
		t.Error("importing the same again changed the folder")
	}
}

func TestRefusedLegacyImportChangesNothing(t *testing.T) {
	box := ofGenesis(t)
	whole, err := os.ReadFile(legacyPath)
	testwallet.Must(t, err)
	dir := testwallet.Folder(t)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		testwallet.Must(t, os.WriteFile(path, []byte(text), 0o600))
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
		s := testwallet.On(t, box, box.URL(), nil)
		if existing {
			testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
		}
		before := s.Folder()
		for _, c := range cases {
			_, err := s.Import.ImportLegacy(s.Ctx, c.path, c.password, testwallet.Password)
			if e := faulttest.Refused(t, err, c.code); strings.Contains(e.Error(), legacyPassword) {
				t.Errorf("%s: the error shows the password", c.name)
			}
			if s.Folder() != before || s.Vault.IsNew() == existing {
				t.Errorf("%s: something changed on disk", c.name)
			}
		}
	}
	if after, _ := os.ReadFile(legacyPath); string(after) != string(whole) {
		t.Error("the imported file was changed")
	}
}

func TestLegacyOfAnotherChainIsRefused(t *testing.T) {
	s := testwallet.New(t, nil)
	_, err := s.Import.ImportLegacy(s.Ctx, legacyPath, legacyPassword, testwallet.Password)
	faulttest.Refused(t, err, fault.WrongChain)
	if !s.Vault.IsNew() || s.Folder() != "" {
		t.Error("a wallet was made of it")
	}
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	_, err = keystore.Create(path, testwallet.Password, keystore.Public{ChainID: s.Box.ChainID()}, nil, testwallet.CheapKeys())
	testwallet.Must(t, err)
	other := testwallet.Connect(t, path, "ws://127.0.0.1:1", nil)
	testwallet.Must(t, other.Vault.Unlock(other.Ctx, testwallet.Password))
	_, err = other.Import.ImportLegacy(other.Ctx, legacyPath, legacyPassword, "")
	e := faulttest.Refused(t, err, fault.WrongChain)
	theirs := ofGenesis(t).ChainID().String()
	if !strings.Contains(e.Error(), "the wallet.json belongs to the chain "+theirs+", and this wallet to "+s.Box.ChainID().String()) {
		t.Error(e)
	}
}
