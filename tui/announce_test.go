package tui_test

import (
	"context"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore/approval"
	"billfold/walletcore/build"
)

// A spend that was approved for a program and refused by the node at once is not left as approved: its outcome is shown.
func TestRefusalOfAnApprovedSpendIsAnnounced(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		p := build.RequestToBuyParams{Consumer: "alice", URI: "ipfs:Qm", Asset: "DCT", Price: "12"}
		made, err := w.Wallet.Payments.Prepare(w.Ctx, build.NewRequest("request_to_buy", p, build.RequestToBuy))
		uitest.Must(t, err)
		if _, err := w.Wallet.Payments.Send(w.Ctx, made); err == nil {
			t.Fatal("content that does not exist was bought")
		}
		d.Wait(time.Second)
		d.Press("~")
		d.Until("Outcome unknown, do not send again: alice 1.2.34 buys ipfs:Qm")
		for range 30 {
			w.Mine()
			d.Wait(5 * time.Second)
		}
		d.Press("esc ~")
		d.Until("nothing was spent: alice 1.2.34 buys ipfs:Qm")
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
