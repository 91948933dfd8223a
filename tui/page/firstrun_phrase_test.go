package page_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// provePhrase goes from the page of the phrase to the name of the account, and returns the phrase.
func provePhrase(d *uitest.Driver) string {
	d.T.Helper()
	words := d.Phrase()
	d.Press("enter")
	for _, n := range []int{3, 9, 14} {
		d.Type(strings.ToLower(words[n-1]))
		d.Press("enter")
	}
	d.Shows("Account name")
	return strings.Join(words, " ")
}

// newPassword types a password twice.
func newPassword(d *uitest.Driver) {
	for range 2 {
		d.Type("tangled otter paints gravel")
		d.Press("enter")
	}
}

// A wallet is made with the keys of a phrase. A registrar runs the line that the last page gives, and the wallet
// lists the account by itself; the phrase brings it into another wallet.
func TestANewWalletComesToAnAccount(t *testing.T) {
	var written, line string
	scene := uitest.Scene{Unmade: true}
	scene.Options.Clipboard = func(text string) error { line = text; return nil }
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("1")
		newPassword(d)
		first := d.Phrase()
		d.Press("y") // nothing copies it
		d.Press("r") // somebody may have written it down
		d.Shows("Make another phrase?", "restores nothing")
		d.HidesPhrase(first)
		d.Press("r enter q")
		d.HidesPhrase(first)
		d.Press("esc")
		if kept := d.Phrase(); strings.Join(kept, " ") != strings.Join(first, " ") {
			t.Error("r and esc made another phrase")
		}
		d.Press("esc")
		d.Shows("Once more")
		d.Press("enter")
		if kept := d.Phrase(); strings.Join(kept, " ") != strings.Join(first, " ") {
			t.Error("a step back made another phrase")
		}
		d.Press("r")
		d.Sure("X")
		if again := d.Phrase(); again[0] == first[0] && again[1] == first[1] && again[2] == first[2] {
			t.Error("r made the same phrase")
		}
		words := d.Phrase()
		d.Press("v")
		d.HidesPhrase(words)
		d.Press("v")
		d.Wait(119 * time.Second)
		d.Shows(words[15])
		d.Wait(3 * time.Second)
		d.HidesPhrase(words)
		d.Press("v enter")
		d.Type("nosuchword")
		d.Press("enter")
		d.Shows("That is not word 3")
		d.Press("esc")
		if back := d.Phrase(); strings.Join(back, " ") != strings.Join(words, " ") {
			t.Error("going back made another phrase")
		}
		if d.Press("ctrl+c ctrl+c"); d.Quit {
			t.Error("a phrase that somebody wrote down was dropped without a question")
		}
		d.Shows("You are not done: the recovery phrase that you were shown")
		d.Press("esc")
		written = provePhrase(d)
		if !w.Wallet.Vault.IsNew() || line != "" {
			t.Error("something was written or copied before the last step")
		}
		d.Type("alice")
		d.Press("enter")
		d.Until("alice is taken")
		d.Press("ctrl+u")
		d.Type("newcomer")
		d.Press("enter")
		d.Until("Billfold lists newcomer as soon as")
		d.Press("y enter")
		fields := strings.Fields(line)
		if len(fields) != 7 || fields[0] != "register_account_with_keys" || fields[1] != "newcomer" {
			t.Fatalf("the line is %q", line)
		}
		d.Press("enter")
		d.Shows("no account yet")
		register(w, fields)
		d.Until("newcomer 1.2.114")
		w.Wallet.Vault.Lock()
	})
	uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, w *uitest.World) {
		register(w, strings.Fields(line))
		d.Wait(10 * time.Second)
		d.Press("4")
		d.Type("  " + strings.ToLower(strings.ReplaceAll(written, " ", "  ")))
		d.Shows("✓ 16 words")
		d.HidesPhrase(strings.Fields(written))
		d.Press("ctrl+t")
		d.Shows(strings.ToLower(strings.Fields(written)[15]))
		d.Press("ctrl+t")
		d.Press("enter")
		d.Until("newcomer 1.2.", "as its owner, active, memo")
		d.HidesPhrase(strings.Fields(written))
		d.Type("somebody")
		d.Press("enter")
		d.Until("names no key of this phrase")
		d.Press("tab ctrl+u enter")
		newPassword(d)
		d.Until("The keys of your phrase are in the wallet")
		d.Press("enter")
		d.Until("newcomer 1.2.114")
		if own := w.Wallet.Own.List(); len(own) != 1 || !own[0].CanSign() {
			t.Errorf("the list is %v", own)
		}
	})
	// Without a node, the phrase brings the keys; the account is listed once a node answers.
	uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, w *uitest.World) {
		register(w, strings.Fields(line))
		w.Cut()
		d.Wait(10 * time.Second)
		d.Shows("no node answers at ws://")
		d.Press("4")
		d.Type(strings.ToLower(written))
		d.Press("enter")
		d.Until("✓ will be checked when a node answers")
		d.Type("newcomer")
		d.Press("enter")
		d.Until("✗", "not available")
		d.Press("ctrl+u enter")
		newPassword(d)
		d.Until("The wallet is created and has the keys of your phrase")
		d.Press("enter")
		d.Shows("it is not known which accounts have these keys")
		w.Join()
		d.Until("newcomer 1.2.114")
		if own := w.Wallet.Own.List(); len(own) != 1 || !own[0].CanSign() {
			t.Errorf("after an offline restore the list is %v", own)
		}
	})
}

