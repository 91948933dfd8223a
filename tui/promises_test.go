package tui_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/layout"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/progress"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Every list of the UI that may be cut shows how much is missing: whatever asks a cursor which rows are on screen passes them to
// list.Scroll, itself or through panel.Panel.Rows.
func TestEveryListShowsHowMuchIsMissing(t *testing.T) {
	walked := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, is := decl.(*ast.FuncDecl)
			if !is || f.Body == nil {
				continue
			}
			calls := map[string]bool{}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if call, is := n.(*ast.CallExpr); is {
					if of, is := call.Fun.(*ast.SelectorExpr); is {
						calls[of.Sel.Name] = true
					}
				}
				return true
			})
			if !calls["Window"] || !calls["Put"] && !calls["Rows"] { // it draws nothing
				continue
			}
			if walked++; !calls["Scroll"] && !calls["Rows"] {
				t.Errorf("%s: %s draws the rows of a list that fit, and not how many more there are", path, f.Name.Name)
			}
		}
		return nil
	})
	if err != nil || walked < 12 {
		t.Errorf("%d lists were walked: %v", walked, err)
	}
}

func TestFrameShowsWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		first, shown, total int
		want                string
	}{{0, 3, 3, ""}, {0, 2, 5, "━ 3 more below ━┛"}, {3, 2, 5, "━ 3 more above ━┛"}, {1, 2, 1204, "━ 1 above, 1,201 below ━┛"}} {
		area := canvas.New(40, 5)
		in := area.All().Box(canvas.Frame{Heavy: true, Foot: canvas.Text("a · b")})
		list.Scroll(in, c.first, c.shown, c.total)
		rows := strings.Split(area.Plain(), "\n")
		if got := rows[4]; !strings.HasSuffix(got, c.want) || !strings.HasPrefix(got, "┗━ a · b ━") || strings.Contains(got, "more") != (c.total > c.shown && !strings.Contains(c.want, "above,")) {
			t.Errorf("rows %d.. of %d: %q, want %q", c.first, c.total, got, c.want)
		}
		area = canvas.New(40, 5) // long keys give way
		in = area.All().Box(canvas.Frame{Foot: canvas.Text(strings.Repeat("k", 34))})
		list.Scroll(in, 0, 1, 30)
		if got := area.Plain(); !strings.Contains(got, "k… 29 more below ─╯") {
			t.Errorf("%s", got)
		}
		area = canvas.New(40, 5) // where there is no frame
		in = area.All().Panel(canvas.Frame{Title: canvas.Text("T")}, false)
		list.Scroll(in, 0, 1, 30)
		if got := area.Plain(); !strings.Contains(got, "─ 29 more below ") {
			t.Errorf("%s", got)
		}
	}
}

// A payment's toast reads as paid only of a payment that is in a block; what is merely proposed, refused or unknown does not.
func TestAnnouncementsTakeTheirWordsFromTheState(t *testing.T) {
	pays := uitest.Review(uitest.Carol, 3_50000000)
	proposal := txbuild.Review{Operation: txbuild.Title(ledger.CodeProposalCreate), Sentence: "alice proposed: alice pays 3.5 DCT to carol",
		Intents: []string{"alice proposes: alice pays 3.5 DCT to carol"}}
	other := txbuild.Review{Operation: "account create (1)", Sentence: "alice registered newcomer", Intents: []string{"alice registers newcomer"}}
	for state := payment.Prepared; state <= payment.Expired; state++ {
		for name, c := range map[string]struct {
			review txbuild.Review
			want   map[payment.State]string
		}{
			"payment": {pays, map[payment.State]string{payment.Irreversible: "Payment of 3.50000000 DCT to carol 1.2.57 is irreversible",
				payment.InBlock: "Payment of 3.50000000 DCT to carol 1.2.57 is in block #7"}},
			"proposal": {proposal, map[payment.State]string{
				payment.Irreversible: "Only the proposal is irreversible: alice proposes: alice pays 3.5 DCT to carol; nothing is paid by it",
				payment.InBlock:      "Only the proposal is in block #7: alice proposes: alice pays 3.5 DCT to carol; nothing is paid by it"}},
			"other": {other, map[payment.State]string{payment.Irreversible: "Irreversible: alice registered newcomer",
				payment.InBlock: "In block #7: alice registered newcomer"}},
		} {
			want := c.want[state] + map[payment.State]string{payment.Unknown: "Outcome unknown: ",
				payment.Rejected: "Refused: ", payment.Expired: "Not included: "}[state]
			got := progress.Announcement(screen.Env{}, payment.Payment{State: state, Review: c.review, Block: 7}).String()
			done := strings.Contains(got, "registered") || strings.Contains(got, "proposed")
			if !strings.HasPrefix(got, want) || want == "" && got != "" || done && state != payment.InBlock && state != payment.Irreversible {
				t.Errorf("%s, %v: %q, want %q", name, state, got, want)
			}
		}
	}
}

