package tui_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/page/rpc"
	"billfold/tui/uitest"
	"billfold/walletcore/approval"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// programs are programs that send requests to the wallet of a driver.
type programs struct {
	d     *uitest.Driver
	queue *approval.Queue
}

// ask sends a request and returns the channel of its answer.
func (p programs) ask(r approval.Request) <-chan approval.Answer {
	out := make(chan approval.Answer, 1)
	go func() {
		ctx, cancel := context.WithTimeout(p.d.Ctx, time.Minute)
		defer cancel()
		out <- p.queue.Ask(ctx, r)
	}()
	p.d.Pump()
	return out
}

func (p programs) pay(who string, r txbuild.Review) <-chan approval.Answer {
	return p.ask(approval.Request{Who: who, Via: "websocket", Method: "transfer", Why: "programs have to ask", Review: r})
}

// keys requests an action in words; typed is the word that approving it needs.
func (p programs) keys(sentence, typed string) <-chan approval.Answer {
	return p.ask(approval.Request{Who: "backup", Via: "HTTP", Method: "dump_private_keys", Why: "programs have to ask",
		Sentence: sentence, Typed: typed})
}

// playWithPrograms drives a scene in which programs send requests.
func playWithPrograms(t *testing.T, w, h int, scene uitest.Scene, test func(d *uitest.Driver, ask programs)) {
	t.Helper()
	var q *approval.Queue
	listeners := uitest.Listeners{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true}, {Name: "WebSocket", Addr: "ws://127.0.0.1:8091", On: true}}
	scene.Setup = func(o *tui.Options) {
		q = approval.New()
		o.RPC = rpc.Core{Server: listeners, Traffic: listeners, Terms: []rpc.Term{{Name: "Spending", Text: "you are asked"}}}
		o.Approvals = q
	}
	uitest.Play(t, w, h, scene, func(d *uitest.Driver, _ *uitest.World) {
		defer q.Close()
		test(d, programs{d, q})
	})
}

// small returns the review of a payment that needs no confirmation.
func small() txbuild.Review { return uitest.Review(uitest.Carol, 550000000) }

// newcomer returns the review of an operation that pays nobody.
func newcomer() txbuild.Review {
	return txbuild.Review{Operation: "account create (1)", Sentence: "alice registered the account newcomer",
		Intents: []string{"alice registers the account newcomer"},
		From:    uitest.Alice, Asset: uitest.DCT, FeeAsset: uitest.DCT, Fee: 100000, SignsWith: small().SignsWith, SignsAs: small().SignsAs,
		JSON: `{"operations":[[1,{"name":"newcomer","owner":{"weight_threshold":1,` +
			`"key_auths":[["DCT5KEwPp3NjJ2Le6qZXpUgdb1a1iNVPjsaMrLFzeAKadizJ2k1y5",1]]}}]]}`}
}

func TestApprovalLooksAsDrawn(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		ask.pay("shop-till", small())
		ask.pay("python", newcomer())
		d.Press("-")
		d.GoldenSizes("overlay/approval/rpc", uitest.Sizes())
	})
	for _, s := range uitest.Sizes() { // each is opened at its size: what was in view once counts as read
		playWithPrograms(t, s[0], s[1], uitest.Rows(), func(d *uitest.Driver, ask programs) {
			ask.pay("shop-till", small())
			ask.pay("python", newcomer())
			d.Press("- !")
			d.Wait(time.Second)
			d.Golden(fmt.Sprintf("overlay/approval/approval%dx%d", s[0], s[1]))
			d.Press("esc down enter")
			d.Wait(time.Second)
			d.Golden(fmt.Sprintf("overlay/approval/effect%dx%d", s[0], s[1]))
		})
	}
}

// A request whose outcome is a file or a signature does not promise to send.
func TestApprovalNamesItsOutcome(t *testing.T) {
	playWithPrograms(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		file := small()
		file.Outcome = txbuild.Writes
		got := ask.pay("shop-till", file)
		d.Press("- !")
		d.Shows("A  Approve: write the unsigned file")
		d.Hides("sign and send")
		d.Wait(time.Second)
		d.Press("A")
		if a := <-got; a != approval.Yes {
			t.Error(a)
		}
		d.Shows("Approved, to be signed by others:")
	})
}

func TestAApprovesAndXDenies(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		first := ask.pay("shop-till", small())
		d.Shows("shop-till asks to spend", "!1")
		d.Press("3")
		d.Type("car!") // a person who types is left alone
		d.Shows("car!")
		d.Press("esc !")
		d.Shows("Approve a payment requested over RPC", "shop-till, websocket, this computer", "5.50000000 DCT", "carol 1.2.57")
		d.Press("A")
		select {
		case a := <-first:
			t.Fatal("A worked within 600 ms:", a)
		default:
		}
		d.Wait(time.Second)
		d.Press("enter space y a x S s")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("AX")})
		for y := range 24 {
			for x := y % 16; x < 80 && (y != 22 || x < 16); x += 16 { // every button is wider; of the keys only A is clicked, as esc closes
				d.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
		}
		d.Shows("Approve a payment requested over RPC")
		d.Sure("A")
		if a := <-first; a != approval.Yes {
			t.Error(a)
		}
		d.Shows("Approved, being sent: 5.50000000 DCT")
		d.Hides("!1")
		second := ask.pay("shop-till", small())
		d.Press("!")
		d.Sure("X")
		if a := <-second; a != approval.No {
			t.Error(a)
		}
		d.Shows("Denied")
	})
}

