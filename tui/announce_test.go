package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/tui/widget/progress"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// A spend that was approved for a program and refused by the node at once is not left as approved: its outcome is shown.
func TestRefusalOfAnApprovedSpendIsAnnounced(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		p := txbuild.RequestToBuyParams{Consumer: "alice", URI: "ipfs:Qm", Asset: "DCT", Price: "12"}
		made, err := w.Wallet.Payments.Prepare(w.Ctx, txbuild.NewRequest("request_to_buy", p, txbuild.RequestToBuy))
		uitest.Must(t, err)
		if _, err := w.Wallet.Payments.Send(w.Ctx, made); err == nil {
			t.Fatal("content that does not exist was bought")
		}
		d.Wait(time.Second)
		d.Press("~")
		d.Until("Outcome unknown: alice 1.2.34 buys ipfs:Qm")
		for range 30 {
			w.Mine()
			d.Wait(5 * time.Second)
		}
		d.Press("esc ~")
		d.Until(": alice 1.2.34 buys ipfs:Qm", "nothing was spent")
	})
}

// A person who approved a request and is asked again is told so, for console lines too: what was shown as approved is not signed.
func TestRenewedApprovalRequestIsAnnounced(t *testing.T) {
	var q *approval.Queue
	scene := uitest.Scene{Setup: func(o *tui.Options) {
		q = approval.New()
		o.Approvals = q
	}}
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, _ *uitest.World) {
		defer q.Close()
		for _, via := range []string{"HTTP", approval.Console} {
			r := approval.Request{Who: "shop", Via: via, Method: "transfer", Review: uitest.Review(uitest.Carol, 5_00000000)}
			r.Review.Again = true
			ctx, cancel := context.WithCancel(d.Ctx)
			done := make(chan approval.Answer, 1)
			go func() { done <- q.Ask(ctx, r) }()
			d.Pump()
			d.Shows("Asked again, nothing is signed yet")
			cancel()
			<-done
			d.Wait(30 * time.Second)
			d.Hides("Asked again")
		}
	})
}

// What happened to a payment is whole in its toast at 80 columns, with the longest name and amount: first what was asked for or done, and then what
// to mind. A program's request is too.
func TestToastsAreWholeAndBeginWithTheFact(t *testing.T) {
	long := ledgerview.AccountRef{ID: uitest.Carol.ID, Name: "c" + strings.Repeat("arol", 15) + "-x"}
	pays := uitest.Review(long, 12345678_12345678)
	proposal := txbuild.Review{Operation: txbuild.Title(ledger.CodeProposalCreate), Intents: []string{"alice proposes: alice pays 3.5 DCT to " + long.Name[:50]}}
	whole := func(d *uitest.Driver, what, fact, then string) {
		d.T.Helper()
		rows := strings.Split(strings.TrimRight(d.Screen(), "\n"), "\n")
		shown := strings.Join(rows[len(rows)-2:], " ")
		shown = strings.ReplaceAll(strings.ReplaceAll(shown, "~ all", ""), " ", "") // a long name is broken where the row ends
		fact, then = strings.ReplaceAll(fact, " ", ""), strings.ReplaceAll(then, " ", "")
		if at := strings.Index(shown, fact); at < 0 || !strings.Contains(shown[at:], then) {
			d.T.Errorf("%s: the toast is %q, want %q and then %q", what, shown, fact, then)
		}
	}
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for state, then := range map[payment.State]string{payment.Irreversible: "is irreversible", payment.Expired: "nothing was spent", payment.Rejected: "nothing was spent",
			payment.Unknown: "do not send again"} {
			line := progress.Announcement(screen.Env{}, payment.Payment{State: state, Review: pays, Block: 7})
			d.Send(screen.Toast{Line: line})
			whole(d, "payment", "12,345,678.12345678 DCT to "+long.Name+" 1.2.57", then)
			if state == payment.Irreversible {
				then = "nothing is paid by it"
			}
			d.Send(screen.Toast{Line: progress.Announcement(screen.Env{}, payment.Payment{State: state, Review: proposal, Block: 7})})
			whole(d, "proposal", "alice pays 3.5 DCT to "+long.Name[:50], then)
		}
	})
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		grave := small()
		grave.To, grave.Again = long, false
		grave.Control = []txbuild.Control{{Account: uitest.Alice, Role: "active"}}
		ask.pay("shop-till", grave)
		whole(d, "request", "shop-till asks to spend: 5.50000000 DCT → "+long.Name+" 1.2.57", "▲")
		ask.pay("python", small())
		whole(d, "second request", "python asks to spend, the oldest of 2: 5.50000000 DCT → "+long.Name+" 1.2.57", "")
	})
}