// While no node answers, a payment that was in a block is said to be in it, not to be unknown.
func TestAPaymentInABlockIsNotUnknownOffline(t *testing.T) {
	p := payment.Payment{State: payment.Sent, LastIn: payment.Position{Block: 7, Seen: uitest.Start}}
	got := progress.Known(screen.Env{}, p)
	if got.State != payment.InBlock || got.Block != 7 || !strings.Contains(progress.Short(screen.Env{}, got).String(), "in block #7, cannot check now") {
		t.Errorf("%+v", got)
	}
	if p.LastIn.Block = 0; progress.Known(screen.Env{}, p).State != payment.Unknown {
		t.Error("what was in no block is not unknown")
	}
}

// decides returns reviews of each kind, each with the labels of the lines that decide.
func decides() map[string]struct {
	review txbuild.Review
	labels []string
} {
	always := []string{"Operation", "From", "To", "Amount", "Fee", "Total out", "After this", "Signs with", "Expires"}
	first := uitest.Review(uitest.Merchant, 60_00000000)
	first.FirstTime, first.PaidBefore = true, 0
	alike := first
	alike.LooksLike = []ledgerview.AccountRef{uitest.Carol}
	large := uitest.Review(uitest.Carol, 2000_00000000)
	leaps := large
	leaps.FeeLeaps = true
	power := newcomer()
	power.Control = []txbuild.Control{{Account: uitest.Alice, Role: "active", Others: true, Here: true}}
	return map[string]struct {
		review txbuild.Review
		labels []string
	}{
		"payment":                  {small(), always},
		"first payment":            {first, always},
		"alike":                    {alike, always},
		"large":                    {large, always},
		"large, and the fee leaps": {leaps, always},
		"registration":             {newcomer(), []string{"Operation", "If signed", "Fee", "Paid by", "Signs with", "Expires"}},
		"authority":                {power, []string{"Operation", "Careful", "If signed", "Fee", "Paid by", "Signs with", "Expires"}},
	}
}

// Whatever is asked for in addition, and at every size, a review leaves out nothing that decides: it is on screen at once where a pop-up
// has its usual size; elsewhere the frame shows how much is missing, and the key waits until it was read.
func TestReviewsLeaveOutNothingThatDecides(t *testing.T) {
	for name, c := range decides() {
		for _, s := range [][2]int{{80, 20}, {96, 26}, {140, 36}, {60, 16}, {50, 12}, {40, 10}} {
			for _, box := range []bool{false, true} {
				env := screen.Env{W: s[0], H: s[1], Class: layout.ClassOf(s[0]), Now: time.Unix(1, 0)}
				env.Status.Daemon = 1
				p := review.New(env, c.review, review.Prompt{Key: "A", Word: "Approve", Box: box, Above: func(screen.Env, bool) []review.Row {
					return []review.Row{{Label: "Client", Line: canvas.Text("shop-till")}}
				}, Below: []review.Row{{Label: "Policy", Line: canvas.Text("programs have to ask")}}})
				area := canvas.New(s[0], s[1])
				w, h := s[0], s[1]
				if box {
					w, h = p.Size(env)
				}
				at := layout.Popup(layout.Rect{W: s[0], H: s[1]}, w, h, env.Class)
				frame := area.All().Sub(at.X, at.Y, at.W, at.H)
				if !box {
					frame = area.All()
				}
				p.Draw(env, frame.Panel(canvas.Frame{Title: canvas.Text("Review"), Heavy: true}, env.Class > layout.Tiny))
				text := area.Plain()
				more := strings.Contains(text, " more below ")
				for _, label := range c.labels {
					if !strings.Contains(text, " "+label+" ") && (!more || s[0] >= 80) {
						t.Errorf("%s at %v, box %v: no %s in\n%s", name, s, box, label, text)
					}
				}
				if more && !strings.Contains(p.Blocked(env), "scroll") && !strings.Contains(p.Blocked(env), "type") && p.Blocked(env) == "" {
					t.Errorf("%s at %v, box %v: it is signed unread", name, s, box)
				}
			}
		}
	}
}

// A form carries the name of the operation that is built from it, and so does its review.
func TestFormsCarryTheNameOfTheirOperation(t *testing.T) {
	for name, c := range map[string]struct {
		open, form, operation, hints string
	}{
		"payment": {"3", "Send · transfer (0)", txbuild.Title(ledger.CodeTransferObsolete), " S sign and send  esc back  v json  p propose instead  w save unsigned"},
		"proposal": {"8 n", "New proposal · proposal create (9)", txbuild.Title(ledger.CodeProposalCreate),
			" S sign and propose  esc back  v json  w save the proposal unsigned"},
	} {
		uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
			d.Press(c.open)
			d.Until(c.form)
			d.Type("no-such-account-here")
			d.Press("tab")
			d.Type("5")
			d.Press("ctrl+s")
			d.Until("✗") // corrected where it stands, and still the same form
			d.Shows(c.form, "no-such-account-here")
			d.Press("ctrl+u")
			d.Type("carol")
			d.Press("ctrl+s")
			d.Until("Review · "+c.operation, "Operation   "+c.operation)
			d.Press("tab")
			d.Shows(c.hints)
			d.Wait(time.Second)
			d.Press("G")
			d.Wait(time.Second)
			d.Press("S")
			d.Wait(time.Second)
			if got := w.Wallet.Payments.Recent()[0].Review.Operation; got != c.operation {
				t.Errorf("%s: %s was sent", name, got)
			}
		})
	}
}

