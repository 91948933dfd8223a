// Package screen is the contract between the root of the UI and its screens:
// what a screen is given (Env), what it answers to, and what it may ask the
// root for. It has no behaviour of its own but the envelopes in which results
// of slow work come back.
package screen

import (
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/approval"

	tea "github.com/charmbracelet/bubbletea"
)

// ID names a screen.
type ID string

// The screens. The first nine have a digit.
const (
	Home     ID = "home"
	History  ID = "history"
	Send     ID = "send"
	Receive  ID = "receive"
	Messages ID = "messages"
	Keys     ID = "keys"
	Contacts ID = "contacts"
	Sign     ID = "sign"
	Assets   ID = "assets"
	Console  ID = "console"
	RPC      ID = "rpc"
	Node     ID = "node"
	Settings ID = "settings"
	Unlock   ID = "unlock"
	FirstRun ID = "firstrun"
)

// Mode says where letters go.
type Mode string

// The modes, as the chip in the status row writes them.
const (
	KEYS  Mode = "KEYS"
	TYPE  Mode = "TYPE"
	MODAL Mode = "MODAL"
	BUSY  Mode = "BUSY"
)

// Env is one consistent reading of all that more than one screen shows. The
// root makes it new for every message; a screen keeps none of it.
type Env struct {
	Now       time.Time
	Class     layout.Class
	W, H      int // the body
	Status    walletcore.Status
	Accounts  []walletcore.OwnAccount
	Account   walletcore.AccountRef // the account in focus; zero when the wallet has none
	Payments  []walletcore.Payment
	Listeners int
	Approvals []approval.Request // spends of programs that wait for an answer, the oldest first
	Hidden    bool               // amounts show as dots
	ASCII     bool               // keys are written in words where a sign has no ASCII form
	Tick      int                // spinner frame
	LockIn    time.Duration      // until the wallet locks by itself; 0 when it does not
}

// Money is how amounts are shown now.
func (e Env) Money() format.Money { return format.Money{Hidden: e.Hidden} }

// Unlocked says whether keys are at hand.
func (e Env) Unlocked() bool { return e.Status.Lock == walletcore.LockUnlocked }

// Online says whether the ledger can be asked.
func (e Env) Online() bool { return e.Status.Daemon == walletcore.DaemonOnline }

// AsOf is what stands behind the title of what was read at a time that is not now:
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

// Live says that a node answers that is not behind: what is read now is of now.
func (e Env) Live() bool { return e.Online() && !e.Status.Stale && !e.Status.Frozen }

// Owns says that the account is the person's: on the list, and the wallet's keys
// alone may act for it.
func (e Env) Owns(id ledger.AccountID) bool {
	a, listed := e.Listed(id)
	return listed && a.CanSign()
}

// Listed finds an account on the wallet's list by id.
func (e Env) Listed(id ledger.AccountID) (walletcore.OwnAccount, bool) {
	for _, a := range e.Accounts {
		if a.ID == id {
			return a, true
		}
	}
	return walletcore.OwnAccount{}, false
}

// Screen is one page. Update gets Do, Text, Mail, Opened, Tick, Clicked and
// walletcore.Event, and may change the screen; Draw may not.
type Screen interface {
	Update(env Env, msg tea.Msg) tea.Cmd
	Draw(env Env, a canvas.Area)
	Place() (place string, mode Mode) // where in the key table it is, and where letters go
	Crumb() string                    // "Home › Balances"
}

// Limiter is a screen that can say why an action is not possible now.
type Limiter interface {
	Off(env Env, do action.ID) (reason string)
}

// Do asks a screen to perform an action of its place.
type Do struct{ ID action.ID }

// Text is a key that goes into a field.
type Text struct{ Key tea.KeyMsg }

// Opened tells a screen that it is shown now; With is what the asker gave.
type Opened struct{ With any }

// Tick comes once a second.
type Tick struct{}

// Row is a click on row At of a panel.
type Row struct {
	Panel int
	At    int
}

// Go asks the root for a page.
type Go struct {
	To   ID
	With any
}

// Say asks the root for a toast.
type Say struct {
	Line   canvas.Line
	Bad    bool // shown longer
	Urgent bool // shown also while a person types
}

// Ask makes a command of a request to the root.
func Ask(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// RemoveAccount asks the person whether an account shall leave the list.
type RemoveAccount struct{ ID ledger.AccountID }

// UseAccount puts another own account in focus.
type UseAccount struct{ ID ledger.AccountID }

// NeedUnlock opens the unlock page and comes back to Back afterwards.
type NeedUnlock struct{ Back ID }

// WantSandbox leaves the UI for the sandbox.
type WantSandbox struct{}

// Unlocked tells the root that the wallet was opened, or made, by a page.
type Unlocked struct{}

// Up asks for the parent page.
type Up struct{}

// What Opened may carry besides ids: Pay starts a payment with what is known
// of it, Filter opens the history with a filter typed, Typed opens the form
// with a person's own words in it.
type (
	Pay struct {
		To     walletcore.AccountRef
		Asset  walletcore.AssetRef
		Amount int64 // smallest unit; 0 is none
		Memo   string
	}
	Filter string
	Typed  struct{ To, Amount, Asset string }
)
