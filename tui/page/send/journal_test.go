package send_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
)

// A wallet that spends nothing says so on every page from the start, and how to go
// on; no review opens that could not be sent.
func TestJournalFaultIsSaidFromTheStart(t *testing.T) {
	for name, change := range map[string]func(w *uitest.World){
		"online":  func(*uitest.World) {},
		"no node": (*uitest.World).Cut,
	} {
		t.Run(name, func(t *testing.T) {
			var h heard
			scene := uitest.Rows()
			scene.Core = h.listen
			scene.Wallet = func(w *uitest.World) {
				w.Reopen(func(dir string) { uitest.Must(t, os.Remove(filepath.Join(dir, sqlite.Name))) })
				w.Ago(time.Second)
				change(w)
			}
			uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
				for _, page := range []string{"1", "2", "4", "3"} {
					d.Press("esc " + page)
					d.Shows("Sending is off: the journal is faulty. Run billfold journal status")
				}
				d.Type("carol")
				d.Press("tab")
				d.Type("250")
				d.Shows("live check: sending is off")
				d.Press("ctrl+s")
				d.Shows("the wallet spends nothing: the payment journal", "Run billfold journal status")
				d.Hides("Sign and send")
				if len(h.built) != 0 {
					t.Errorf("built %+v", h.built)
				}
			})
		})
	}
}

// The journal can be lost after the review opened; the advice is the same.
func TestJournalLostAfterTheReviewAdvises(t *testing.T) {
	scene := uitest.Rows()
	scene.Core = func(c *tui.Core) {
		lost := &fault.Error{Code: fault.File, Journal: true, Message: "the wallet spends nothing: the journal is missing"}
		c.Send.Payer = refusing{c.Send.Payer, lost}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("journal is missing", "Run billfold journal status")
		d.Hides("permissions")
	})
}
