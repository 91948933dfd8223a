package page_test

import (
	"strings"
	"testing"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/tui"
	"billfold/tui/page/rpc"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/walletapi"
)

// consoleScene is the wallet of alice with the whole catalogue behind the console.
func consoleScene() uitest.Scene {
	var wallet *walletcore.Wallet
	return uitest.Scene{
		Wallet: func(w *uitest.World) { wallet = w.Wallet },
		Core:   func(c *tui.Core) { c.Console = shell.Page{Wallet: walletapi.New(walletapi.Core{Wallet: wallet})} },
		Setup:  func(o *tui.Options) { o.Approvals = approval.New() },
	}
}

func TestConsoleLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("0")
		d.GoldenPage("console/console")
		d.GoldenSizes("console/console", [][2]int{{50, 16}})
		d.Resize(80, 24)
		d.Type("get_account_c")
		d.Press("tab")
		d.Until("how many accounts")
		d.Press("enter")
		d.Until("> get_account_count", "✓")
		d.Type("get_account_histroy alice 5")
		d.Press("enter")
		d.Until("get_account_history?")
		d.Type("transfer alice ")
		d.Until("needs unlock · spends")
		d.GoldenPage("console/console-typed")
		d.GoldenSizes("console/console-typed", [][2]int{{60, 20}, {50, 16}})
	})
}

// A line that was typed is not dropped by quitting without a question.
func TestQuittingAsksAboutALine(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("0")
		d.Type("get_account_c")
		if d.Press("ctrl+c ctrl+c"); d.Quit {
			t.Error("the line was dropped without a question")
		}
		d.Shows("A line typed in the Console has not been run", "q quits")
		d.Press("esc")
		d.Shows("get_account_c")
		d.Press("esc q")
		if d.Sure("q"); !d.Quit {
			t.Error("it cannot be quit")
		}
	})
}

// A spend is shown before it is signed; a no signs nothing, a yes pays once.
func TestASpendIsShownFirst(t *testing.T) {
	uitest.Play(t, 100, 30, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type(`transfer alice bob-trade 1.5 DCT "two coffees" true`)
		d.Press("enter")
		d.Until("Approve what you typed", "1.50000000 DCT", "two coffees")
		d.Sure("X")
		d.Until("you did not agree")
		if w.Paid() != 0 {
			t.Error("it was paid against a no")
		}
		d.Press("up enter")
		d.Until("Approve what you typed")
		d.GoldenPage("console/console-approve")
		d.Resize(100, 30)
		d.Wait(3 * time.Second) // it is not signed before it can be read
		d.Press("A")
		d.Until("✓", `"ref_block_num"`)
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
		d.Press("esc v e pgdown pgdown pgdown pgdown")
		d.Shows(`"signatures"`)
	})
}

// A secret is never typed into a line, and what might hold one is not recalled.
func TestSecretsAreNotTaken(t *testing.T) {
	uitest.Play(t, 100, 30, consoleScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("0")
		for _, line := range []string{"import_key alice 5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3", "unlock 5KQw", "set_password 5KQw",
			`get_brain_key_info "5KQw of mine`, `get_brain_key_info "5KQw of mine"`} {
			d.Type(line)
			d.Shows("••••")
			d.Hides("5KQw", "of mine")
			d.Press("enter")
			d.Wait(time.Second)
			d.Hides("5KQw", "of mine", "bug in Billfold", "Nothing was sent")
		}
		d.Shows("takes a secret", "F2 opens its form")
		d.Press("ctrl+x up")
		d.Hides("5KQw")
	})
}

// Keys in an answer are copied as what leaves the clipboard again.
func TestKeysInAnAnswerAreCopiedAsPrivate(t *testing.T) {
	var copied []string
	s := consoleScene()
	s.Options = tui.Options{Clipboard: func(text string) error { copied = append(copied, text); return nil }}
	uitest.Play(t, 100, 30, s, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("0")
		d.Type("dump_private_keys")
		d.Press("enter")
		d.Shows("Private keys on screen", "Password")
		d.Type("wrong")
		d.Press("enter")
		d.Until("✗")
		d.Hides(`"5`)
		d.Type("dump_private_keys")
		d.Press("enter")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("✓")
		d.Press("esc y 2")
		d.Wait(time.Minute)
		if len(copied) < 2 || !strings.Contains(copied[0], `"5`) || copied[len(copied)-1] != "" {
			t.Errorf("%d times something was copied; at last %d bytes", len(copied), len(copied[max(len(copied)-1, 0):]))
		}
	})
}

