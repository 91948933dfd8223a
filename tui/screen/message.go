package screen

import (
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Command asks a screen to perform an action of its place.
type Command struct{ ID action.ID }

// Text is a key that goes into a field.
type Text struct{ Key tea.KeyMsg }

// Opened notifies a screen that it is shown now. With is what Navigate carried: a Payment, Pay, Spend, Filter, Typed, Recipient,
// NewContact or Steps, the id of a row or a transaction, or nil.
type Opened struct{ With any }

// Hide has a screen drop secrets that were typed and hide those that are shown: the next person to look may be somebody else.
type Hide struct{}

// Left notifies a screen that another page is shown now: what it was about to open is no longer wanted.
type Left struct{}

// Tick comes once a second.
type Tick struct{}

// Click is a click on a row of a panel.
type Click struct {
	Panel int
	At    int // the row
}

// Request returns a command that sends the root a message, one of those below.
func Request(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Navigate asks the root for a page.
type Navigate struct {
	To   ID
	With any // see Opened
}

// Decide asks the root for the pop-up of a request that waits for an answer. If no key was pressed for it, the pop-up opens only
// while the page that asks has the keyboard and nothing was typed there meanwhile: a key meant for that page must not answer the
// request.
type Decide struct {
	Request approval.Request
	From    ID     // the page that opens it unprompted; empty: a person pressed a key for it
	Typed   bool   // a key was pressed meanwhile
	Unrun   string // another line that a person entered and that has not run; empty: none
}

// Back asks the root for the parent page.
type Back struct{}

// Toast asks the root for a line in the toast rail.
type Toast struct {
	Line   canvas.Line
	Bad    bool // shown longer
	Urgent bool // shown also while a person types
	Here   bool // about the page that is shown: it disappears with that page
	Of     ID   // the page whose keys it names, for a toast that follows slow work: on any other page it only joins the notices
}

// ClearToast asks the root to remove the toast about the page: it is no longer true.
type ClearToast struct{}

// NotNow asks the root to say why what a key does on this page is not possible now.
func NotNow(why string) tea.Cmd {
	return Request(Toast{Line: canvas.Text("Not now: " + why), Here: true})
}

// Wake asks the root for a Tick after some time, for a page that will look different then without any event.
type Wake struct{ In time.Duration }

// UseAccount asks the root to put another own account in focus.
type UseAccount struct {
	ID   ledger.AccountID
	Then ID // the page to open; empty: the same
}

// SuggestAccount asks the root to put the account with money in focus, unless a person chose one or is busy elsewhere.
type SuggestAccount struct{ ID ledger.AccountID }

// RemoveAccount asks the root to ask the person whether to remove an account from the list.
type RemoveAccount struct{ ID ledger.AccountID }

// NeedUnlock asks the root for the unlock page; unlocking leads back to the page that is shown now.
type NeedUnlock struct{}

// Restyle asks the root to draw with other colours or signs, named as in the settings.
type Restyle struct {
	Theme, Color string
	ASCII        bool
	Motion       Motion
}

// Unlocked notifies the root that a page opened the wallet, or created it.
type Unlocked struct {
	By ID // the page, which is left then; if it was left already, the message is ignored
}

// NextTheme asks the root for the next theme, until the program ends.
type NextTheme struct{}

// WantLinear asks the root to leave the UI for linear mode.
type WantLinear struct{}

// WantNode asks the root to leave the UI for a wallet that asks the node which was just chosen.
type WantNode struct{}

// WantSandbox asks the root to leave the UI for the sandbox.
type WantSandbox struct{}

// Payment starts a payment with the known fields filled in: all of them, or only the asset.
type Payment struct {
	To     ledgerview.AccountRef
	Asset  ledgerview.AssetRef
	Amount int64 // smallest unit; 0: none
	Memo   string
}

// Spend opens the review of what a page built; from there it goes the way of every payment. Leaving the review leads back to the
// page.
type Spend struct {
	Built     Built
	Back      ID
	Word      string // what S does, if not what the review says
	Intro     string // the first sentence of its review; empty: that it is about to be signed
	Life      string // until when it can be used; empty: as long as any payment
	Then      string // what follows from it; empty if that is obvious
	NameTyped bool   // the page made the person type the name of the account whose signers change

	Chosen bool // the person chose on the page, one by one, who may act: signers that are merely new are not asked about again
}

// Filter opens the history with a filter filled in.
type Filter string

// Line opens the console with the beginning of a line filled in.
type Line string

// Typed opens the payment form with what a person typed elsewhere.
type Typed struct{ To, Amount, Asset string }

// Recipient puts an account into the payment form; the other fields stay as typed.
type Recipient struct{ Account ledgerview.AccountRef }

// Pay opens the payment form as it is, or empty in place of the form of a proposal, which becomes a draft.
type Pay struct{}

// SeveralPayments opens the payment form for a table of several payments.
type SeveralPayments struct{}

// Proposal opens the payment form for a payment that is proposed to others.
type Proposal struct{}

// ShowAccount asks the root for the card of an account.
type ShowAccount struct{ Account ledgerview.AccountRef }

// ShowAsset asks the root for the card of an asset.
type ShowAsset struct{ Asset ledgerview.AssetRef }

// NewContact opens the form that saves an account as a contact.
type NewContact struct{ Account ledgerview.AccountRef }

// FindContact asks the root for the pop-up that finds a contact for a payment.
type FindContact struct{}
