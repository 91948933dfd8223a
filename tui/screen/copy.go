package screen

// Value is one whole value that a person may want to copy.
type Value struct {
	Name    string // "Tx id"
	Text    string // empty: not known yet
	Private bool   // not shown in the menu, and cleared from the clipboard after a while
}

// Copier is a screen that offers values to copy: those of the thing in focus.
type Copier interface {
	Copies(env Env) []Value
}

// Copy asks the root to put a value on the clipboard.
type Copy struct{ Value Value }

// Caller is a page that shows or did something that a wallet operation returns or does as well.
type Caller interface {
	Call(env Env) string // as it is typed on the console; empty: nothing was done yet
}
