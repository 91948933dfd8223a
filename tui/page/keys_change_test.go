package page_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/vault"
)

// signChange reads a review to its end and signs it.
func signChange(d *uitest.Driver) {
	d.Until("Review")
	for range 12 {
		d.Press("down")
	}
	d.Wait(time.Second)
	d.Press("S")
	d.Until("In a block")
}

// ownershipOf returns the power of the wallet's keys over an account.
func ownershipOf(w *uitest.World, name string) vault.Ownership {
	for _, a := range w.Wallet.Own.List() {
		if a.Name == name {
			return a.Ownership
		}
	}
	return vault.OwnershipUnknown
}

// Keys are made here, what they change is seen before it is built, and they are in the wallet before it is signed.
func TestKeysAreChanged(t *testing.T) {
	old := uitest.KeyOf("alice").Public()
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("c enter enter enter")
		d.Shows("nothing would change")
		d.Press("up")
		d.Type("DCT5")
		d.Press("enter enter")
		d.Shows("Active is not a public key")
		d.Press("up ctrl+u")
		d.Type("new")
		d.Press("enter")
		d.Type("new")
		d.Press("enter")
		d.Until("What it comes to", "Then · alice 1.2.34")
		d.Shows("the memo key changes: old memos need the old key", "2 new keys are in this wallet alone")
		d.Hides("lose control")
		d.Press("esc")
		d.Shows("Change keys of alice", "new")
		d.GoldenSizes("keys/keys-change", [][2]int{{80, 24}, {140, 40}})
		d.Resize(100, 30)
		d.Press("enter")
		d.Until("What it comes to")
		d.Press("enter")
		d.Until("Review", "active authority of alice", "memo key of alice")
		d.Press("esc")
		d.Until("What it comes to") // nothing lost
		d.Press("enter")
		signChange(d)
		d.Press("esc")
		d.Until("Keys of alice", "[6 Keys]")
		d.Wait(10 * time.Second)
		account, err := w.Wallet.View.Accounts.Get(w.Ctx, "alice")
		uitest.Must(t, err)
		active := account.Active.KeyAuths[0].Key
		if active == old || account.Options.MemoKey == old || active == account.Options.MemoKey || !account.Owner.HasKey(old) {
			t.Errorf("the account is %+v", account)
		}
		holds := w.Wallet.Vault.Holds
		if !holds(active) || !holds(account.Options.MemoKey) || ownershipOf(w, "alice") != vault.OwnershipFull {
			t.Error("the wallet has lost the account")
		}
	})
}

// fillFields types into the fields of a form, from the one in focus on; what stands there goes, unless the text is "=". At the last
// one the form is agreed to.
func fillFields(d *uitest.Driver, fields ...string) {
	for _, text := range fields {
		if text != "=" {
			d.Press("ctrl+u")
			d.Type(text)
		}
		d.Press("enter")
	}
}

// Two of three shall sign: what nobody could sign for is refused, and losing control takes the name of the account. A change
// after that is a proposal.
func TestAnAccountIsMadeMultisignature(t *testing.T) {
	key := uitest.KeyOf("alice").Public().String()
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("m")
		fillFields(d, "nobody", "=", "=", "")
		d.Shows("the role is active, owner or both")
		d.GoldenSizes("keys/keys-multisig", [][2]int{{80, 24}, {140, 40}})
		d.Resize(80, 24)
		d.Press("tab")
		fillFields(d, "both", "5", "=", "carol 0", "")
		d.Shows("the weight of \"carol\" is a whole number")
		d.Press("up")
		fillFields(d, "nobody-here", "")
		d.Shows("all together have weight 2 of 5")
		d.Press("tab tab")
		fillFields(d, "2", "=", "=", "")
		d.Until("there is no account \"nobody-here\"")
		d.Press("up")
		fillFields(d, "alice", "")
		d.Until("What it comes to")
		d.Shows("Now", "Then", "nobody could sign as owner: all together have weight 1 of 2")
		d.Press("enter")
		d.Shows("Not now: nobody could sign")
		d.Press("esc up")
		fillFields(d, key, "")
		d.Until("is named twice")
		d.Press("up")
		fillFields(d, "carol", "bob-trade 1", "")
		d.Until("What it comes to")
		d.Shows("you would lose control", "lack weight 1 of 2 for active", "Then")
		d.Wait(10 * time.Second)
		d.GoldenPage("keys/plan")
		d.GoldenSizes("keys/plan", [][2]int{{60, 20}, {50, 16}})
		d.Resize(80, 24)
		d.Press("G t")
		d.Shows("can act as owner")
		d.Press("esc enter")
		d.Shows("You would lose control", "Type the name of the account")
		d.Type("carol")
		d.Press("enter")
		d.Shows("that is not its name")
		d.Press("ctrl+u")
		d.Type("alice")
		d.Press("enter")
		signChange(d)
		d.Press("esc")
		d.Until("lack weight 1 of 2 for active")
		d.Wait(10 * time.Second)
		if ownershipOf(w, "alice") == vault.OwnershipFull {
			t.Error("one key still suffices")
		}
	})
}