// The form of an operation and its line stay in step; a secret is in neither the line nor the output.
func TestAnOperationIsFilledInAsAForm(t *testing.T) {
	uitest.Play(t, 100, 30, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type("transfer alice")
		d.Press("f2")
		d.Until("from", "asset_symbol", "broadcast")
		d.Press("tab")
		d.Type("bob-trade")
		d.Press("tab")
		d.Type("1.5")
		d.Press("tab")
		d.Type("DCT")
		d.Press("tab")
		d.Type("two coffees")
		d.Press("tab")
		d.Type("true")
		d.Shows(`transfer alice bob-trade 1.5 DCT "two coffees" true`)
		d.GoldenPage("console/console-form")
		d.GoldenSizes("console/console-form", [][2]int{{50, 16}})
		d.Resize(100, 30)
		d.Press("esc")
		d.Shows(`alice> transfer alice bob-trade 1.5 DCT "two coffees" true`)
		d.Press("enter")
		d.Until("Approve what you typed", "1.50000000 DCT")
		d.Sure("X")
		d.Until("you did not agree")
		d.Type("unlock")
		d.Press("f2")
		d.Type("correct horse")
		d.Hides("correct horse")
		d.Press("enter enter")
		d.Until("> unlock", "✓")
		d.Hides("correct horse")
		d.Type("transfer")
		d.Send(uitest.Key("ctrl+r"))
		d.Shows(`alice> transfer alice bob-trade 1.5 DCT "two coffees" true`)
		d.Send(uitest.Key("ctrl+r"))
		d.Shows(`alice> transfer alice bob-trade 1.5 DCT "two coffees" true`)
		if w.Paid() != 0 {
			t.Error("something was paid")
		}
	})
}

// ~ shows what the page shows or did as a call, and copies it; a payment that was sent, too.
func TestPagesSayTheSameAsACall(t *testing.T) {
	copied := ""
	s := consoleScene()
	s.Options.Clipboard = func(text string) error { copied = text; return nil }
	uitest.Play(t, 100, 30, s, func(d *uitest.Driver, w *uitest.World) {
		for _, page := range [][2]string{
			{"1", "list_account_balances alice"}, {"2", "get_account_history alice 100"}, {"6", "get_account alice"}, {"=", "info"},
			{"4", "get_account alice"}, {"4 tab", "get_account_history alice 100"}, {"5", "get_messages alice 1000"},
		} {
			d.Press("esc esc " + page[0] + " ~")
			d.Shows("Past notices", "billfold call "+page[1])
		}
		d.Press("esc esc 7 n")
		d.Type("carol")
		d.Press("enter enter")
		d.Until("id pinned")
		d.Press("~")
		d.Shows("billfold call get_account 1.2.57")
		d.Press("esc 1 ~ enter")
		if copied != "billfold call list_account_balances alice" {
			t.Errorf("%q was copied", copied)
		}
		d.Press("esc :")
		d.Type("send carol 5 DCT")
		d.Press("enter tab tab tab")
		d.Type("it's $(reboot) `reboot`")
		d.Press("ctrl+s")
		d.Wait(2 * time.Second)
		d.Press("S")
		d.Wait(time.Second)
		d.Press("~")
		d.Shows(`billfold call transfer alice carol 5 DCT 'it'\''s $(reboot) ` + "`reboot`'") // a shell runs none of it
		if w.Paid() != 1 {
			t.Errorf("%d payments", w.Paid())
		}
	})
}

