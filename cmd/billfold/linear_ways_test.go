package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"billfold/internal/stories"
)

const linearPassword = "seven otters juggle quietly"

// inLines starts the linear UI at a terminal, with a wallet of its own.
func inLines(t *testing.T, args ...string) *typist {
	t.Helper()
	return atTerminal(t, 40, 80, []string{"TERM=xterm"}, append([]string{"--linear", "--data-dir=" + t.TempDir()}, args...)...)
}

// turn is a typed line, and a pattern for the answer.
type turn [2]string

// converse types lines and waits for the answer to each.
func (w *typist) converse(turns ...turn) {
	w.t.Helper()
	for _, one := range turns {
		w.says(one[0], one[1])
	}
}

// repeats types a line again and again until the answer matches form.
func (w *typist) repeats(line, form string) {
	w.t.Helper()
	for found := false; !found; {
		found = regexp.MustCompile(form).MatchString(w.says(line, `> $`))
	}
}

const inBlock = `In block \d+\.(.|\n)*> $`

// dictated returns the words of a phrase in the output.
func dictated(t *testing.T, said string) (words []string) {
	t.Helper()
	for _, l := range regexp.MustCompile(`Words \d+ to \d+: ([A-Z ]+)`).FindAllStringSubmatch(said, -1) {
		words = append(words, strings.Fields(l[1])...)
	}
	if len(words) != 16 {
		t.Fatalf("the phrase has the words %q", words)
	}
	return words
}

// Somebody without an account makes keys, has another wallet register the account with the line that was printed, is paid, and
// pays. The written words restore the account in a third wallet.
func TestLinearAccountRegistration(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	url := "--daemon-url=" + box.line(`^websocket +(ws://\S+)$`)
	fresh, registrar := inLines(t, url), inLines(t, url)
	lineTakes(registrar, "alice")

	fresh.sees(`Choose 1 to 7 > $`)
	fresh.converse(turn{"1", `New password \(not shown\): $`}, turn{linearPassword, `Again \(not shown\): $`},
		turn{linearPassword, `Type ready to read it, back to change > $`})
	words := dictated(t, fresh.says("ready", `next to go on > $`))
	fresh.converse(turn{"next", `Word 3 > $`}, turn{words[2], `Word 9 > $`}, turn{"back", `Word 3 > $`},
		turn{words[2], `Word 9 > $`}, turn{words[8], `Word 14 > $`}, turn{words[13], `Account name, empty decides later > $`})
	said := fresh.says("otter-shop", `Wallet written(.|\n)*home > $`)
	said = strings.ReplaceAll(strings.ReplaceAll(said, "\r", ""), "\n", " ")
	line := regexp.MustCompile(`register_account_with_keys +otter-shop +DCT\w+ +DCT\w+ +DCT\w+ +THEIR-ACCOUNT +true`).FindString(said)
	if line == "" {
		t.Fatalf("no line for a registrar is in %s", said)
	}
	line = strings.Join(strings.Fields(strings.ReplaceAll(line, "THEIR-ACCOUNT", "alice")), " ")
	registrar.converse(turn{"console " + line, `otter-shop(.|\n)*back to leave > $`}, turn{"sign", `(.|\n)*home > $|console > $`})

	fresh.repeats("", `Event: this wallet now has the account otter-shop 1\.2\.\d+\.`)
	registrar.converse(turn{"send otter-shop 25 DCT", `Memo, empty for none > $`}, turn{"welcome", `Memo kind.* > $`},
		turn{"", `FIRST PAYMENT(.|\n)*back to change > $`}, turn{"sign", inBlock})
	fresh.repeats("", `Event: payment in: 25\.00000000 DCT from alice 1\.2\.\d+`)
	fresh.converse(turn{"history", `"welcome"(.|\n)*history > $`}, turn{"send alice 5 DCT", `Memo, empty for none > $`},
		turn{"", `FIRST PAYMENT(.|\n)*back to change > $`}, turn{"sign", inBlock},
		turn{"registration", `No registration is waiting(.|\n)*> $`})

	// Option 4: only the words, in another wallet.
	phrase := strings.ToLower(strings.Join(words, " "))
	third := inLines(t, url)
	third.sees(`Choose 1 to 7 > $`)
	third.converse(turn{"4", `all words on one line \(not shown\): $`},
		turn{phrase, `1\. otter-shop 1\.2\.\d+, as its owner(.|\n)*New password \(not shown\): $`},
		turn{linearPassword, `Again \(not shown\): $`}, turn{linearPassword, `otter-shop 1\.2\.\d+, can sign(.|\n)*home > $`},
		turn{"send alice 1 DCT", `Memo.* > $`}, turn{"", `back to change > $`}, turn{"sign", inBlock})
	for _, w := range []*typist{third, fresh, registrar} {
		w.types("quit\nquit\n")
		said := w.leaves()
		if strings.Contains(strings.ToLower(said), phrase) {
			t.Error("the phrase is shown as it was typed")
		}
		plainLines(t, regexp.MustCompile(` > [^\n]+`).ReplaceAllString(said, " > "), linearPassword, keyOf("alice"))
	}
}

