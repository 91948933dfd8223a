package send_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/send"
	"billfold/tui/uitest"
	"billfold/walletcore/draft"
	"billfold/walletcore/txbuild"
)

// savedForm are the drafts of an account, newest first, in a line each.
func savedForm(w *uitest.World, of ledger.AccountID) (lines []string) {
	forms, err := w.Wallet.Drafts.List(w.Ctx, of)
	uitest.Must(w.T, err)
	for _, f := range forms {
		r := f.Request
		lines = append(lines, strings.TrimSpace(strings.Join([]string{r.To, r.Amount, r.Asset, r.Memo}, " ")))
	}
	return lines
}

// keeps fails where other drafts of alice are kept.
func keeps(w *uitest.World, want ...string) {
	w.T.Helper()
	if got := savedForm(w, uitest.Alice.ID); !slices.Equal(got, want) {
		w.T.Errorf("kept are %q, not %q", got, want)
	}
}

// saved keeps drafts of alice before the UI starts, the last one newest.
func saved(drafts ...txbuild.TransferParams) uitest.Scene {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		w.Hold(uitest.Merchant, uitest.KeyOf(uitest.Merchant.Name))
		_, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "")
		uitest.Must(w.T, err)
		for _, d := range drafts {
			_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, d)
			uitest.Must(w.T, err)
		}
	}
	return scene
}

// alice is put in focus.
func toAlice(d *uitest.Driver) {
	d.Press("@")
	d.Until("Switch account")
	d.Press("home enter")
	d.Until("alice 1.2.34 ▾")
}

// What is half typed is a draft before anything else fills the form, and that is said; what is unchanged is none.
func TestNothingHalfTypedIsOverwritten(t *testing.T) {
	rent := txbuild.TransferParams{From: "alice", To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"}
	for name, c := range map[string]struct{ keys, typed, shows string }{
		"a draft":             {keys: "esc d down enter", shows: "rent"},
		"a payment again":     {keys: "esc 2 b", shows: "carol"},
		"a contact":           {keys: "esc 7 s", shows: "✓ carol"},
		"another asset":       {keys: "esc 1 g down s", shows: "ALX.GOLD"},
		"an asset of Assets":  {keys: "esc 9 down s", shows: "ALX.GOLD"},
		"a line":              {keys: "ctrl+k", typed: "send carol 5 DCT", shows: "5.00000000 DCT"},
		"a contact of a line": {keys: "esc 1 ctrl+k", typed: "@carol", shows: "✓ carol"},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 100, 30, saved(rent), func(d *uitest.Driver, w *uitest.World) {
				toAlice(d)
				d.FillForm("bob-trade", "77.25")
				if d.Press(c.keys); c.typed != "" {
					d.Type(c.typed)
					d.Press("enter")
				}
				d.Wait(time.Second)
				d.Shows(c.shows, "What you had typed is kept as a draft")
				d.Hides("bob-trade", "77.25")
				keeps(w, "bob-trade 77.25 DCT", "carol 250 DCT rent")
			})
		})
	}
}

// A proposal is one still, wherever its form comes back from: the drafts, also after a restart, the undo of clear, a pasted link.
func TestAKeptProposalStaysAProposal(t *testing.T) {
	proposes := func(d *uitest.Driver, w *uitest.World) {
		t.Helper()
		d.Until("New proposal · proposal create (9)", "✓ carol", "77.25")
		d.Press("ctrl+s")
		d.Until("Review · proposal create (9)")
		d.Wait(time.Second)
		d.Press("G")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block")
		if got := w.Wallet.Payments.Recent()[0].Review.Operation; got != txbuild.Title(ledger.CodeProposalCreate) {
			t.Errorf("%s was sent", got)
		}
		keeps(w)
	}
	type way struct {
		keys, shows string
		again       bool // the program is started again
	}
	follow := func(d *uitest.Driver, by way) {
		switch by.keys {
		case "PASSWORD":
			d.Type(uitest.Password)
			d.Press("enter")
			d.Wait(time.Second)
		case "@":
			toAlice(d)
		default:
			d.Press(by.keys)
		}
		d.Until(by.shows)
	}
	for name, ways := range map[string][]way{
		"kept":          {{"esc d enter", "Saved as a draft", false}, {"1", "1 draft of a proposal is kept", false}, {"3 esc d", "proposal: 77.25 DCT → carol", false}, {"down enter", "✓ carol", false}},
		"restart":       {{"esc d enter", "Saved as a draft", true}, {"@", "alice", false}, {"1", "1 draft of a proposal is kept", false}, {"3 esc d", "proposal: 77.25 DCT → carol", false}, {"down enter", "✓ carol", false}},
		"ended":         {{"ctrl+l", "Unlock", true}, {"PASSWORD", "Balances of", false}, {"@", "alice", false}, {"3 esc d", "proposal: 77.25 DCT → carol", false}, {"down enter", "✓ carol", false}},
		"cleared":       {{"ctrl+x ctrl+x", "What was cleared is back", false}},
		"cleared, left": {{"ctrl+x esc 1 3", "Send · transfer (0)", false}, {"ctrl+x", "What was cleared is back", false}},
		"locked":        {{"ctrl+l", "Unlock", false}, {"PASSWORD", "✓ carol", false}},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 140, 40, saved(), func(d *uitest.Driver, w *uitest.World) {
				toAlice(d)
				d.Press("8 n")
				d.Type("carol")
				d.Press("tab")
				d.Type("77.25")
				d.Until("✓ carol")
				for i, way := range ways {
					if follow(d, way); !way.again {
						continue
					}
					w.Look(140, 40, func(d *uitest.Driver) {
						for _, way := range ways[i+1:] {
							follow(d, way)
						}
						proposes(d, w)
					})
					return
				}
				proposes(d, w)
			})
		})
	}
}

