package send_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

// What is signed for is a draft until the journal has the payment, which drops it: a program that is killed in between loses neither.
// Where nothing was sent, what was kept for that alone is gone again.
func TestWhatIsSignedForIsADraftUntilTheJournalHasIt(t *testing.T) {
	rent := txbuild.TransferParams{From: "alice", To: "carol", Amount: "6.7", Asset: "DCT"}
	for name, c := range map[string]struct {
		kept           []txbuild.TransferParams
		fill           func(d *uitest.Driver)
		cut            bool
		during, behind string // the amounts of the drafts
	}{
		"typed":            {nil, func(d *uitest.Driver) { d.FillForm("carol", "6.7") }, false, "6.7", ""},
		"not sent":         {nil, func(d *uitest.Driver) { d.FillForm("carol", "6.7") }, true, "6.7", ""},
		"a draft":          {[]txbuild.TransferParams{rent}, func(d *uitest.Driver) { d.Press("3 esc d down enter") }, false, "6.7", ""},
		"not a sent draft": {[]txbuild.TransferParams{rent}, func(d *uitest.Driver) { d.Press("3 esc d down enter") }, true, "6.7", "6.7"},
		"a changed draft": {[]txbuild.TransferParams{rent}, func(d *uitest.Driver) {
			d.Press("3 esc d down enter tab")
			d.Type("1")
		}, false, "6.71 6.7", ""},
		"another draft of the same": {[]txbuild.TransferParams{rent}, func(d *uitest.Driver) { d.FillForm("carol", "6.7") }, false, "6.7", "6.7"},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, saved(c.kept...), func(d *uitest.Driver, w *uitest.World) {
				drafts := func() string {
					var all []string
					list, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
					uitest.Must(t, err)
					for _, one := range list {
						all = append(all, one.Request.Amount)
					}
					return strings.Join(all, " ")
				}
				toAlice(d)
				c.fill(d)
				d.Press("ctrl+s")
				d.Until("Review")
				d.Wait(time.Second)
				for _, method := range []string{"get_objects", "get_accounts", "get_account_balances", "get_dynamic_global_properties"} {
					w.Ledger.DelayMethod(method, 10*time.Second)
				}
				d.Sure("S")
				d.Shows("Signing and sending")
				if got := drafts(); got != c.during || w.Paid() != 0 {
					t.Errorf("before the signature the drafts are %q, and there are %d payments", got, w.Paid())
				}
				if c.cut {
					w.Cut()
				}
				d.Wait(time.Minute)
				if got, paid := drafts(), w.Paid(); got != c.behind || paid == 1 == c.cut {
					t.Errorf("in the end the drafts are %q, and there are %d payments:\n%s", got, paid, d.Screen())
				}
			})
		})
	}
}
