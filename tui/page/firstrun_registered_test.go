package page_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore/testwallet"
)

// An account that a registrar made with another key than the wallet asked for is never taken for an own one: it is named, on Home and
// Keys, and one that is registered as it was asked, under another name, comes to the list.
func TestAnAccountWithOtherKeysThanAskedForIsNotOurs(t *testing.T) {
	for _, c := range []struct {
		name, says string
		spoil      func(op *ledger.AccountCreateOp, registrar ledger.PublicKey)
	}{
		{"owner", "was registered with another owner key", func(op *ledger.AccountCreateOp, by ledger.PublicKey) {
			op.Owner.KeyAuths[0].Key = by
		}},
		{"owner beside", "was registered with another owner key", func(op *ledger.AccountCreateOp, by ledger.PublicKey) {
			op.Owner.KeyAuths = append(op.Owner.KeyAuths, ledger.KeyWeight{Key: by, Weight: 1})
		}},
		{"an account beside", "was registered with another owner key", func(op *ledger.AccountCreateOp, _ ledger.PublicKey) {
			op.Owner.AccountAuths = []ledger.AccountWeight{{Account: op.Registrar, Weight: 1}}
		}},
		{"active", "was registered with another active key", func(op *ledger.AccountCreateOp, by ledger.PublicKey) {
			op.Active.KeyAuths[0].Key = by
		}},
		{"memo", "was registered with another memo key", func(op *ledger.AccountCreateOp, by ledger.PublicKey) {
			op.Options.MemoKey = by
		}},
		{"squat", "was registered with other keys and is not yours", func(op *ledger.AccountCreateOp, by ledger.PublicKey) {
			op.Owner.KeyAuths[0].Key, op.Active.KeyAuths[0].Key, op.Options.MemoKey = by, by, by
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			uitest.Play(t, 140, 40, uitest.Scene{Unmade: true}, func(d *uitest.Driver, w *uitest.World) {
				d.Press("1")
				newPassword(d)
				provePhrase(d)
				d.Type("victim-1")
				d.Press("enter")
				d.Until("Billfold lists victim-1 as soon as")
				d.Press("enter")
				d.Shows("no account yet")
				waiting, err := w.Wallet.Import.Waiting()
				uitest.Must(t, err)
				asked := waiting[0]
				line := []string{"", "victim-1", asked.Owner.String(), asked.Active.String(), asked.Memo.String()}
				op := registration(w, line)
				c.spoil(op, testwallet.Key("carol").Public())
				w.Push(op)
				w.Mine()
				d.Until(c.says, "n shows what a registrar needs for another name")
				d.Wait(10 * time.Second)
				d.Hides("victim-1 1.2.114  ", "To be paid")
				if own := w.Wallet.Own.List(); len(own) != 0 {
					t.Errorf("the list is %v", own)
				}
				d.Press("6")
				d.Shows("✗ victim-1 1.2.114 was registered", "No accounts.")
				d.Press("r")
				d.Shows(c.says, "register_account_with_keys NAME", "Replace NAME with the name you want")
				d.Press("esc 1")
				line[1] = "victim-2"
				register(w, line)
				d.Until("victim-2 1.2.")
				d.Hides(c.says)
				if own := w.Wallet.Own.List(); len(own) != 1 || own[0].Name != "victim-2" || !own[0].CanSign() {
					t.Errorf("the list is %v", own)
				}
				if left, err := w.Wallet.Import.Waiting(); err != nil || len(left) != 0 {
					t.Errorf("still waiting: %v, %v", left, err)
				}
			})
		})
	}
}

// A phrase of whose account a registrar kept the owner key gives its active and memo key: the restore says so, and takes the account only
// if it is named; the backup says it as well.
func TestAPhraseWithoutTheOwnerKeyIsSaidToBe(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Scene{Unmade: true}, func(d *uitest.Driver, w *uitest.World) {
		const words = "copper river lantern bishop mantle olive spiral walnut"
		owner := ledger.DeriveKey(ledger.NormalizeBrainKey(words), 0)
		active := ledger.DeriveKey(owner.WIF(), 0)
		memo := ledger.DeriveKey(active.WIF(), 0)
		register(w, []string{"", "victim-1", testwallet.Key("carol").Public().String(), active.Public().String(), memo.Public().String()})
		d.Press("4")
		d.Type(words)
		d.Press("enter")
		d.Until("▲ the phrase restores the active, memo key of victim-1 1.2.114, but not its")
		d.Press("enter")
		d.Until("no account on this ledger names this key")
		d.Type("victim-1")
		d.Press("ctrl+t")
		d.Press("enter")
		newPassword(d)
		d.Until("victim-1 1.2.114, as its active, memo key", "▲ Careful: the phrase restores")
		d.Press("enter 6 b")
		d.Type("tangled otter paints gravel")
		d.Press("enter")
		d.Until("Phrase on your paper")
		d.Type(words)
		d.Press("enter")
		d.Until("The phrase on your paper brings victim-1 1.2.114 back", "▲ Careful: the phrase restores")
	})
}

// A phrase that nobody uses gets no tick, and words that are not of the list are named by their place.
func TestAPhraseWithATypoIsSaidToHaveOne(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4")
		d.Type("copper river canvas walnut velvet olive schol walnut")
		d.Shows("▲ 8 words, 1 not on the word list")
		d.Press("enter")
		d.Until("▲ word 7 is not in the list", "look at your paper, esc", "No account", "uses its first 20 keys")
		d.Hides("✓")
		d.Press("esc ctrl+u")
		d.Type("canvas river")
		d.Shows("✓ 2 words")
	})
}

// The second of two passwords that differ is typed anew: it does not begin behind the dots of the wrong one.
func TestTheSecondPasswordBeginsAnew(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("1")
		d.Type("tangled otter paints gravel")
		d.Press("enter")
		d.Type("correct hrse battery staple")
		d.Press("enter")
		d.Shows("The two passwords differ")
		d.Type("tangled otter paints gravel")
		d.Press("enter")
		d.Shows("This phrase is the whole wallet")
	})
}

// registration is the operation that a line for a registrar makes.
func registration(w *uitest.World, line []string) *ledger.AccountCreateOp {
	w.T.Helper()
	key := func(text string) ledger.PublicKey {
		k, err := ledger.ParsePublicKey(strings.TrimSpace(text))
		uitest.Must(w.T, err)
		return k
	}
	by := func(text string) ledger.Authority {
		return ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: key(text), Weight: 1}}}
	}
	return &ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: line[1], Owner: by(line[2]), Active: by(line[3]),
		Options: ledger.NewAccountOptions(key(line[4]))}
}