// Whatever starts a payment opens the form of one, also while a proposal is typed, which becomes a draft.
func TestAPaymentIsStartedBesideAProposal(t *testing.T) {
	for _, keys := range []string{"3", "1 s", "1 g down s", "9 s", "7 s"} {
		t.Run(keys, func(t *testing.T) {
			uitest.Play(t, 100, 30, saved(), func(d *uitest.Driver, w *uitest.World) {
				toAlice(d)
				d.Press("8 n")
				d.Type("bob-trade")
				d.Press("tab")
				d.Type("77.25")
				d.Until("New proposal · proposal create (9)", "✓ bob-trade")
				d.Press("esc " + keys)
				d.Until("Send · transfer (0)", "What you had typed is kept as a draft")
				d.Hides("77.25")
				d.Press("esc d")
				d.Until("proposal: 77.25 DCT → bob-trade")
				keeps(w, "bob-trade 77.25 DCT")
			})
		})
	}
}

// A link that is pasted keeps what it takes the place of; the draft that this was stays as it is.
func TestALinkKeepsWhatItReplaces(t *testing.T) {
	uitest.Play(t, 100, 30, saved(txbuild.TransferParams{From: "alice", To: "carol", Amount: "250", Asset: "DCT"}),
		func(d *uitest.Driver, w *uitest.World) {
			toAlice(d)
			d.Press("3 esc d down enter")
			d.Until("✓ carol")
			d.Press("tab tab tab")
			d.Type("rent")
			d.Press("shift+tab shift+tab shift+tab ctrl+u")
			d.Paste("dcore:bob-trade?amount=5")
			d.Until("✓ bob-trade", "= 5.00000000 DCT", "What you had typed is kept as a draft")
			keeps(w, "250 DCT rent", "carol 250 DCT")
			d.Press("ctrl+u")
			d.Paste("dcore:bob-trade?amount=6") // what a link alone brought is half typed as well
			d.Until("= 6.00000000 DCT")
			keeps(w, "5 DCT", "250 DCT rent", "carol 250 DCT")
		})
}

// What is empty, or as it was filled in, is not kept, and nothing is kept twice.
func TestWhatIsUnchangedIsNoDraft(t *testing.T) {
	rent := txbuild.TransferParams{From: "alice", To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"}
	uitest.Play(t, 100, 30, saved(rent), func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.Press("2 b")
		d.Until("✓ carol", "rent october", "· 1 draft: esc d")
		d.Press("esc 2 b esc d")
		d.Until("Draft of")
		keeps(w, "carol 250 DCT rent")
		d.Press("down enter")
		d.Until("✓ carol", " rent ")
		d.Press("esc 2 b")
		d.Until("rent october")
		d.Hides("kept as a draft")
		keeps(w, "carol 250 DCT rent")
		d.Press("esc d down enter tab tab tab") // changed, it is kept in its own place
		d.Type("s")
		d.Press("esc 2 b")
		d.Until("kept as a draft")
		keeps(w, "carol 250 DCT rents")
		d.Press("ctrl+x")
		d.Shows("Cleared; ctrl+x brings it back")
		d.Type("carol")
		d.Press("tab")
		d.Type("250")
		d.Press("tab tab")
		d.Type("rents")
		d.Press("esc 2 b")
		d.Until("kept as a draft")
		keeps(w, "carol 250 DCT rents")
	})
}

// A draft goes with its payment, also where that was changed; one to somebody else is another payment.
func TestADraftGoesWithItsPayment(t *testing.T) {
	for to, want := range map[string][]string{"carol": nil, "bob-trade": {"carol 250 DCT"}} {
		scene := saved(txbuild.TransferParams{From: "alice", To: "carol", Amount: "250", Asset: "DCT"})
		uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
			toAlice(d)
			d.Press("3 esc d down enter")
			d.Until("✓ carol")
			d.Press("ctrl+u")
			d.Type(to)
			d.Press("tab ctrl+u")
			d.Type("2")
			d.Until("✓ "+to, "= 2.00000000 DCT")
			d.Press("ctrl+s")
			d.Until("It was read back from the bytes")
			d.Wait(time.Second)
			d.Press("S")
			d.Until("waiting for the next block")
			keeps(w, want...)
		})
	}
}