// Options 2 and 6 of the first page: a wallet.json for the ledger is imported, one for another ledger is refused; the sandbox starts.
func TestLinearFirstPageOptions(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	url := "--daemon-url=" + box.line(`^websocket +(ws://\S+)$`)
	legacy, err := os.ReadFile("../../keystore/testdata/wallet-legacy.json")
	must(t, err)
	file := filepath.Join(t.TempDir(), "wallet.json")
	must(t, os.WriteFile(file, legacy, 0o600))

	w := inLines(t, url)
	w.sees(`Choose 1 to 7 > $`)
	w.repeats("where", `Head: \d`)
	w.converse(turn{"2", `File > $`}, turn{"/nowhere.json", `there is no file(.|\n)*Type again (.|\n)*\(not shown\): $`},
		turn{"again", `File > $`}, turn{file, `Its password \(not shown\): $`},
		turn{"wrong", `not the password(.|\n)*Its password \(not shown\): $`}, turn{"", `Nothing was typed(.|\n)*: $`})
	said := w.says("pass123", `the wallet.json belongs to the chain(.|\n)*Its password \(not shown\): $`)
	chains := regexp.MustCompile(`[0-9a-f]{64}`).FindAllString(said, -1)
	must(t, os.WriteFile(file, bytes.ReplaceAll(legacy, []byte(chains[0]), []byte(chains[1])), 0o600))
	w.converse(turn{"back", `File \[(.|\n)*\] > $`}, turn{"", `Its password \(not shown\): $`},
		turn{"pass123", `The file holds(.|\n)*New password \(not shown\): $`}, turn{linearPassword, `Again \(not shown\): $`},
		turn{linearPassword, `Wallet written(.|\n)*Imported: \d+ keys?(.|\n)*home > $`})
	w.types("quit\n")
	plainLines(t, regexp.MustCompile(` > [^\n]+`).ReplaceAllString(w.leaves(), " > "), linearPassword, "pass123")
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, bytes.ReplaceAll(legacy, []byte(chains[0]), []byte(chains[1]))) {
		t.Errorf("the wallet.json was changed: %v", err)
	}

	w = inLines(t)
	w.sees(`Node: ws://127.0.0.1:8090(.|\n)*Choose 1 to 7 > $`)
	w.converse(turn{"7", `Address > $`}, turn{"ws://127.0.0.1:1", `cannot be used(.|\n)*Address > $`},
		turn{strings.TrimPrefix(url, "--daemon-url="), `Node: ` + strings.TrimPrefix(url, "--daemon-url=") + `(.|\n)*Choose 1 to 7 > $`})
	w.types("6\n")
	w.sees(`play money(.|\n)*home > $`)
	w.converse(turn{"send bobby 2 DCT", `Memo.* > $`}, turn{"", `back to change > $`}, turn{"sign", inBlock})
	w.types("quit\nquit\n")
	plainLines(t, regexp.MustCompile(` > [^\n]+`).ReplaceAllString(w.leaves(), " > "), linearPassword, "pass123")
}

// Three own an account, and two of them pay from it: the first proposes and approves, the second approves, and the payment
// happens. Both are told.
func TestLinearProposalOfThree(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	url := "--daemon-url=" + box.line(`^websocket +(ws://\S+)$`)
	first, second, paid := inLines(t, url), inLines(t, url), inLines(t, url)
	lineTakes(first, "merchant-7", "alice")
	lineTakes(second, "bobby")
	lineTakes(paid, "dave-shop")
	list := first.says("keys", `keys > $`)
	shared := regexp.MustCompile(`(\d)\. merchant-7`).FindStringSubmatch(list)[1]
	first.converse(turn{"multisig " + shared, `Role.* > $`}, turn{"3", `Weight that is needed > $`}, turn{"2", `Signer 1.* > $`},
		turn{"alice", `Signer 2.* > $`}, turn{"bobby", `Signer 3.* > $`}, turn{"back", `Signer 2.*\[bobby 1\] > $`},
		turn{"", `Signer 3.* > $`}, turn{"carol", `Signer 4.* > $`}, turn{"", `would not suffice(.|\n)*name of the account > $`},
		turn{"merchant-7", `back to change > $`}, turn{"sign", inBlock},
		turn{"account " + shared, `Account: merchant-7(.|\n)*> $`}, turn{"send dave-shop 7 DCT", `Memo.* > $`},
		turn{"", `becomes a proposal(.|\n)*back to change > $`}, turn{"sign", inBlock},
		turn{"sign", `1\. 1\.6\.\d+ for merchant-7(.|\n)*weight 0 of 2(.|\n)*sign > $`},
		turn{"approve 1", `Effect: (.|\n)*back to leave > $`}, turn{"sign", inBlock})
	second.repeats("sign", `1\. 1\.6\.\d+ for merchant-7(.|\n)*weight 1 of 2, waits for you`)
	second.converse(turn{"1", `With your approval it happens at once(.|\n)*7\.00000000 DCT(.|\n)*sign > $`},
		turn{"approve 1", `Effect: (.|\n)*back to leave > $`}, turn{"sign", inBlock}, turn{"sign", `No proposal is waiting(.|\n)*sign > $`})
	paid.repeats("", `Event: payment in: 7\.00000000 DCT from merchant-7 1\.2\.\d+`)
	first.repeats("history", `1\. \S+ \S+ \S+, out 7\.00000000 DCT, to dave-shop 1\.2\.\d+`)
	first.says("sign", `No proposal is waiting(.|\n)*sign > $`)
	for _, w := range []*typist{first, second, paid} {
		w.types("quit\nquit\n")
		plainLines(t, regexp.MustCompile(` > [^\n]+`).ReplaceAllString(w.leaves(), " > "), linearPassword, keyOf("alice"), keyOf("bobby"))
	}
}
