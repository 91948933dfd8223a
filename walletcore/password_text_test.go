package walletcore_test

import (
	"strings"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
)

// A new password with something in it that nobody sees is refused by name, and the one before still opens.
func TestANewPasswordHasNothingInvisible(t *testing.T) {
	w := testwallet.Open(t, "alice")
	for password, want := range map[string]string{"ab\u200bc-long-pass": "character 3 of the password is invisible: U+200B", "ends in a blank ": "a blank at an end",
		"\xff\xfea\x00b\x00c\x00": "UTF-16", "Latin-1 \xe9": "not UTF-8 text"} {
		err := w.Vault.SetPassword(password)
		if fault.CodeOf(err) != fault.BadValue || !strings.Contains(err.Error(), want) {
			t.Errorf("%+q: %v, want %s", password, err, want)
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
