package tui

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui/page/rpc"
	"billfold/walletcore"
	"billfold/walletcore/approval"

	tea "github.com/charmbracelet/bubbletea"
)

// asking drives a wallet that programs ask. ask lets one of them ask for a
// payment and gives its answer.
func asking(t *testing.T, w, h int, core *paper, test func(d *drive, ask func(who string, r walletcore.Review) <-chan approval.Answer)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		q := approval.New()
		defer q.Close()
		doors := []rpc.Listener{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc"}, {Name: "websocket", Addr: "ws://127.0.0.1:8091"}}
		core.open()
		driveOn(t, w, h, core.core(), Options{Listeners: func() []rpc.Listener { return doors }, Terms: []rpc.Term{{Name: "Spending", Text: "you are asked"}}, Approvals: q}, func(d *drive) {
			test(d, func(who string, r walletcore.Review) <-chan approval.Answer {
				out := make(chan approval.Answer, 1)
				go func() {
					ctx, cancel := context.WithTimeout(d.ctx, time.Minute)
					defer cancel()
					out <- q.Ask(ctx, approval.Request{Who: who, Via: "websocket", Method: "transfer", Why: "programs have to ask", Review: r})
				}()
				d.pump()
				return out
			})
		})
	})
}

// small is a payment that needs no more than reading.
func small() walletcore.Review { return review(carol, 550000000) }

func TestApprovalLooksAsDrawn(t *testing.T) {
	for _, s := range sizes() {
		t.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(t *testing.T) {
			asking(t, s[0], s[1], sample(), func(d *drive, ask func(string, walletcore.Review) <-chan approval.Answer) {
				ask("shop-till", small())
				ask("python", walletcore.Review{Operation: "account create (1)", Sentence: "alice registered the account newcomer",
					From: alice, Asset: dct, FeeAsset: dct, Fee: 100000, SignsWith: small().SignsWith,
					JSON: `{"operations":[[1,{"name":"newcomer","owner":{"weight_threshold":1,"key_auths":[["DCT5KEwPp3NjJ2Le6qZXpUgdb1a1iNVPjsaMrLFzeAKadizJ2k1y5",1]]}}]]}`})
				d.press("-")
				d.golden(fmt.Sprintf("rpc%dx%d", s[0], s[1]))
				d.press("!")
				d.wait(time.Second)
				d.golden(fmt.Sprintf("approval%dx%d", s[0], s[1]))
				d.press("esc down enter")
				d.wait(time.Second)
				d.golden(fmt.Sprintf("effect%dx%d", s[0], s[1]))
			})
		})
	}
}

func TestAApprovesAndXDenies(t *testing.T) {
	asking(t, 80, 24, sample(), func(d *drive, ask func(string, walletcore.Review) <-chan approval.Answer) {
		first := ask("shop-till", small())
		d.shows("shop-till asks to spend", "!1")
		d.press("3")
		d.typed("car!") // a person who types is left alone
		d.shows("car!")
		d.press("esc !")
		d.shows("Approve a payment asked for over RPC", "shop-till, websocket, this computer", "5.50000000 DCT", "carol 1.2.57")
		d.press("A")
		select {
		case a := <-first:
			t.Fatal("A within 600 ms was heard:", a)
		default:
		}
		d.wait(time.Second)
		d.press("enter space y a x S s")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("AX")})
		for y := range 24 {
			for x := y % 16; x < 80; x += 16 { // every button is wider
				d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
		}
		d.shows("Approve a payment asked for over RPC")
		d.press("A")
		if a := <-first; a != approval.Yes {
			t.Error(a)
		}
		d.shows("Approved: 5.50000000 DCT")
		d.hides("!1")
		second := ask("shop-till", small())
		d.press("!")
		d.press("X") // a no needs no patience
		if a := <-second; a != approval.No {
			t.Error(a)
		}
		d.shows("Denied")
	})
}

