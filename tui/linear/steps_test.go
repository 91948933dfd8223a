package linear_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui/linear"
	"billfold/tui/uitest"
)

// questions returns the prompts of a conversation in order, without the answers, starting after from.
func questions(output, from string) (out []string) {
	_, output, _ = strings.Cut(output, from)
	for _, l := range regexp.MustCompile(`(?m)^([^\n>]*?)( >|\(not shown\):) `).FindAllStringSubmatch(output, -1) {
		out = append(out, strings.TrimSpace(l[1]))
	}
	return out
}

// back returns to the previous question in every form, with the earlier answer as its default.
func TestBackGoesBackOneQuestion(t *testing.T) {
	key := uitest.KeyOf(uitest.Carol.Name).WIF()
	for name, test := range map[string]struct {
		scene  uitest.Scene
		script []any
		from   string // the text after which the form begins
		asked  string
	}{
		"create": {unmade(), []any{"1", secret, "back", secret, secret, "ready", "back", "back", secret, secret, "ready", "next", word(3),
			"back", "back", "next", word(3), word(9), word(14), "dave-shop", "quit"}, "New password",
			"|Again|New password|Again|Type ready to read it, back to change|Type again to repeat, new for another phrase, next to go on" +
				"|Type ready to read it, back to change|New password|Again|Type ready to read it, back to change" +
				"|Type again to repeat, new for another phrase, next to go on|Word 3|Word 9|Word 3" +
				"|Type again to repeat, new for another phrase, next to go on|Word 3|Word 9|Word 14|Account name, empty decides later"},
		"key": {unmade(), []any{"3", key, "carol", "back", "", "back", "back", key, "", secret, secret, "quit"}, "Private key",
			"|Account, empty finds the key's accounts, - for none|New password|Account, all finds the key's accounts, - for none [carol]" +
				"|New password|Account, all finds the key's accounts, - for none [carol]|Private key" +
				"|Account, all finds the key's accounts, - for none [carol]|New password|Again"},
		"phrase": {uitest.Scene{Past: written, Unmade: true}, []any{"4", phrase, "back", phrase, secret, "back", secret, secret, "quit"},
			"Recovery phrase, all words on one line", "|New password|Recovery phrase, all words on one line|New password|Again|New password|Again"},
		"watch": {unmade(), []any{"5", "carol", "back", "", secret, secret, "quit"}, "Choose 1 to 5 >", "Account|New password|Account [carol]|New password|Again"},
		"contact": {uitest.Rows(), []any{"contacts", "add", "carol", "back", "", "note", "quit"}, "contacts > add",
			"Account|Note, empty for none|Account [carol]|Note, empty for none"},
		"message": {uitest.Rows(), []any{"messages", "write", "carol", "hello", "back", "back", "", "", "2", "back", "stop", "quit"},
			"messages > write", "To|Text|Kind, 1 encrypted, 2 plain [1]|Text [hello]|To [carol]|Text [hello]|Kind, 1 encrypted, 2 plain [1]" +
				"|Type sign to sign and send, back to change|Kind, 1 encrypted, 2 plain [2]|messages"},
		"named": {uitest.Rows(), []any{"messages", "write carol", "back", "", "stop", "contacts", "add carol", "back", "", "stop", "quit"},
			"messages > write carol", "Text|To [carol]|Text|messages|contacts|Note, empty for none|Account [carol]|Note, empty for none|contacts"},
		"register": {uitest.Rows(), []any{"keys", "register", "team-fund", "", "back", "back", "", "", "2", "back", "stop", "quit"},
			"keys > register", "Account name|Registrar, pays the fee [alice]|Recovery phrase, 1 new words, 2 your own [1]" +
				"|Registrar, pays the fee [alice]|Account name [team-fund]|Registrar, pays the fee [alice]" +
				"|Recovery phrase, 1 new words, 2 your own [1]|All words on one line|Recovery phrase, 1 new words, 2 your own [2]|keys"},
		"signers": {uitest.Rows(), []any{"keys", "multisig 1", "", "2", "carol", "bob-trade 1", "back", "back", "", "", "back", "back",
			"back", "stop", "quit"}, "keys > multisig 1", "Role, 1 active, 2 owner, 3 both [1]|Weight that is needed|Signer 1, empty ends|Signer 2, empty ends" +
			"|Signer 3, empty ends|Signer 2, end ends [bob-trade 1]|Signer 1, end ends [carol 1]|Signer 2, empty ends" +
			"|Signer 2, empty ends|Signer 1, end ends [carol 1]|Weight that is needed [2]" +
			"|Role, 1 active, 2 owner, 3 both [1]|keys"},
		"password": {uitest.Rows(), []any{"keys", "password", uitest.Password, "back", uitest.Password, secret, "back", "stop", "quit"},
			"keys > password", "Password now|New password|Password now|New password|Again|New password|keys"},
		"alike": {saved(), []any{"send caro1 60", "back", "carol", "stop", "quit"}, "home > send caro1 60", "Choose|To [caro1]|Memo, empty for none"},
		"send": {uitest.Rows(), []any{"send carol 2 DCT tea", "2", "back", "back", "back", "back", "", "3", "none", "sign", "quit", "quit"},
			"home > send", "Memo kind, 1 encrypted, 2 plain [1]|write a file, keep to keep a draft, back to change" +
				"|Memo kind, 1 encrypted, 2 plain [2]|Memo, none for none [tea]|Amount in DCT, max 12600.50310000 [2]|To [carol]" +
				"|Amount in DCT, max 12600.50310000 [2]|Memo, none for none [tea]"},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, test.scene, func(w *uitest.World) {
				output, _ := runSession(w, nil, test.script...)
				if got := strings.Join(questions(output, test.from), "|"); !strings.HasPrefix(got, test.asked) {
					t.Errorf("the questions are\n%s\nnot\n%s\nin\n%s", got, test.asked, output)
				}
			})
		})
	}
}