// A command that ~ shows names the wallet that is on screen; where no command would do the same, a sentence says so, and the
// listener is called instead.
func TestACallIsForTheWalletOnScreen(t *testing.T) {
	copied := ""
	s := consoleScene()
	s.Options.Clipboard = func(text string) error { copied = text; return nil }
	s.Options.Shell = screen.Shell{Call: []screen.Flag{{Name: "data-dir", Value: "/srv/my wallet"}, {Name: "store-may-lose"}}}
	uitest.Play(t, 100, 30, s, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("~ enter")
		if copied != "billfold '--data-dir=/srv/my wallet' --store-may-lose call list_account_balances alice" {
			t.Errorf("%q was copied", copied)
		}
		d.Press("esc :")
		d.Type("send carol 5 DCT")
		d.Press("enter tab tab tab")
		d.Type("- thanks")
		d.Press("ctrl+s")
		d.Wait(2 * time.Second)
		d.Press("S")
		d.Wait(time.Second)
		d.Press("~ enter")
		if !strings.Contains(copied, " call -- transfer alice carol 5 DCT '- thanks'") {
			t.Errorf("%q was copied", copied)
		}
	})
	s = consoleScene()
	s.Options.Shell.Why = "There is no command for this."
	s.Options.Clipboard = func(text string) error { copied = text; return nil }
	uitest.Play(t, 40, 12, s, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("~")
		d.Shows("There is no command for this.")
		d.Hides("copies", "billfold")
	})
	s.Options.RPC = rpc.Core{Traffic: uitest.Listeners{},
		Server: uitest.Listeners{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true}}}
	uitest.Play(t, 100, 30, s, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("~")
		d.Shows("There is no command for this. The call below does the same. ↵ copies it.", "curl")
		d.Hides("billfold call", "Bearer")
	})
	s.Options.RPC = rpc.Core{Traffic: uitest.Listeners{},
		Server: uitest.Listeners{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true, Token: true}}}
	uitest.Play(t, 100, 30, s, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("~ enter")
		if !strings.Contains(copied, ` -H "Authorization: Bearer $TOKEN" `) { // whoever needs a token is told where it goes
			t.Errorf("%q was copied", copied)
		}
	})
}

// While a line waits for a yes, enter and ! show what it waits for, and what is typed meanwhile stays.
func TestALineThatWaitsIsShownAgain(t *testing.T) {
	uitest.Play(t, 100, 30, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type("transfer alice bob-trade 1.5 DCT x true")
		d.Press("enter")
		d.Until("Approve what you typed")
		d.Press("esc")
		d.Hides("Approve what you typed")
		d.Shows("waits for your yes: ! shows it", "TYPE")
		d.Type("!")
		d.Shows("Approve what you typed")
		d.Press("esc")
		d.Type("info")
		d.Press("enter")
		d.Shows("Approve what you typed")
		d.Sure("X")
		d.Until("you did not agree", "alice> info")
		d.Press("enter")
		d.Until("> info", "✓")
		if w.Paid() != 0 {
			t.Error("it was paid against a no")
		}
	})
}

// A form with an empty field that is needed stays, and names it; a memo may be empty.
func TestAFormNamesWhatIsMissing(t *testing.T) {
	uitest.Play(t, 100, 30, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0 f2")
		d.Shows("Type the name of an operation first")
		d.Type("transfer alice")
		d.Press("f2 enter enter enter enter enter enter enter")
		d.Shows("to is needed", "asset_symbol")
		d.Press("esc ctrl+u")
		d.Type(`transfer alice bob-trade 1.5 DCT "" true`)
		d.Press("f2 enter enter enter enter enter enter enter")
		d.Until("Approve what you typed")
		if w.Paid() != 0 {
			t.Error("it was paid without a yes")
		}
		d.Press("X")
	})
}

// Words that are no operations lead where a person means to go.
func TestWordsInTheConsoleLeadOn(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, _ *uitest.World) {
		for word, want := range map[string]string{"exit": "[1 Home]", "quit": "[1 Home]", "import": "Imports are added to this wallet"} {
			d.Press("0")
			d.Type(word)
			d.Press("enter")
			d.Shows(want)
			d.Press("esc")
		}
		d.Press(":")
		d.Type("exit")
		d.Shows("▌ quit, or exit")
	})
}
