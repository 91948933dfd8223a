package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/ledger"
)

// keyOf returns the key of a demo account. These keys are public.
func keyOf(account string) string { return ledger.DeriveKey("billfold sandbox "+account, 0).WIF() }

// takes makes a wallet with the keys of accounts, starting on the first page.
func (v *viewer) takes(accounts ...string) {
	v.t.Helper()
	const password = "seven otters juggle quietly"
	v.finds("● reachable")
	for i, account := range accounts {
		v.types("3")
		v.finds("Private key")
		v.types(keyOf(account) + "\r")
		v.finds("leave it empty to find")
		v.types("\r")
		if i == 0 {
			v.finds("New password")
			v.types(password + "\r")
			v.finds("Once more")
			v.types(password + "\r")
		}
		v.finds("The key is in the wallet")
		v.types("\r")
		v.finds("Recent activity")
		if i+1 < len(accounts) {
			v.types("i")
			v.finds("Imports are added")
		}
	}
}

// signs reads a review and signs it.
func (v *viewer) signs(done string) {
	v.t.Helper()
	v.finds(`\[ S  `)
	v.until(done, func() { v.types("\x1b[6~\x1b[6~\x1b[6~S") }) // pages down; S is accepted only once the review could be read
}

// Two of three signers on the Sign page: an account gets three owners, one of them proposes and approves, the second approves, and
// the payment happens.
func TestTwoOfThreeAtATerminal(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	ledger := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	url := ledger.line(`^websocket +(ws://\S+)$`)
	first, second := watch(t, "--daemon-url="+url), watch(t, "--daemon-url="+url)
	first.takes("alice", "merchant-7")
	second.takes("bobby")

	first.types("6")
	first.finds("Keys of alice")
	first.types("G")
	first.finds(`Keys of merchant-7 1\.2\.\d+`)
	first.types("m")
	first.finds("Who may sign for merchant-7")
	for _, answer := range []string{"both", "2", "alice 1", "bobby 1", "carol 1"} {
		first.types(ctrl('u') + answer + "\r")
	}
	first.types("\r")
	first.finds("you would lose control")
	first.types("\r")
	first.finds("Type the name of the account")
	first.types("merchant-7\r")
	first.signs(`In a block +\d`)
	first.types("\x1b")
	first.finds("Keys of merchant-7")

	first.types("@")
	first.finds("Switch account")
	first.types("j")
	first.types("\r")
	first.finds(`merchant-7 1\.2\.\d+ ▾`)
	first.types("3")
	first.finds(`From +merchant-7`)
	first.types("dave-shop\t")
	first.finds(`dave-shop 1\.2\.\d+`)
	first.types("7" + ctrl('s'))
	first.signs(`In a block +\d`) // the proposal
	first.types("8")
	first.finds(`1\.6\.0`)
	first.types("a")
	first.signs(`In a block +\d`)

	second.types("8")
	second.finds(`1\.6\.0(.|\n)*1 of 2`)
	second.types("a")
	second.signs(`In a block +\d`)
	first.types("2")
	first.until(`To +dave-shop(.|\n)*Amount 7\.00000000 DCT`, func() { first.types("g") }) // the row is new
}

// lineTakes makes a wallet with the keys of accounts in the linear UI.
func lineTakes(w *typist, accounts ...string) {
	w.t.Helper()
	const password = "seven otters juggle quietly"
	w.sees(`Choose 1 to \d > $`)
	for end := time.Now().Add(patience); time.Now().Before(end); { // until the node answers
		if strings.Contains(w.says("where", `Type:(.|\n)* > $`), "Head:") {
			break
		}
	}
	choice := "3"
	for i, account := range accounts {
		w.says(choice, `Private key \(not shown\): $`)
		w.says(keyOf(account), `empty finds(.|\n)* > $`)
		if i == 0 {
			w.says("", `New password \(not shown\): $`)
			w.says(password, `Again \(not shown\): $`)
			w.says(password, `Key kept(.|\n)*home > $`)
		} else {
			w.says("", `Key kept(.|\n)*home > $`)
		}
		if choice = "2"; i+1 < len(accounts) {
			w.says("import", `Choose 1 to \d > $`)
		}
	}
}

// Two of three signers with files in the linear UI: the first signs a file, the second signs and sends it.
func TestTwoOfThreeByFiles(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	ledger := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	url := ledger.line(`^websocket +(ws://\S+)$`)
	at := func() *typist {
		return atTerminal(t, 40, 80, []string{"TERM=dumb"}, "--data-dir="+t.TempDir(), "--daemon-url="+url)
	}
	first, second := at(), at()
	lineTakes(first, "alice", "merchant-7")
	lineTakes(second, "bobby")

	first.says("keys", `keys > $`)
	first.says("multisig 2", `Role.* > $`)
	first.says("3", `needed > $`)
	first.says("2", `Signer 1.* > $`)
	first.says("alice 1", `Signer 2.* > $`)
	first.says("bobby", `Signer 3.* > $`)
	first.says("carol", `Signer 4.* > $`)
	first.says("", `You would lose control(.|\n)*Operation: account update(.|\n)*type the name of the account > $`)
	first.says("merchant-7", `Type sign(.|\n)* > $`)
	first.says("sign", `In block \d+(.|\n)*keys > $`)

	first.says("account 2", `merchant-7 1\.2\.\d+(.|\n)* > $`)
	first.says("send dave-shop 7", `Memo.* > $`)
	first.says("", `Others have to sign as well(.|\n)* > $`)
	saved := first.says("payment", `Saved unsigned:(.|\n)* > $`)
	file := func(text, form string) string {
		t.Helper()
		found := regexp.MustCompile(form).FindStringSubmatch(strings.Join(strings.Fields(text), ""))
		if found == nil {
			t.Fatalf("no file in %q", text)
		}
		return found[1]
	}
	path := filepath.Base(file(saved, `Savedunsigned:(\S+\.json)Others`))
	first.says("sign", `sign > $`)
	first.says("file "+path, `Type sign to sign the file(.|\n)* > $`)
	path = file(first.says("sign", `Signed, in a new file:(.|\n)*sign > $`), `newfile:(\S+?\.json)`)
	must(t, os.Rename(filepath.Join(first.home, path), filepath.Join(second.home, "half.json")))

	second.says("sign", `sign > $`)
	second.says("file half.json", `Type sign to sign the file(.|\n)* > $`)
	second.says("sign", `Signed, in a new file:(.|\n)*Type send to send it(.|\n)* > $`)
	if said := second.says("send", `(In block \d+|Type the|To go on)(.|\n)* > $`); !strings.Contains(said, "In block") {
		id := regexp.MustCompile(`dave-shop (1\.2\.\d+)`).FindStringSubmatch(second.all.String())
		second.says(id[1], `In block \d+(.|\n)*sign > $`)
	}
	seen := false // the block reaches the first wallet a little later
	for end := time.Now().Add(patience); !seen && time.Now().Before(end); {
		seen = strings.Contains(first.says("history", `Showing(.|\n)*history > $`), "out 7.00000000 DCT")
	}
	if !seen {
		t.Error("the first does not see the payment")
	}
	for _, w := range []*typist{first, second} {
		w.types("quit\nquit\n")
		plainLines(t, w.leaves(), keyOf("alice"), keyOf("bobby"), keyOf("merchant-7"))
	}
}
