package screen

// Value is something whole that a person may want to copy.
type Value struct {
	Name    string // "Tx id"
	Text    string // empty: it is not known yet
	Private bool   // not shown in the menu; leaves the clipboard again after a while
}

// Copier is a screen that has something to copy: the thing in focus.
type Copier interface {
	Copies(env Env) []Value
}

// Copy asks the root to put a value on the clipboard.
type Copy struct{ Value Value }

// Caller is a page that shows or did what a wallet operation answers or does as well.
type Caller interface {
	Call(env Env) string // as it is typed on the console; empty: nothing was done yet
}
