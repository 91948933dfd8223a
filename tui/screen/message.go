package screen

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/approval"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

// Command asks a screen to perform an action of its place.
type Command struct{ ID action.ID }

// Text is a key that goes into a field.
type Text struct{ Key tea.KeyMsg }

// Opened notifies a screen that it is shown now; With is what Navigate gave: a
// Payment, Spend, Filter, Typed, Recipient, NewContact or Steps, the id of a row or a transaction, or nothing.
type Opened struct{ With any }

// Hide has a screen drop the secrets that are typed, and hide those that are shown: whoever looks next may be somebody else.
type Hide struct{}

// Left notifies a screen that another page is shown now: what it was about to open is not wanted any more.
type Left struct{}

// Tick comes once a second.
type Tick struct{}

// Click is a click on a row of a panel.
type Click struct {
	Panel int
	At    int // the row
}

// Request makes a command of a message to the root, one of those below.
func Request(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Navigate asks the root for a page.
type Navigate struct {
	To   ID
	With any // see Opened
}

// Decide asks the root for the pop-up of a request that waits for an answer. Where nobody pressed a key for it, it opens only
// while the page that asks has the keyboard and nothing was typed there meanwhile: a key of that must not answer.
type Decide struct {
	Request  approval.Request
	ByItself ID     // the page that asks; empty: a person does
	Typed    bool   // something was pressed meanwhile
	Unrun    string // another line, for which a person pressed enter and which has not run; empty: none
}

// Back asks the root for the parent page.
type Back struct{}

// Toast asks the root for a line in the toast rail.
type Toast struct {
	Line   canvas.Line
	Bad    bool // shown longer
	Urgent bool // shown also while a person types
	Here   bool // of the page that is shown: it goes with it
	Of     ID   // the page whose keys it names, where it comes after work: on another page only the notices have it
}

// Unsay asks the root to take away what was said of the page: it is true no more.
type Unsay struct{}

// NotNow asks the root to say why what a key does on this page cannot be done now.
func NotNow(why string) tea.Cmd {
	return Request(Toast{Line: canvas.Text("Not now: " + why), Here: true})
}

// Wake asks the root for a Tick in some time, where the page will look different
// then by itself.
type Wake struct{ In time.Duration }

// UseAccount asks the root to put another own account in focus.
type UseAccount struct{ ID ledger.AccountID }

// RemoveAccount asks the person whether an account shall leave the list.
type RemoveAccount struct{ ID ledger.AccountID }

// NeedUnlock asks the root for the unlock page; unlocking leads to Back.
type NeedUnlock struct{ Back ID }

// Look asks the root to draw with other colours or signs, as the settings name them.
type Look struct {
	Theme, Color string
	ASCII        bool
	Motion       Motion
}

// Unlocked notifies the root that a page opened the wallet, or created it.
type Unlocked struct {
	By ID // the page, which is left by it; it counts for nothing where it is left already
}

// WantSandbox asks the root to leave the UI for the sandbox.
type WantSandbox struct{}

// Payment starts a payment with what is known of it: all of it, or only the
// asset.
type Payment struct {
	To     ledgerview.AccountRef
	Asset  ledgerview.AssetRef
	Amount int64 // smallest unit; 0 is none
	Memo   string
}

// Built is what was built, and what nobody has signed yet.
type Built interface {
	Review() build.Review
	Send(ctx context.Context) (payment.Payment, error)
}

// Rereader is what was built and can be looked at again before it is signed: the ledger goes on while it is read.
type Rereader interface {
	Built
	// Again reviews the same operations as of now.
	Again(ctx context.Context) (build.Review, error)
	// Anew builds the same request as of now.
	Anew(ctx context.Context) (Built, error)
}

// Spend opens the review of what a page built; from there its way is that of every
// payment. Leaving it leads back to the page.
type Spend struct {
	Built Built
	Back  ID
	Word  string // what S does; empty is to sign and send
	Intro string // the first sentence of its review; empty is that it is about to be signed
	Life  string // until when it can be used; empty is for as long as any payment
	Then  string // what follows from it; empty where that is plain
	Named bool   // the page had the name of the account typed whose signers change

	Chosen bool // on the page it was chosen, one by one, who may act: what is only new in it is not asked about
}

// Filter opens the history with a filter typed.
type Filter string

// Line opens the console with a line begun.
type Line string

// Typed opens the form of a payment with a person's own words in it.
type Typed struct{ To, Amount, Asset string }

// Recipient puts an account into the form of a payment; the rest of it stays as it is typed.
type Recipient struct{ Account ledgerview.AccountRef }

// ShowAccount asks the root for the card of an account.
type ShowAccount struct{ Account ledgerview.AccountRef }

// NewContact opens the form that saves an account as a contact.
type NewContact struct{ Account ledgerview.AccountRef }

// FindContact asks the root for the pop-up that finds a contact for a payment.
type FindContact struct{}