// back goes from the new password to the password of the file, and from there to the file.
func TestBackThroughAWalletFile(t *testing.T) {
	path, err := filepath.Abs("../../keystore/testdata/wallet-legacy.json")
	uitest.Must(t, err)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(uitest.Start))
		w := &uitest.World{T: t, Ctx: t.Context(), Wallet: uitest.RealWallet(t, t.TempDir())}
		defer w.Wallet.Vault.Lock()
		output, _ := runSession(w, nil, "2", path, "pass123", "back", "back", "", "pass123", secret, secret, "quit")
		if strings.Count(output, "Its password") != 3 || !strings.Contains(output, "Imported:") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// A phrase is typed once: if no node answers, it is kept and looked up again by a word.
func TestPhraseIsLookedUpAgain(t *testing.T) {
	uitest.Live(t, uitest.Scene{Past: written, Unmade: true}, func(w *uitest.World) {
		output, _ := runSession(w, nil, act(w.Cut), pause(20*time.Second), "4", phrase, "", act(w.Join), pause(time.Minute), "again",
			secret, secret, "quit")
		if strings.Count(output, "all words on one line") != 1 || strings.Count(output, "Type again to look again") != 2 ||
			!strings.Contains(output, "1. dave-shop 1.2.114, as its owner, active, memo key") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// A form survives the auto-lock: the password is asked for, and the answers are kept.
func TestFormSurvivesAutoLock(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send", "carol", "5", nap(w), "invoice 4711", uitest.Password, "2", "sign",
			"messages", "write carol", nap(w), "see you", "stop", "send", "stop", "quit", "quit")
		for what, n := range map[string]int{"Your answers are kept.": 2, "Event: the wallet is locked.": 0} {
			if strings.Count(output, what) != n {
				t.Errorf("%q is not printed %d times", what, n)
			}
		}
		if !strings.Contains(output, `"invoice 4711"`) || w.Paid() != 1 || t.Failed() {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// The word lock keeps a form without secrets and ends one with secrets: a private key does not wait in a locked
// wallet.
func TestLockWordKeepsFormsWithoutSecrets(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		key := uitest.KeyOf(uitest.Carol.Name).WIF()
		output, _ := runSession(w, nil, "send", "carol", "5", "lock", uitest.Password, "invoice 4711", "2", "sign",
			"messages", "write carol", "see you", "lock", uitest.Password, "1", "stop",
			"contacts", "add carol", "lock", uitest.Password, "rent", "import", "2", key, "lock", "home", "quit", "quit")
		if got := strings.Join(questions(output, "contacts > add"), "|"); !strings.HasPrefix(got, "Note, empty for none|Password|Note, empty for none|contacts|") {
			t.Errorf("the questions are %s", got)
		}
		_, asked, _ := strings.Cut(output, "Private key")
		if !strings.Contains(asked, "The question was cancelled") || strings.Contains(asked, "Password") {
			t.Error("a form with a private key went on after the lock")
		}
		saved := w.Wallet.Contacts.List()
		if !strings.Contains(output, `"invoice 4711"`) || w.Paid() != 1 || len(saved) != 1 || t.Failed() {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// repeat does not print a review whose wallet was locked; it is printed again once the wallet is open.
func TestALockedReviewIsNotRepeated(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send carol 5 DCT", "rent november", "2", nap(w), "repeat", "sign", uitest.Password,
			"repeat", "sign", "quit", "quit")
		locked, open, _ := strings.Cut(output, "Password (not shown)")
		if strings.Count(locked, `"rent november"`) != 1 || strings.Count(open, `"rent november"`) != 2 || w.Paid() != 1 {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// An answer typed after the word send is checked like any other: an error is printed and the question asked.
func TestSendArgumentsAreChecked(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send nobody-here 2 DCT", "carol", "", "stop", "send carol 2.123456789 DCT", "3", "", "stop",
			"send carol 1 NOSUCH", "stop", "send x\x1b[2J 1 DCT", "quit", "quit")
		for what, n := range map[string]int{"To > ": 1, "Amount in DCT": 2, "Review.": 2} {
			if strings.Count(output, what) != n {
				t.Errorf("%q is not printed %d times", what, n)
			}
		}
		if t.Failed() || w.Paid() != 0 {
			t.Errorf("unexpected output:\n%s", output)
		}
		_, code := runSession(w, func(o *linear.Options) { o.Script = true }, "send nobody-here 2 DCT", "", "sign")
		if code != linear.Refused {
			t.Errorf("the script ended with %d", code)
		}
	})
}

// Before there is a wallet, nothing is locked and the page is the first run.
func TestCommonWordsBeforeThereIsAWallet(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "lock", "where", "1", "lock", "quit")
		for _, want := range []string{"There is no wallet yet, so nothing is open.\nChoose", "Page: first run"} {
			if !strings.Contains(output, want) {
				t.Errorf("%q is not printed:\n%s", want, output)
			}
		}
		if strings.Contains(output, "unlock opens it") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// ctrl+d leaves a question or a secret as stop does, in the first run too; at a page it quits Billfold.
func TestCtrlDLeavesAQuestion(t *testing.T) {
	for name, test := range map[string]struct {
		scene  uitest.Scene
		script []any
		ends   string
	}{
		"unlock": {locked(), []any{"where", ctrlD{}, "where", ctrlD{}, "never"}, "Page: unlock|Page: home|Wallet: locked."},
		"first":  {unmade(), []any{"1", secret, ctrlD{}, ctrlD{}, "never"}, "Again|Billfold. No wallet in this folder."},
		"form":   {uitest.Rows(), []any{"send", "carol", ctrlD{}, ctrlD{}, "never"}, "Amount|Left. You are at send."},
		"secret": {uitest.Rows(), []any{"keys", "password", ctrlD{}, ctrlD{}, "never"}, "Password now|Left. You are at keys."},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, test.scene, func(w *uitest.World) {
				output, code := runSession(w, nil, test.script...)
				rest := output
				for _, want := range strings.Split(test.ends, "|") {
					_, after, found := strings.Cut(rest, want)
					if rest = after; !found {
						t.Fatalf("%q is not printed:\n%s", want, output)
					}
				}
				if strings.Contains(output, "never") || code != linear.Done {
					t.Errorf("it ended with %d:\n%s", code, output)
				}
			})
		})
	}
}