// A new recipient or a large amount must be typed, as for the person's own payments.
func TestApprovalRequiresTheSameConfirmations(t *testing.T) {
	r := uitest.Review(uitest.Merchant, 60_00000000)
	r.FirstTime, r.PaidBefore = true, 0
	playWithPrograms(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		answer := ask.pay("shop-till", r)
		d.Press("!")
		d.Wait(time.Second)
		d.Shows("FIRST PAYMENT", "type the object id of the recipient")
		d.Press("tab A")
		d.Shows("A is off: type the object id of the recipient first")
		d.Press("tab")
		d.Type("1.2.111")
		d.Wait(time.Second)
		d.Press("A")
		if a := <-answer; a != approval.Yes {
			t.Error(a)
		}
	})
}

func TestTimeoutIsShownAsDenial(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		answer := ask.pay("shop-till", small())
		d.Press("!")
		d.Wait(10 * time.Second)
		d.Shows("in 0:45")
		d.Wait(46 * time.Second)
		if a := <-answer; a != approval.Silence {
			t.Error(a)
		}
		d.Shows("has ended: nothing was signed", "[ esc  close ]", "A is off: the request has ended")
		d.Hides("A  Approve", "scroll to the last line")
		d.Press("A")
		d.Shows("A is off: the request has ended")
		d.Press("X")
		d.Hides("Approve a payment")
	})
}

// A locked wallet shows that somebody waits, but not who pays whom; after unlocking, the queue is in front.
func TestLockedWalletShowsNoRequestedPayment(t *testing.T) {
	playWithPrograms(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		d.Press("ctrl+l")
		ask.pay("shop-till", small())
		d.Shows("1 waiting for your answer")
		d.Hides("carol 1.2.57", "5.50000000")
		d.Press("esc - ")
		d.Shows("shown when the wallet is unlocked")
		d.Hides("carol 1.2.57", "5.50000000")
		d.Press("!")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Wait(time.Second)
		d.Shows("Approval queue", "5.50000000 DCT")
	})
}

func TestQuitWarnsThatProgramsWait(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		ask.pay("shop-till", small())
		d.Press("q")
		d.Shows("1 payment of your programs waits for you; quitting denies it")
		if d.Quit {
			t.Error("it quit at once")
		}
	})
}

// X denies a request for keys at once, although approving it needs a typed word. A request that has ended takes no letters.
func TestXDeniesARequestForKeys(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		first := ask.keys("export all private keys", "export")
		d.Press("!")
		d.Wait(time.Second)
		d.Press("X")
		if a := <-first; a != approval.No {
			t.Error(a)
		}
		d.Shows("Denied: export all private keys")
		second := ask.keys("export all private keys", "export")
		d.Press("!")
		d.Wait(time.Second)
		d.Type("ex")
		d.Press("X")
		d.Shows("exX")
		d.Wait(2 * time.Minute)
		if a := <-second; a == approval.Yes {
			t.Error(a)
		}
		d.Shows("has ended: nothing was done", "esc close")
		d.Type("port")
		d.Hides("exXp")
		d.Press("X")
		d.Hides("has ended")
	})
}

// A request for keys shows who asks for which keys, and needs a typed word.
func TestKeyRequestNeedsATypedWord(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		first := ask.keys("export all private keys", "export")
		d.Shows("backup asks for keys", "export all private keys")
		d.Press("!")
		d.Wait(time.Second)
		d.Golden("overlay/approval/approval-keys80x24")
		d.Press("tab A")
		d.Shows("A is off: type the word export first")
		d.Press("tab")
		d.Type("export")
		d.Wait(time.Second)
		d.Press("v A")
		if a := <-first; a != approval.Yes {
			t.Error(a)
		}
		second := ask.keys("store a private key for \x1b[31mmallory", "")
		d.Press("!")
		d.Wait(time.Second)
		d.Shows("Wants to", "store a private key for", "mallory")
		d.Press("X")
		if a := <-second; a != approval.No {
			t.Error(a)
		}
	})
}

// A row of the queue and its toast start with the gravest warning, whatever comes first in the transaction, and show what a proposal
// would do.
func TestRequestSummaryStartsWithTheGravestWarning(t *testing.T) {
	playWithPrograms(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		grave := newcomer()
		grave.Operation = "2 operations"
		grave.Intents = []string{"alice pays 1.00000000 DCT to bob-trade", "alice changes its active authority"}
		grave.Control = []txbuild.Control{{Account: uitest.Alice, Role: "active"}}
		ask.pay("python", grave)
		const warning = "changes the active authority of alice 1.2.34; the keys in this wallet do NOT suffice"
		d.Shows("python asks to spend: ", " · ▲ changes the active authority", "of alice 1.2.34; the keys in this wallet do NOT suffice", "; ! opens it")
		d.Press("-")
		d.Shows("transfer  ▲ " + warning)
	})
	playWithPrograms(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		would := small()
		approves := newcomer()
		approves.Operation, approves.Amount, approves.ToObject = "proposal update (19)", 0, 0
		approves.Intents, approves.Approves = []string{"alice approves the proposal 1.6.42"}, &would
		ask.pay("bot", approves)
		d.Shows("alice approves the proposal 1.6.42 · would do: 5.50000000 DCT → carol 1.2.57; ! opens it")
	})
}

