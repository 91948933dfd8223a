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

// questions are the prompts of a conversation without what was answered, in their order, from a line on.
func questions(said, from string) (out []string) {
	_, said, _ = strings.Cut(said, from)
	for _, l := range regexp.MustCompile(`(?m)^([^\n>]*?)( >|\(not shown\):) `).FindAllStringSubmatch(said, -1) {
		out = append(out, strings.TrimSpace(l[1]))
	}
	return out
}

// back goes to the question before, in every form, with what was answered as the usual answer.
func TestBackGoesBackOneQuestion(t *testing.T) {
	key := uitest.KeyOf(uitest.Carol.Name).WIF()
	for name, test := range map[string]struct {
		scene  uitest.Scene
		script []any
		from   string // where the form begins
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
			"Brain key, all words on one line", "|New password|Brain key, all words on one line|New password|Again|New password|Again"},
		"watch": {unmade(), []any{"5", "carol", "back", "", secret, secret, "quit"}, "Choose 1 to 5 >", "Account|New password|Account [carol]|New password|Again"},
		"contact": {uitest.Rows(), []any{"contacts", "add", "carol", "back", "", "note", "quit"}, "contacts > add",
			"Account|Note, empty for none|Account [carol]|Note, empty for none"},
		"message": {uitest.Rows(), []any{"messages", "write", "carol", "hello", "back", "back", "", "", "2", "back", "stop", "quit"},
			"messages > write", "To|Text|Kind, 1 encrypted, 2 plain [1]|Text [hello]|To [carol]|Text [hello]|Kind, 1 encrypted, 2 plain [1]" +
				"|Type sign to send, back to change|Kind, 1 encrypted, 2 plain [2]|messages"},
		"said": {uitest.Rows(), []any{"messages", "write carol", "back", "", "stop", "contacts", "add carol", "back", "", "stop", "quit"},
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
				said, _ := hold(w, nil, test.script...)
				if got := strings.Join(questions(said, test.from), "|"); !strings.HasPrefix(got, test.asked) {
					t.Errorf("it was asked\n%s\nnot\n%s\nin\n%s", got, test.asked, said)
				}
			})
		})
	}
}

// back goes from the new password to that of the file, and from there to the file.
func TestBackThroughAWalletFile(t *testing.T) {
	path, err := filepath.Abs("../../keystore/testdata/wallet-legacy.json")
	uitest.Must(t, err)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(uitest.Start))
		w := &uitest.World{T: t, Ctx: t.Context(), Wallet: uitest.RealWallet(t, t.TempDir())}
		defer w.Wallet.Vault.Lock()
		said, _ := hold(w, nil, "2", path, "pass123", "back", "back", "", "pass123", secret, secret, "quit")
		if strings.Count(said, "Its password") != 3 || !strings.Contains(said, "Imported:") {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// A phrase is typed once: where no node answers it is kept, and looked up again by a word.
func TestAPhraseIsLookedUpAgain(t *testing.T) {
	uitest.Live(t, uitest.Scene{Past: written, Unmade: true}, func(w *uitest.World) {
		said, _ := hold(w, nil, act(w.Cut), pause(20*time.Second), "4", phrase, "", act(w.Join), pause(time.Minute), "again",
			secret, secret, "quit")
		if strings.Count(said, "all words on one line") != 1 || strings.Count(said, "Type again to look again") != 2 ||
			!strings.Contains(said, "1. dave-shop 1.2.114, as its owner, active, memo key") {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// A form outlives the lock of a wallet that was left alone: the password is asked for, and what was answered stays.
func TestAFormOutlivesTheLock(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "send", "carol", "5", nap(w), "invoice 4711", uitest.Password, "2", "sign",
			"messages", "write carol", nap(w), "see you", "stop", "send", "stop", "quit", "quit")
		for what, n := range map[string]int{"Your answers are kept.": 2, "Event: the wallet is locked.": 0} {
			if strings.Count(said, what) != n {
				t.Errorf("%q is not said %d times", what, n)
			}
		}
		if !strings.Contains(said, `"invoice 4711"`) || w.Paid() != 1 || t.Failed() {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// The word lock keeps what was answered in a form without secrets, and ends one that has some: a private key does not wait in a
// locked wallet.
func TestTheWordLockKeepsAForm(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		key := uitest.KeyOf(uitest.Carol.Name).WIF()
		said, _ := hold(w, nil, "send", "carol", "5", "lock", uitest.Password, "invoice 4711", "2", "sign",
			"messages", "write carol", "see you", "lock", uitest.Password, "1", "stop",
			"contacts", "add carol", "lock", uitest.Password, "rent", "import", "2", key, "lock", "home", "quit", "quit")
		if got := strings.Join(questions(said, "contacts > add"), "|"); !strings.HasPrefix(got, "Note, empty for none|Password|Note, empty for none|contacts|") {
			t.Errorf("it was asked %s", got)
		}
		_, asked, _ := strings.Cut(said, "Private key")
		if !strings.Contains(asked, "The question was cancelled") || strings.Contains(asked, "Password") {
			t.Error("a form with a private key went on over the lock")
		}
		saved := w.Wallet.Contacts.List()
		if !strings.Contains(said, `"invoice 4711"`) || w.Paid() != 1 || len(saved) != 1 || t.Failed() {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// A review whose wallet locked is not repeated; it is said again once the wallet is open.
func TestALockedReviewIsNotRepeated(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "send carol 5 DCT", "rent november", "2", nap(w), "repeat", "sign", uitest.Password,
			"repeat", "sign", "quit", "quit")
		locked, open, _ := strings.Cut(said, "Password (not shown)")
		if strings.Count(locked, `"rent november"`) != 1 || strings.Count(open, `"rent november"`) != 2 || w.Paid() != 1 {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// An answer that was said with the word is looked at like one that was asked for: what is wrong with it is said, and asked for.
func TestWordsBehindSendAreChecked(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "send nobody-here 2 DCT", "carol", "", "stop", "send carol 2.123456789 DCT", "3", "", "stop",
			"send carol 1 NOSUCH", "stop", "send x\x1b[2J 1 DCT", "quit", "quit")
		for what, n := range map[string]int{"To > ": 1, "Amount in DCT": 2, "Review.": 2} {
			if strings.Count(said, what) != n {
				t.Errorf("%q is not said %d times", what, n)
			}
		}
		if t.Failed() || w.Paid() != 0 {
			t.Errorf("the conversation is\n%s", said)
		}
		_, code := hold(w, func(o *linear.Options) { o.Script = true }, "send nobody-here 2 DCT", "", "sign")
		if code != linear.Refused {
			t.Errorf("a script ends with %d", code)
		}
	})
}

// Before there is a wallet nothing is locked, and the page is the first one.
func TestWordsBeforeThereIsAWallet(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		said, _ := hold(w, nil, "lock", "where", "1", "lock", "quit")
		for _, want := range []string{"There is no wallet yet, so nothing is open.\nChoose", "Page: first run"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not said:\n%s", want, said)
			}
		}
		if strings.Contains(said, "unlock opens it") {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// ctrl+D leaves a question or a secret as stop does, also the first ones; at a page, and at the first page, it leaves Billfold.
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
				said, code := hold(w, nil, test.script...)
				rest := said
				for _, want := range strings.Split(test.ends, "|") {
					_, after, found := strings.Cut(rest, want)
					if rest = after; !found {
						t.Fatalf("%q is not said:\n%s", want, said)
					}
				}
				if strings.Contains(said, "never") || code != linear.Done {
					t.Errorf("it ended with %d:\n%s", code, said)
				}
			})
		})
	}
}
