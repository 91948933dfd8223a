package walletcore_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// A phrase brings back the accounts whose keys other programs of the ledger derived from it, however they wrote it and whatever blanks a
// paste has between its words.
func TestPhrasesOfOtherProgramsAreRestored(t *testing.T) {
	const words = "pebble sonata clover bucket magnet willow parrot hammock citrus anchor velvet tundra raisin compass beetle marble"
	const spaced = "ginger\u00a0plume\u00a0cactus\u00a0rowboat\u00a0acorn\u00a0fiddle\u00a0sparrow\u00a0timber\u00a0lemon\u00a0canyon\u00a0ribbon\u00a0walrus\u00a0ember\u00a0quarry\u00a0nectar\u00a0doorbell"
	plain := strings.ReplaceAll(spaced, "\u00a0", " ")
	key := func(form string, n int) ledger.PublicKey { return ledger.DeriveKey(form, n).Public() }
	upper := strings.ToUpper
	w := testwallet.Open(t, "alice")
	for name, c := range map[string]struct {
		typed               string
		owner, active, memo ledger.PublicKey
	}{
		"readmeacct":   {words, key(upper(words), 0), key(words, 1), key(words, 2)},
		"typed-upper":  {upper("more " + words), key("more "+words, 0), key("more "+words, 1), key("more "+words, 2)},
		"nbspace":      {spaced, key(upper(plain), 0), key(upper(plain), 0), key(upper(plain), 0)},
		"wide-blank":   {"\uFEFFx " + strings.ReplaceAll(plain, " ", "\u3000") + "\r\n", key(upper("x "+plain), 0), key("x "+plain, 1), key("x "+plain, 2)},
		"by-reference": {"y\u00a0" + spaced, key(upper("y\u00a0"+spaced), 0), key(upper("y\u00a0"+spaced), 1), key(upper("y\u00a0"+spaced), 2)},
	} {
		w.Send(ledger.NewOperation(&ledger.AccountCreateOp{Registrar: w.Account("alice").ID, Name: name, Owner: ledger.SingleKeyAuthority(c.owner),
			Active: ledger.SingleKeyAuthority(c.active), Options: ledger.NewAccountOptions(c.memo)}))
		w.Mine()
		got, err := w.Import.ImportPhrase(t.Context(), vault.PhraseImport{Phrase: c.typed})
		if err != nil || len(got.Accounts) != 1 || got.Accounts[0].Name != name {
			t.Errorf("%s: %+v, %v", name, got.Accounts, err)
			continue
		}
		if use := got.Accounts[0]; !use.Owner || !use.Active || !use.Memo {
			t.Errorf("%s: restored as %s key alone", name, use.Roles())
		}
	}
}
