package screen

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/build"
	"billfold/walletcore/contact"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// Env is one consistent reading of all that more than one screen shows. The
// root makes it new for every message; a screen keeps none of it.
type Env struct {
	Now       time.Time
	Class     layout.Class
	W, H      int // the body
	Status    walletcore.Status
	Accounts  []vault.OwnAccount
	Account   ledgerview.AccountRef // the account in focus; zero when the wallet has none
	Payments  []payment.Payment
	Contacts  []contact.Contact // by name
	Listeners int
	Beyond    string             // where other machines reach the wallet now; empty where none does
	Approvals []approval.Request // spends of programs that wait for an answer, the oldest first
	Hidden    bool               // amounts show as dots
	Zoomed    bool               // the panel in focus has the whole page
	Caps      map[string]string  // how keys are written that have another meaning than usual here, by the usual way; mostly nil
	Dead      map[string]bool    // keys of the page, in the usual way, that can do nothing now: frames do not name them
	ASCII     bool               // keys are written in words where a sign has no ASCII form
	Tick      int                // spinner frame
	Motion    Motion             // how much moves
	KeysFault string             // why the keys of keys.yaml are not used; empty when they are
	LockIn    time.Duration      // until the wallet locks by itself; 0 when it does not
	Signing   Signing            // what was signed for and is in no journal yet
	ToDrafts  string             // the keys that lead to the drafts of payments, from a page without a field; empty: none do now
	Since     time.Time          // since when nothing else came to the front, and no key that means nothing there
}

// Signing is what a person signed for and the journal does not have yet; the zero value: nothing.
type Signing struct {
	Payment payment.Payment // prepared, without an id
	Account ledger.AccountID
	Request build.TransferParams // as it was typed: it is kept as a draft until the journal has it
	Draft   int64                // the draft that it was taken from; 0: none
}

// Is reports whether a draft of an account is what is being signed: it goes with the payment.
func (s Signing) Is(account ledger.AccountID, d draft.Draft) bool {
	return account == s.Account && (d.Number == s.Draft || d.Request == s.Request)
}

// Quiet is how long no such key may have come before one that signs, approves or deletes works: what is typed may have been meant
// for what was in front before.
const Quiet = 600 * time.Millisecond

// Quiet reports whether a key is meant for what is in front.
func (e Env) Quiet() bool { return e.Now.Sub(e.Since) >= Quiet }

// Motion is how much moves on screen, as the settings name it.
type Motion string

// The levels of motion; the empty one is full.
const (
	MotionFull    Motion = "full"
	MotionReduced Motion = "reduced" // signs do not turn
	MotionNone    Motion = "none"    // words alone say that something goes on
)

// Spinner is the sign before what goes on.
func (e Env) Spinner() string {
	switch e.Motion {
	case MotionReduced:
		return theme.SignWork
	case MotionNone:
		return theme.SignCut
	case MotionFull:
	}
	return theme.SpinnerFrame(e.Tick)
}

// Panes is how wide the page is as to its panels: where one has the whole page, as narrow ones are.
func (e Env) Panes() layout.Class {
	if e.Zoomed {
		return min(e.Class, layout.Narrow)
	}
	return e.Class
}

// Said is what frames say of keys, "n new · x remove", with the keys that were chosen, and without those that do nothing now.
func (e Env) Said(text string) string {
	if len(e.Caps)+len(e.Dead) == 0 {
		return text
	}
	var parts []string
	for part := range strings.SplitSeq(text, " · ") {
		key, word, some := strings.Cut(part, " ")
		if some && e.Dead[key] {
			continue
		}
		if cap, other := e.Caps[key]; other && some {
			part = cap + " " + word
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " · ")
}

// Money is how amounts are shown now.
func (e Env) Money() format.Money { return format.Money{Hidden: e.Hidden} }

// Unlocked reports whether keys are available.
func (e Env) Unlocked() bool { return e.Status.Lock == vault.Unlocked }

// Online reports whether the ledger can be asked.
func (e Env) Online() bool { return e.Status.Daemon == walletcore.DaemonOnline }

// AsOf is what follows the title of what was read at a time that is not now:
// empty while a node answers that is not behind. Nothing is of a later time than
// the node was.
func (e Env) AsOf(read time.Time) canvas.Line {
	if e.Live() || read.IsZero() && e.Status.Daemon == walletcore.DaemonConnecting {
		return nil
	}
	if last := e.LastSeen(); read.IsZero() && e.Online() || !last.IsZero() && last.Before(read) {
		read = last
	}
	if read.IsZero() {
		return canvas.In(theme.Warn, " · "+e.away())
	}
	return canvas.In(theme.Warn, " · as of "+format.ClockOn(read, e.Now)+", "+e.away())
}

// away is why nothing can be read now.
func (e Env) away() string {
	switch {
	case e.Online() && e.Status.Frozen:
		return "node silent"
	case e.Online():
		return "node behind"
	case e.Status.Daemon == walletcore.DaemonWrongChain:
		return "wrong chain"
	case e.Status.Daemon == walletcore.DaemonConnecting:
		return "no node yet"
	}
	return "node away"
}

// LastSeen is of when the latest is that a node told: now, while it is live.
func (e Env) LastSeen() time.Time {
	switch {
	case e.Live():
		return e.Now
	case !e.Online():
		return e.Status.Since
	case e.Status.HeadTime == 0:
		return time.Time{}
	}
	return e.Status.HeadTime.Time()
}

// Live reports whether a node answers that is not behind: what is read now is of now.
func (e Env) Live() bool { return e.Online() && !e.Status.Stale && !e.Status.Frozen }

// Owns reports whether the account is the person's: on the list, and the wallet's keys
// alone may act for it.
func (e Env) Owns(id ledger.AccountID) bool {
	a, listed := e.Listed(id)
	return listed && a.CanSign()
}

// Listed finds an account on the wallet's list by id.
func (e Env) Listed(id ledger.AccountID) (vault.OwnAccount, bool) {
	for _, a := range e.Accounts {
		if a.ID == id {
			return a, true
		}
	}
	return vault.OwnAccount{}, false
}

// Contact finds a contact by id.
func (e Env) Contact(id ledger.AccountID) (contact.Contact, bool) {
	for _, c := range e.Contacts {
		if c.ID == id {
			return c, true
		}
	}
	return contact.Contact{}, false
}

// Known are the contacts and the accounts on the list, but for one: those whose names it may be mistaken for.
func (e Env) Known(except ledger.AccountID) map[ledger.AccountID]ledgerview.AccountRef {
	known := contact.Known(e.Contacts)
	for _, own := range e.Accounts {
		known[own.ID] = own.AccountRef
	}
	delete(known, except)
	return known
}