// elsewhere is the wallet's list as it is beside a ledger that has none of its accounts.
type elsewhere struct{ tui.Accounts }

func (e elsewhere) List() []vault.OwnAccount {
	all := e.Accounts.List()
	for i := range all {
		all[i].Ownership = vault.OwnershipMissing
	}
	return all
}

// Home does not advise to be paid on an account that the ledger does not have, and every page says that it is not there.
func TestAMissingAccountIsNotGivenToPayers(t *testing.T) {
	scene := uitest.Scene{Core: func(c *tui.Core) { c.Accounts = elsewhere{c.Accounts} }}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Until("This ledger has no account alice 1.2.34: nobody can pay it", "d removes the account")
		d.Hides("give people")
		d.Press("4")
		d.Shows("This ledger has no account alice 1.2.34: nobody can pay it")
	})
}

// Enter never removes an account from the list, from whichever page that is asked; X does.
func TestEnterRemovesNoAccount(t *testing.T) {
	for _, ask := range []string{"d", "6 x"} {
		uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
			d.Press(ask)
			d.Shows("Remove from the list", "X remove")
			d.Wait(time.Second)
			d.Press("enter space y d x")
			d.Wait(time.Second)
			if n := len(w.Wallet.Own.List()); n != 2 {
				t.Fatalf("%s: %d accounts are listed", ask, n)
			}
			d.Sure("X")
			d.Until("is no longer listed")
		})
	}
}

// A stray key at a review that is open for long neither claims that it just opened nor restarts its pause; typed text signs nothing.
func TestAStrayKeyDoesNotRestartThePause(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5")
		d.Press("ctrl+s")
		d.Wait(10 * time.Second)
		for _, letter := range "a Sum, So Say" { // as a person types who takes the review for a field
			d.Type(string(letter))
			d.Wait(150 * time.Millisecond)
		}
		if w.Paid() != 0 {
			t.Fatal("a typed text signed")
		}
		d.Wait(10 * time.Second)
		d.Press("t v")
		d.Shows(`"operations": [`)
		d.Hides("opened", "did nothing")
		d.Press("v")
		d.Wait(time.Second)
		d.Press("t")
		d.Wait(300 * time.Millisecond)
		if d.Press("S"); w.Paid() != 1 {
			t.Errorf("S signed nothing 300 ms after a stray key:\n%s", d.Screen())
		}
	})
}

// Unlocking leads back to the page that needed it, and the enter of somebody who was impatient does nothing there.
func TestUnlockingLeadsBack(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for _, way := range []struct{ to, there string }{{"6 x", "[6 Keys]"}, {"1 d", "[1 Home]"}, {"7 n", "[7 Contacts]"}, {"2", "[2 History]"}} {
			d.Press("ctrl+l esc")
			d.Press(way.to)
			if way.to == "2" {
				d.Press("ctrl+l")
			}
			d.Until("Password")
			d.Type(uitest.Password)
			d.Press("enter enter")
			d.Until(way.there)
			d.Shows(way.there)
			d.Wait(time.Second)
		}
	})
}

// A line of the console is not denied by silence.
func TestATypedLineWaitsForItsAnswer(t *testing.T) {
	playWithPrograms(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, ask programs) {
		answer := ask.ask(approval.Request{Who: "you", Via: approval.Console, Method: "transfer", Line: "transfer …", Review: small()})
		d.Press("!")
		d.Shows("Approve what you typed")
		d.Hides("denied", "Policy")
		d.Wait(50 * time.Second)
		d.Sure("A")
		if a := <-answer; a != approval.Yes {
			t.Error(fmt.Sprint(a))
		}
	})
}

// Where the node refused the login, no page says that none answers.
func TestARefusedLoginIsNotSilence(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		scene := uitest.Scene{Unmade: fresh, Core: func(c *tui.Core) { c.Session = refused{c.Session} }}
		uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
			if fresh {
				d.Until("Welcome", "✗ login refused by the node")
				d.Hides("no node answers")
				return
			}
			for _, p := range tui.Pages() {
				d.Press("esc esc 1 " + p.Key)
				d.Hides("no node answers", "No node answers")
			}
			d.Press("esc esc 1")
			d.Shows("✗ Login refused by the node.")
		})
	}
}

// refused is the wallet while its node refuses the login.
type refused struct{ tui.Session }

func (r refused) Status() walletcore.Status {
	s := r.Session.Status()
	s.Daemon, s.LoginFault = walletcore.DaemonOffline, "the daemon does not know this user or password"
	return s
}
