package linear_test

import (
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/tui/linear"
	"billfold/tui/uitest"
	"billfold/walletcore/walletapi"
)

// withConsole adds the wallet's operations to a conversation.
func withConsole(w *uitest.World) func(o *linear.Options) {
	return func(o *linear.Options) {
		o.Core.Console = shell.Page{Wallet: walletapi.New(walletapi.Core{Wallet: w.Wallet})}
	}
}

// What the wallet's keys opened is forgotten when it locks: by a word, or by itself.
func TestALockForgetsWhatWasRead(t *testing.T) {
	for name, ends := range map[string]func(*uitest.World) any{"word": func(*uitest.World) any { return "lock" }, "clock": nap} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, indexed(), func(w *uitest.World) {
				locks := ends(w)
				said, _ := hold(w, withConsole(w), "history", "messages", "console", "json dump_private_keys", "reveal", locks, act(func() {
					w.Mine()
				}), "more", "repeat", "history", "unlock", uitest.Password, "history", locks, "2", "repeat", "quit", "quit")
				after := said[strings.Index(said, "more line"):]
				if strings.Count(said, "5J")+strings.Count(said, "5K")+strings.Count(said, "5H") == 0 {
					t.Fatalf("nothing secret was said:\n%s", said)
				}
				for _, never := range []string{"\n\"5", "\": \"5", "   \"5"} {
					if strings.Contains(after, never) {
						t.Errorf("a key was said after the lock:\n%s", after)
					}
				}
				if strings.Contains(after[strings.LastIndex(after, "history > 2"):], "Operation:") {
					t.Errorf("a row was said with the memo that was read before:\n%s", after)
				}
			})
		})
	}
}

// Secret results are said after a word, and once.
func TestSecretResultsAreSaidOnce(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		key := uitest.KeyOf(uitest.Alice.Name)
		ask := "get_private_key " + key.Public().String()
		said, _ := hold(w, withConsole(w), "console", ask, "back", "repeat", ask, "reveal", "repeat", "more", "lines", "quit")
		if n := strings.Count(said, key.WIF()); n != 1 {
			t.Errorf("the key was said %d times:\n%s", n, said)
		}
	})
}

// Operations that take a secret ask for it unseen, whatever the line has in its place.
func TestTheConsoleAsksForSecretsUnseen(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		key := uitest.KeyOf(uitest.Carol.Name).WIF()
		said, code := hold(w, withConsole(w), "console", "import_key carol", key, "set_password x", uitest.Password, "seven otters",
			"seven otter", "seven otters", "seven otters", "unlock", "seven otters", "brain_key_to", "#", "quit", "quit")
		if strings.Contains(said, "F2") || strings.Contains(said, "bug in") || strings.Contains(said, key) || code != linear.Done {
			t.Errorf("the conversation is\n%s", said)
		}
		if len(w.Wallet.Own.List()) < 3 || w.Wallet.Vault.Unlock(w.Ctx, "seven otters") != nil {
			t.Errorf("the key or the password was not taken:\n%s", said)
		}
	})
}

// What is typed right after a lock may be the password: it is not said.
func TestAPasswordAfterALockIsNotSaid(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, func(o *linear.Options) { o.Echo = false }, "lock", "longenough1", "console", "lock", "quit", "quit")
		if strings.Contains(said, "longenough1") {
			t.Errorf("it is said:\n%s", said)
		}
	})
}
