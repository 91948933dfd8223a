package screen

import "strings"

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

// Commander is a page that shows or did what a command of the program besides the operations shows or does.
type Commander interface {
	Commands(env Env) []ShellCommand // none: nothing was done yet
}

// ShellLine is a command as a shell takes it: what a shell would read as more than a word stands between quotes.
func ShellLine(words ...string) string {
	out := make([]string, len(words))
	for i, word := range words {
		plain := strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") == ""
		if out[i] = word; !plain || word == "" {
			out[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
