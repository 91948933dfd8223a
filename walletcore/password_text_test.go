package walletcore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/backup"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// A new password with something in it that nobody sees is refused by name, and the one before still opens.
func TestANewPasswordHasNothingInvisible(t *testing.T) {
	w := testwallet.Open(t, "alice")
	for password, want := range map[string]string{"ab\u200bc-long-pass": "character 3 of the password is invisible: U+200B", "ends in a blank ": "a blank at an end",
		"\xff\xfea\x00b\x00c\x00": "UTF-16", "Latin-1 \xe9": "not UTF-8 text", "two\nlines": "U+000A", "tab at the end\t": "U+0009", "\u200b": "U+200B",
		"soft\u00adhyphen": "U+00AD", "zero\x00": "U+0000"} {
		for how, set := range map[string]func() error{
			"set":    func() error { return w.Vault.SetPassword(password) },
			"change": func() error { return w.Vault.ChangePassword(t.Context(), testwallet.Password, password) },
			"create": func() error {
				return (&vault.Vault{Config: vault.Config{DaemonChain: func() ledger.ChainID { return ledger.ChainID{} }}}).Create(t.Context(), password)
			},
			"backup": func() error {
				_, err := backup.Make(t.Context(), backup.Source{Folder: t.TempDir()}, filepath.Join(t.TempDir(), "backup"), backup.Seal{Password: password})
				if err != nil {
					err = fault.KeyFile("backup", err)
				}
				return err
			},
		} {
			if err := set(); fault.CodeOf(err) != fault.BadValue || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %+q: %v, want %s", how, password, err, want)
			}
		}
	}
	w.Vault.Lock()
	if err := w.Vault.Unlock(t.Context(), "\xff\xfea\x00b\x00c\x00"); fault.CodeOf(err) != fault.WrongPassword || !strings.Contains(err.Error(), "the text is UTF-16") {
		t.Errorf("one in UTF-16 is told as %v", err)
	}
	testwallet.Must(t, w.Vault.Unlock(t.Context(), testwallet.Password))
	testwallet.Must(t, w.Vault.SetPassword("\uFEFFcafe\u0301 and three more"))
	testwallet.Must(t, w.Vault.Unlock(t.Context(), "café and three more"))
}