// Several shall sign as active while the owner authority stays with one key: plan and review say that this key can still do
// everything alone, and neither says that control is lost.
func TestAnOwnerKeyStillActsForASharedActive(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		const still = "can still do everything alone, and change this"
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("m")
		d.Shows("choose both to change the owner, too")
		fillFields(d, "=", "2", "=", "carol 1", "bob-trade 1", "")
		d.Until("What it comes to")
		d.Shows("the owner keys here, 1 of 1, " + still)
		d.Hides("lose control")
		d.Press("enter")
		d.Until("Review", "OTHERS could act without the keys", "the owner keys here can")
		d.Shows("still do everything alone, and change this")
		d.Hides("role both binds") // the plan has said it
		d.Hides("NOT suffice", "would not suffice")
		d.Press("down down down down down down")
		d.Shows("none of these can act alone; at least 2 have to sign", "as owner, these can still do everything")
	})
}

// The lines of the form are of the role that is typed, until one is changed by hand.
func TestSignersFollowTheRoleThatIsTyped(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{Past: sharedAccount}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.Until("lack weight 1 of 2 for owner")
		d.Press("m")
		d.Shows("Needs  1")
		d.Hides("carol 1 ")
		d.Type("owner")
		d.Shows("Needs  2", "carol 1 ")
		d.Press("ctrl+u")
		d.Type("active")
		d.Shows("Needs  1")
		d.Hides("carol 1 ")
		d.Press("tab")
		d.Type("3")
		d.Press("up ctrl+u")
		d.Type("owner")
		d.Shows("Needs  3")
		d.Hides("carol 1 ")
	})
}

// Whoever cannot sign alone any more proposes the next change, and another account of the wallet pays for that.
func TestAChangeOfSignersIsProposed(t *testing.T) {
	scene := uitest.Scene{Past: sharedAccount, Wallet: func(w *uitest.World) {
		_, err := w.Wallet.Import.ImportAccountKey(w.Ctx, vault.KeyImport{WIF: uitest.KeyOf("savings-1").WIF()})
		uitest.Must(t, err)
	}}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6")
		d.Until("lack weight 1 of 2 for owner")
		d.Press("tab m") // of the owner
		fillFields(d, "=", "1", "=", "=", "=", "")
		d.Until("What it comes to")
		d.Press("enter")
		d.Until("Review", "proposal create")
		signChange(d)
		d.Press("esc 8")
		d.Until("1.6.0")
	})
}

// A lock in the middle loses nothing that was typed: not in the form, not while it is seen what it comes to, not in the review.
// What was built, and keys that were made, are gone.
func TestALockKeepsWhatWasTyped(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		lock := func() {
			d.Press("ctrl+l")
			d.Until("Unlock")
			d.Type(uitest.Password)
			d.Press("enter")
			d.Until("Change keys of alice", "Memo    new")
			d.Wait(time.Second)
		}
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("c down down")
		d.Type("new")
		lock()
		d.Press("enter")
		d.Until("What it comes to", "the new key is in this wallet alone")
		lock()
		d.Press("enter")
		d.Until("What it comes to")
		d.Wait(time.Second)
		d.Press("enter")
		d.Until("Review", "memo key of alice")
		lock()
		if w.Paid() != 0 {
			t.Error("something was sent")
		}
		d.Press("esc")
		d.Press("p") // a password that is typed is not kept
		d.Type("correct horse")
		d.Press("ctrl+t ctrl+l")
		d.Until("Unlock")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Keys of alice")
		d.Hides("Wallet password", "correct horse")
	})
}

// The new keys of a change are the same however often it is looked at, and in what is reviewed; a change that is given up says which of them stay in the
// wallet.
func TestAChangeKeepsItsNewKeys(t *testing.T) {
	old := uitest.KeyOf("alice").Public().String()[:8]
	uitest.Play(t, 140, 40, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		shown := func() (keys []string) {
			for _, key := range regexp.MustCompile(`DCT[1-9A-HJ-NP-Za-km-z]{5,}`).FindAllString(d.Screen(), -1) {
				if !strings.HasPrefix(key, old) && !slices.Contains(keys, key[:8]) {
					keys = append(keys, key[:8])
				}
			}
			return keys
		}
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("c enter")
		d.Type("new")
		d.Press("enter enter")
		d.Until("What it comes to", "Then · alice 1.2.34")
		first := shown()
		for range 2 {
			d.Press("esc")
			d.Shows("Change keys of alice")
			d.Press("enter")
			d.Until("What it comes to", "Then · alice 1.2.34")
			if again := shown(); len(first) != 1 || !slices.Equal(first, again) {
				t.Fatalf("the preview shows %q, then %q", first, again)
			}
		}
		d.Press("enter")
		d.Until("Review", "active authority of alice", first[0])
		d.Press("esc")
		d.Until("What it comes to")
		d.Press("esc esc")
		d.Shows("Nothing was changed. The new key "+first[0], "stays in this wallet, unused")
		account, err := w.Wallet.View.Accounts.Get(w.Ctx, "alice")
		uitest.Must(t, err)
		if !account.Active.HasKey(uitest.KeyOf("alice").Public()) {
			t.Error("the account has changed")
		}
		d.Wait(10 * time.Second)
		d.Hides("Nothing was changed")
		d.Press("c enter") // another change has other keys
		d.Type("new")
		d.Press("enter enter")
		d.Until("What it comes to", "Then · alice 1.2.34")
		if other := shown(); slices.Contains(other, first[0]) {
			t.Errorf("another change has the key %q, too", first[0])
		}
		d.Press("esc esc")
		d.Hides("Nothing was changed") // no key of it is in the wallet
	})
}