// register registers an account as the line says.
func register(w *uitest.World, line []string) {
	w.T.Helper()
	w.Push(registration(w, line))
	w.Mine()
}

func TestAPhraseThatNobodyUsesIsKeptOnlyIfWanted(t *testing.T) {
	onNew(t, func(d *uitest.Driver, w *uitest.World) {
		d.Press("4")
		d.Type("some words that nobody uses")
		d.Press("enter")
		d.Until("account uses its first 20 keys; - below")
		d.Hides("anyone can guess")
		d.Press("esc ctrl+u")
		d.Type("sunshine")
		d.Press("enter")
		d.Until("▲ these words are easy to guess")
		d.Press("esc ctrl+u")
		d.Type("some words that nobody uses")
		d.Press("enter")
		d.Until("account uses its first 20 keys; - below")
		d.Press("enter")
		d.Until("no account on this ledger names this key")
		d.Type("-")
		d.Press("ctrl+t")
		d.Press("enter")
		newPassword(d)
		d.Until("The key is kept")
		if keys, err := w.Wallet.Vault.DumpPrivateKeys(); err != nil || len(keys.ECKeys) != 1 {
			t.Errorf("the wallet holds %d keys, %v", len(keys.ECKeys), err)
		}
	})
}

func TestFirstRunWatchesAnAccount(t *testing.T) {
	onNew(t, func(d *uitest.Driver, w *uitest.World) {
		d.Press("5")
		d.Type("nobody-here")
		d.Press("enter")
		d.Until("✗", "nobody-here")
		d.Press("tab ctrl+u")
		d.Type("alice")
		d.Press("enter")
		d.Until("alice 1.2.34")
		newPassword(d)
		d.Until("alice is on your list")
		d.Press("enter")
		d.Until("11,503.00709999", "watch")
		d.Hides("can sign alice")
		if own := w.Wallet.Own.List(); len(own) != 1 || own[0].CanSign() {
			t.Errorf("the list is %v", own)
		}
	})
}

// Without a node a wallet is made all the same; the name is looked up later.
func TestAWalletIsMadeWithoutANode(t *testing.T) {
	onNew(t, func(d *uitest.Driver, w *uitest.World) {
		w.Cut()
		d.Wait(10 * time.Second)
		d.Press("1")
		newPassword(d)
		provePhrase(d)
		d.Type("newcomer")
		d.Press("enter")
		d.Until("The wallet is created")
	})
}

// What a registrar needs is shown again from Home and from Keys, whole at every size, and copied; not while locked.
func TestARegistrationThatWaitsIsShownAgain(t *testing.T) {
	var copied string
	scene := uitest.Scene{Unmade: true}
	scene.Options.Clipboard = func(text string) error { copied = text; return nil }
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("1")
		newPassword(d)
		provePhrase(d)
		d.Type("newcomer")
		d.Press("enter")
		d.Until("Billfold lists newcomer as soon as", "n on Home shows this")
		d.Press("enter")
		d.Shows("no account yet", "n shows what a registrar needs")
		waiting, err := w.Wallet.Import.Waiting()
		uitest.Must(t, err)
		keys := []string{waiting[0].Owner.String(), waiting[0].Active.String(), waiting[0].Memo.String()}
		for _, from := range []string{"1 n", "6 r"} {
			d.Press(from)
			d.Shows("Registration", "register_account_with_keys newcomer")
			d.Shows("Owner key   "+keys[0], "Active key  "+keys[1], "Memo key    "+keys[2])
			d.Press("y enter")
			want := "register_account_with_keys newcomer " + strings.Join(keys, " ") + " THEIR-ACCOUNT true"
			if copied != want {
				t.Errorf("the line is %q, want %q", copied, want)
			}
			d.Press("esc")
			d.Hides("Owner key")
		}
		d.Press("1 n")
		d.Resize(40, 12)
		var seen strings.Builder
		for range 40 {
			seen.WriteString(d.Screen())
			d.Press("j")
		}
		for _, part := range []string{keys[2][len(keys[2])-15:], "Owner key", "Active key", "An account is registered"} {
			if !strings.Contains(seen.String(), part) {
				t.Errorf("%q cannot be brought on screen at 40x12", part)
			}
		}
		d.Resize(80, 24)
		d.Press("esc ctrl+l esc 1 n")
		d.Hides("Owner key")
		d.Shows("Unlock")
	})
}