// The frame names only keys that work: while a confirmation is typed, letters go into it. Before a request is signed, it has no
// reference block and no expiration.
func TestApprovalNamesOnlyKeysThatWork(t *testing.T) {
	playWithPrograms(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		stranger := uitest.Review(uitest.Merchant, 60_00000000)
		stranger.FirstTime, stranger.PaidBefore = true, 0
		stranger.JSON = "{\n  \"ref_block_num\": 0,\n  \"ref_block_prefix\": 0,\n  \"expiration\": \"1970-01-01T00:00:00\",\n  \"operations\": []\n}"
		ask.pay("shop-till", stranger)
		d.Press("!")
		d.Wait(time.Second)
		d.Shows("tab to the buttons · X deny · esc decide later")
		d.Hides("v json")
		d.Type("1")
		d.Shows("tab to the buttons · esc decide later")
		d.Hides("X deny")
		d.Press("tab")
		d.Shows("A approve · X deny · v json · esc decide later")
		d.Press("v")
		d.Shows("X deny · v review", "Not in a block yet", `"operations": []`)
		d.Hides("1970", "ref_block")
	})
}

// The ! that the notice names works, too, in a review, which goes on where it was, and over pop-ups that must be closed first.
func TestApprovalOpensWithTheKeyInTheNotice(t *testing.T) {
	playWithPrograms(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		d.FillForm("carol", "5.5")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		first := ask.pay("shop-till", small())
		d.Shows("shop-till asks to spend: ", "; ! opens it")
		d.Press("!")
		d.Shows("Approve a payment requested over RPC")
		second := ask.pay("python", newcomer())
		d.Shows("python asks to spend, the oldest of 2: ", "; esc first, then !")
		d.Sure("!")
		d.Shows("esc first, then !")
		d.Sure("A")
		if a := <-first; a != approval.Yes {
			t.Error(a)
		}
		d.Until("Review", "carol", "Approved") // which stands in place of the path
		d.Press("S")
		d.Shows("Review") // it opened again just now
		d.Sure("!")
		d.Shows("Approve a request made over RPC", "python")
		d.Press("esc")
		d.Shows("Send › Review")
		d.Press("esc esc 1 :")
		third := ask.pay("shop-till", small())
		d.Press("esc f1")
		d.Press("!")
		d.Shows("A request waits: esc first, then ! opens it")
		d.Press("esc !")
		d.Sure("X")
		if a := <-second; a != approval.No {
			t.Error(a)
		}
		d.Press("!")
		d.Sure("X")
		if a := <-third; a != approval.No {
			t.Error(a)
		}
	})
}

// While several requests wait, a toast names the one that its key opens.
func TestTheToastNamesWhatItsKeyOpens(t *testing.T) {
	playWithPrograms(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		ask.pay("shop-till", uitest.Review(uitest.Merchant, 3_00000000))
		d.Shows("shop-till asks to spend: 3.00000000 DCT")
		ask.pay("python", uitest.Review(uitest.Carol, 77_00000000))
		d.Shows("python asks to spend, the oldest of 2: 3.00000000 DCT")
		d.Hides(": 77.00000000 DCT")
		d.Press("!")
		d.Until("Client", "shop-till", "3.00000000 DCT")
		d.Hides("Client      python")
	})
}

// A request that nobody answered in time leaves a trace: a toast and its notice, a row on RPC with what was asked, and a line on Home.
// Nothing opens it any more.
func TestUnansweredRequestsAreListed(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		playWithPrograms(t, size[0], size[1], uitest.Rows(), func(d *uitest.Driver, ask programs) {
			got := ask.pay("shop-till", small())
			d.Shows("shop-till asks to spend")
			d.Wait(approval.Patience + time.Second)
			if a := <-got; a != approval.Silence && a != approval.Left {
				t.Fatal(a)
			}
			d.Pump()
			d.Shows("Nobody answered shop-till: 5.50000000 DCT → carol", "1 request of programs unanswered, last at ", "- lists them")
			d.Press("-")
			d.Shows("0 waiting", "✗ shop-till, ", "nothing was signed: transfer", "5.50000000 DCT")
			for range 4 {
				d.Press("enter")
				d.Hides("Approve a payment")
				d.Press("tab")
			}
			ask.pay("python", small())
			d.Press("1")
			d.Shows("1 request of programs unanswered")
			d.Press("-")
			d.Shows("1 waiting", "python")
			d.Press("down")
			d.Shows("✗ shop-till, ")
		})
	}
}
