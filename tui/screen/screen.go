// Package screen is the contract between the root of the UI and its screens: what a screen is given (Env), the messages it gets, and
// those it may send to the root. Tasks runs slow work outside the event loop and drops results that nobody waits for any more.
package screen

import (
	"billfold/tui/action"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// ID names a screen.
type ID string

// The screens.
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
	Content  ID = "content"
	Console  ID = "console"
	RPC      ID = "rpc"
	Node     ID = "node"
	Settings ID = "settings"
	Unlock   ID = "unlock"
	FirstRun ID = "firstrun"
)

// Mode is the input mode: it decides where letters go.
type Mode string

// The modes, as the chip in the status row writes them.
const (
	KEYS  Mode = "KEYS"
	TYPE  Mode = "TYPE"
	MODAL Mode = "MODAL"
	BUSY  Mode = "BUSY"
)

// Screen is a page or a pop-up. Update gets Command, Text, Click, Opened, Left, Result,
// Tick and event.Event, and may change the screen; Draw may not.
type Screen interface {
	Update(env Env, msg tea.Msg) tea.Cmd
	Draw(env Env, a canvas.Area)
	Place() (place string, mode Mode) // where in the key table it is, and where letters go
	Crumb() string                    // "Home › Balances"
}

// UnreadCounter is a screen that counts unread items.
type UnreadCounter interface {
	Unread() int
}

// Resumer is a page that takes over what was on it before the wallet was locked, except secrets, and except what was built: a person
// has to agree to that again.
type Resumer interface {
	Resume(was Screen)
}

// Holder is a page that may hold something half typed that is lost when the program ends.
type Holder interface {
	Unsaved() string // in a sentence; empty: nothing
}

// Worder is a screen on which a key for now does something other than its row in the table says.
type Worder interface {
	Word(env Env, do action.ID) string // for the hint line; empty: the word of the table
}

// Limiter is a screen that can say why an action is not possible now.
type Limiter interface {
	Off(env Env, do action.ID) (reason string)
}