// Where no draft can be kept, what is typed stays, and why is said.
func TestWhatCannotBeKeptStays(t *testing.T) {
	key := uitest.KeyOf("nobody's")
	uitest.Play(t, 100, 30, saved(), func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.FillForm("bob-trade", "77.25")
		d.Press("tab tab")
		d.Paste(key.WIF())
		d.Press("esc 2 b")
		d.Until("What is typed here stays: it holds a private key", "77.25")
		d.Press("ctrl+u esc ctrl+l esc 2 b") // it was kept when the wallet locked
		d.Until("What you had typed is kept as a draft", "240")
		d.Press("tab tab tab")
		d.Type("tea")
		d.Press("esc 2 b")
		d.Until("What is typed here stays: it cannot be kept as a draft", "tea")
		d.Press("ctrl+x esc 2 b") // it says how
		d.Until("✓ carol", "240")
		d.Hides("tea")
	})
}

// A form that was begun as another account is a draft of that one; the draft that takes its place is of the account in focus.
func TestAFormIsKeptForItsAccount(t *testing.T) {
	scene := saved()
	wallet := scene.Wallet
	scene.Wallet = func(w *uitest.World) {
		wallet(w)
		tea := txbuild.TransferParams{From: "merchant-7", To: "carol", Amount: "7", Asset: "DCT"}
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Merchant.ID, tea)
		uitest.Must(t, err)
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.FillForm("bob-trade", "77.25")
		d.Press("esc @")
		d.Until("Switch account")
		d.Press("down down enter")
		d.Until("started as a payment of alice")
		d.Press("d")
		d.Until("Draft of")
		d.Press("down enter")
		d.Until("✓ carol", "What you had typed is kept as a draft of alice")
		d.Hides("started as a payment")
		keeps(w, "bob-trade 77.25 DCT")
		d.Press("tab tab tab")
		d.Type("tea")
		d.Press("ctrl+k")
		d.Type("send carol 5")
		d.Press("enter")
		d.Until("= 5.00000000 DCT", "What you had typed is kept as a draft: esc, then d, on Send shows it")
		keeps(w, "bob-trade 77.25 DCT")
		if got := savedForm(w, uitest.Merchant.ID); !slices.Equal(got, []string{"carol 7 DCT tea"}) {
			t.Errorf("merchant-7 has %q", got)
		}
	})
}

// What was said of the form is not said over its review, nor once it is true no more.
func TestWhatWasSaidOfTheFormEndsWithIt(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("carol", "6")
		d.Press("ctrl+x")
		d.Shows("Cleared; ctrl+x brings it back")
		d.Type("c")
		d.Hides("Cleared")
		d.Type("arol")
		d.Press("tab")
		d.Type("7")
		d.Press("ctrl+x ctrl+x")
		d.Shows("What was cleared is back")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Shows("esc back")
		d.Hides("What was cleared is back")
	})
}

// That something is a draft, and which keys show it, is said on Send alone: on Home d removes an account.
func TestTheKeysToADraftAreSaidOnSendAlone(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("carol", "6")
		d.Press("esc d enter")
		d.Shows("Saved as a draft, encrypted with the wallet; d on Send shows it")
		d.Press("1")
		d.Hides("shows it")
	})
}

// slowKeeper takes a second for what it changes.
type slowKeeper struct{ send.Keeper }

func (k slowKeeper) Save(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams) (int64, error) {
	time.Sleep(time.Second)
	return k.Keeper.Save(ctx, account, req)
}

func (k slowKeeper) Drop(ctx context.Context, number int64) (draft.Dropped, error) {
	time.Sleep(time.Second)
	return k.Keeper.Drop(ctx, number)
}

// What comes of a draft once Send was left names no key that means something else where the person is.
func TestWhatComesOfADraftLateNamesNoKeyOfAnotherPage(t *testing.T) {
	scene := saved(txbuild.TransferParams{From: "alice", To: "carol", Amount: "2", Asset: "DCT"})
	scene.Core = func(c *tui.Core) { c.Send.Drafts = slowKeeper{c.Send.Drafts} }
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.FillForm("bob-trade", "6")
		d.Press("esc d enter 1")
		d.Until("Saved as a draft, encrypted with the wallet; d on Send shows it")
		keeps(w, "bob-trade 6 DCT", "carol 2 DCT")
		d.Press("3 esc d down")
		d.Sure("X")
		d.Press("esc 1")
		d.Wait(3 * time.Second)
		d.Shows("[1 Home]")
		d.Hides("u brings it back")
		keeps(w, "carol 2 DCT")
		d.Press("~")
		d.Shows("Deleted, u brings it back")
	})
}
