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
	"billfold/walletcore/contact"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// Env is one consistent reading of everything that more than one screen shows. The root makes a new one for every message; a screen
// keeps none of it.
type Env struct {
	Now         time.Time
	Class       layout.Class
	W, H        int // the body
	Status      walletcore.Status
	Accounts    []vault.OwnAccount
	Account     ledgerview.AccountRef // the account in focus; zero if the wallet has none
	Payments    []payment.Payment
	Contacts    []contact.Contact // by name
	Listeners   int
	ReachableAt string                // the address where other machines can reach the wallet; empty: none can
	Approvals   []approval.Request    // requests of programs that wait for an answer, the oldest first
	Unanswered  []approval.Unanswered // those that nobody answered, the newest first
	Hidden      bool                  // amounts show as dots
	WayBack     bool                  // esc on the page leads back to the card that it was opened from
	Zoomed      bool                  // the panel in focus has the whole page
	ChosenKeys  map[string]string     // the written form of rebound keys, by the written form of the default key; mostly nil
	DeadKeys    map[string]bool       // the page's keys, by their default form, that do nothing now: frames do not name them
	ASCII       bool                  // keys are written in words where a sign has no ASCII form
	Tick        int                   // spinner frame
	Motion      Motion                // how much moves
	KeysFault   string                // why the keys of keys.yaml are not used; empty if they are
	LockIn      time.Duration         // until the wallet locks automatically; 0: it does not
	Signing     Signing               // what the person pressed S for and the journal does not have yet
	ToDrafts    string                // the keys that lead to the payment drafts, from a page without a field; empty: none do now
	QuietSince  time.Time             // when something else last came to the front, or a key was last typed before it could be read
	StrayAt     time.Time             // when a key was last typed that means nothing in front
}

// Signing is a payment that a person pressed S for and the journal does not have yet; the zero value: nothing.
type Signing struct {
	Payment payment.Payment // prepared, without an id
	Account ledger.AccountID
	Typed   draft.Draft // it is kept until the journal has it
	Draft   int64       // the draft it came from; 0: none
}

// Is reports whether an account's draft is the one being signed; it is deleted together with the payment's commit.
func (s Signing) Is(account ledger.AccountID, d draft.Draft) bool {
	return account == s.Account && (d.Number == s.Draft || d.Same(s.Typed))
}

// Quiet is the time for which something must have been in front, without a key, before a key that signs, approves or deletes works:
// what is typed may have been meant for what was in front before.
const Quiet = 600 * time.Millisecond

// Quiet reports whether keys pressed now are meant for what is in front.
func (e Env) Quiet() bool { return e.Now.Sub(e.QuietSince) >= Quiet }

// Motion is the amount of motion on screen, as the settings name it.
type Motion string

// The levels of motion; empty means full.
const (
	MotionFull    Motion = "full"
	MotionReduced Motion = "reduced" // no spinner turns
	MotionNone    Motion = "none"    // only words say that work goes on
)

// Spinner returns the sign before work that goes on.
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

// PanelClass returns the width class that a page's panels go by: Narrow at most while one panel is zoomed.
func (e Env) PanelClass() layout.Class {
	if e.Zoomed {
		return min(e.Class, layout.Narrow)
	}
	return e.Class
}

// KeyHints returns hints about keys, such as "n new · x remove", with the keys that the person chose and without those that do
// nothing now.
func (e Env) KeyHints(text string) string {
	if len(e.ChosenKeys)+len(e.DeadKeys) == 0 {
		return text
	}
	var parts []string
	for part := range strings.SplitSeq(text, " · ") {
		key, word, some := strings.Cut(part, " ")
		if some && e.DeadKeys[key] {
			continue
		}
		if cap, other := e.ChosenKeys[key]; other && some {
			part = cap + " " + word
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " · ")
}

// Times returns how times are shown: in the zone of Now.
func (e Env) Times() format.Times { return format.Times{Now: e.Now} }

// Money returns how amounts are shown now.
func (e Env) Money() format.Money { return format.Money{Hidden: e.Hidden} }

// Unlocked reports whether keys are available.
func (e Env) Unlocked() bool { return e.Status.Lock == vault.Unlocked }

// Online reports whether the ledger can be asked.
func (e Env) Online() bool { return e.Status.Daemon == walletcore.DaemonOnline }

// NoNode returns why no node can be asked while none is online.
func (e Env) NoNode() string {
	if e.Status.LoginFault != "" {
		return "login refused by the node"
	}
	return "no node answers"
}

// AsOf returns what follows the title of data that was read earlier: when it is from, and why it is not newer. It is empty while a
// live node answers. Data is never newer than the last state its node had reported.
func (e Env) AsOf(read time.Time) canvas.Line {
	if e.Live() || read.IsZero() && e.Status.Daemon == walletcore.DaemonConnecting {
		return nil
	}
	if last := e.LastSeen(); read.IsZero() && e.Online() || !last.IsZero() && last.Before(read) {
		read = last
	}
	if read.IsZero() {
		return canvas.In(theme.Warn, " · "+e.whyNotLive())
	}
	return canvas.In(theme.Warn, " · as of "+e.Times().ClockOn(read)+", "+e.whyNotLive())
}

// whyNotLive returns why nothing current can be read.
func (e Env) whyNotLive() string {
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

// LastSeen returns the time of the latest state that a node reported: now, while it is live.
func (e Env) LastSeen() time.Time {
	switch {
	case e.Live():
		return e.Now
	case e.Status.HeadTime == 0: // no node has reported anything yet
		return time.Time{}
	case !e.Online():
		return e.Status.Since
	}
	return e.Status.HeadTime.Time()
}

// Live reports whether a node answers that is not behind, so that what is read is current.
func (e Env) Live() bool { return e.Online() && !e.Status.Stale && !e.Status.Frozen }

// Owns reports whether the account is the person's: it is on the list, and the wallet's keys alone may act for it.
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

// KnownExcept returns the contacts and the listed accounts, except one: the accounts that its name could be mistaken for.
func (e Env) KnownExcept(except ledger.AccountID) map[ledger.AccountID]ledgerview.AccountRef {
	known := contact.Known(e.Contacts)
	for _, own := range e.Accounts {
		known[own.ID] = own.AccountRef
	}
	delete(known, except)
	return known
}
