package linear_test

import (
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/tui/linear"
	"billfold/tui/uitest"
	"billfold/walletcore/walletapi"
)

// withConsole adds the console to a session.
func withConsole(w *uitest.World) func(o *linear.Options) {
	return func(o *linear.Options) {
		o.Core.Console = shell.Page{Wallet: walletapi.New(walletapi.Core{Wallet: w.Wallet})}
	}
}

// What the wallet's keys opened is dropped when the wallet locks, by the word or by the auto-lock.
func TestLockDropsWhatWasRead(t *testing.T) {
	for name, ends := range map[string]func(*uitest.World) any{"word": func(*uitest.World) any { return "lock" }, "clock": nap} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, indexed(), func(w *uitest.World) {
				locks := ends(w)
				output, _ := runSession(w, withConsole(w), "history", "messages", "console", "json dump_private_keys", "reveal",
					locks, act(func() { w.Mine() }), "more", "repeat", "history",
					"unlock", uitest.Password, "history", locks, "2", "repeat", "quit", "quit")
				after := output[strings.Index(output, "more line"):]
				if strings.Count(output, "5J")+strings.Count(output, "5K")+strings.Count(output, "5H") == 0 {
					t.Fatalf("no secret was printed:\n%s", output)
				}
				for _, never := range []string{"\n\"5", "\": \"5", "   \"5"} {
					if strings.Contains(after, never) {
						t.Errorf("a key was printed after the lock:\n%s", after)
					}
				}
				if strings.Contains(after[strings.LastIndex(after, "history > 2"):], "Operation:") {
					t.Errorf("a row was printed with the memo read before the lock:\n%s", after)
				}
			})
		})
	}
}

// Secret results are printed only after a word, and only once.
func TestSecretResultsArePrintedOnce(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		key := uitest.KeyOf(uitest.Alice.Name)
		ask := "get_private_key " + key.Public().String()
		output, _ := runSession(w, withConsole(w), "console", ask, "back", "repeat", ask, "reveal", "repeat", "more", "lines", "quit")
		if n := strings.Count(output, key.WIF()); n != 1 {
			t.Errorf("the key was printed %d times:\n%s", n, output)
		}
	})
}

// Operations that take a secret ask for it without echo, whatever the line has in its place.
func TestConsoleAsksForSecretsWithoutEcho(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		key := uitest.KeyOf(uitest.Carol.Name).WIF()
		output, code := runSession(w, withConsole(w), "console", "import_key carol", key, "set_password x", uitest.Password, "seven otters",
			"seven otter", "seven otters", "seven otters", "unlock", "seven otters", "brain_key_to", "#", "quit", "quit")
		if strings.Contains(output, "F2") || strings.Contains(output, "bug in") || strings.Contains(output, key) || code != linear.Done {
			t.Errorf("unexpected output:\n%s", output)
		}
		if len(w.Wallet.Own.List()) < 3 || w.Wallet.Vault.Unlock(w.Ctx, "seven otters") != nil {
			t.Errorf("the key or the password was not accepted:\n%s", output)
		}
	})
}

// A line typed right after a lock may be the password: it is not printed.
func TestPasswordTypedAfterLockIsNotPrinted(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, func(o *linear.Options) { o.Echo = false }, "lock", "longenough1", "console", "lock", "quit", "quit")
		if strings.Contains(output, "longenough1") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}