// A stranger, or a large sum, is typed here as in one's own payments.
func TestApprovalAsksForTheSameChecks(t *testing.T) {
	r := review(merchant, 60_00000000)
	r.FirstTime, r.PaidBefore = true, 0
	asking(t, 100, 30, sample(), func(d *drive, ask func(string, walletcore.Review) <-chan approval.Answer) {
		answer := ask("shop-till", r)
		d.press("!")
		d.wait(time.Second)
		d.shows("FIRST PAYMENT", "type the object id of the recipient")
		d.press("tab A")
		d.shows("A is off: type the object id of the recipient first")
		d.press("tab")
		d.typed("1.2.1189")
		d.wait(time.Second)
		d.press("A")
		if a := <-answer; a != approval.Yes {
			t.Error(a)
		}
	})
}

func TestSilenceIsShownAsNo(t *testing.T) {
	asking(t, 80, 24, sample(), func(d *drive, ask func(string, walletcore.Review) <-chan approval.Answer) {
		answer := ask("shop-till", small())
		d.press("!")
		d.wait(10 * time.Second)
		d.shows("in 0:45")
		d.wait(46 * time.Second)
		if a := <-answer; a != approval.Silence {
			t.Error(a)
		}
		d.shows("has ended: nothing was signed")
		d.press("A")
		d.shows("A is off: the request has ended")
		d.press("X")
		d.hides("Approve a payment")
	})
}

// A locked wallet shows that somebody waits, not who pays whom; after unlocking
// the queue is in front.
func TestALockedWalletShowsNoPayment(t *testing.T) {
	asking(t, 100, 30, sample(), func(d *drive, ask func(string, walletcore.Review) <-chan approval.Answer) {
		d.press("ctrl+l")
		ask("shop-till", small())
		d.shows("1 waiting for your answer")
		d.hides("carol 1.2.57", "5.50000000")
		d.press("esc - ")
		d.shows("shown when the wallet is unlocked")
		d.hides("carol 1.2.57", "5.50000000")
		d.press("!")
		d.typed(password)
		d.press("enter")
		d.wait(time.Second)
		d.shows("Approval queue", "5.50000000 DCT")
	})
}

func TestQuitSaysThatProgramsWait(t *testing.T) {
	core := sample()
	core.payments = nil
	asking(t, 80, 24, core, func(d *drive, ask func(string, walletcore.Review) <-chan approval.Answer) {
		ask("shop-till", small())
		d.press("q")
		d.shows("quitting means no")
		if d.quit {
			t.Error("it quit at once")
		}
	})
}

// Keys are shown with who asks for which, and given only for a word that is typed.
func TestKeysAreGivenForATypedWord(t *testing.T) {
	asking(t, 80, 24, sample(), func(d *drive, _ func(string, walletcore.Review) <-chan approval.Answer) {
		ask := func(sentence, typed string) <-chan approval.Answer {
			out := make(chan approval.Answer, 1)
			go func() {
				ctx, cancel := context.WithTimeout(d.ctx, time.Minute)
				defer cancel()
				out <- d.model.opt.Approvals.Ask(ctx, approval.Request{Who: "backup", Via: "HTTP", Method: "dump_private_keys", Why: "programs have to ask", Sentence: sentence, Typed: typed})
			}()
			d.pump()
			return out
		}
		first := ask("export all private keys", "export")
		d.shows("backup asks for keys", "export all private keys")
		d.press("!")
		d.wait(time.Second)
		d.golden("approval-keys80x24")
		d.press("tab A")
		d.shows("A is off: type the word export first")
		d.press("tab")
		d.typed("export")
		d.wait(time.Second)
		d.press("v A")
		if a := <-first; a != approval.Yes {
			t.Error(a)
		}
		second := ask("store a private key for \x1b[31mmallory", "")
		d.press("!")
		d.wait(time.Second)
		d.shows("Wants to", "store a private key for", "mallory")
		d.press("X")
		if a := <-second; a != approval.No {
			t.Error(a)
		}
	})
}
