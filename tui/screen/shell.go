package screen

import (
	"slices"
	"strings"
)

// Flag is a setting as a flag of the program; without a value it is on.
type Flag struct{ Name, Value string }

// word is the flag as a word of a command.
func (f Flag) word() string {
	if f.Value == "" {
		return "--" + f.Name
	}
	return "--" + f.Name + "=" + f.Value
}

// Shell is how a shell runs the program on the wallet and the ledger that are on screen: a command without these flags would
// be for another wallet, or for another ledger.
type Shell struct {
	Call  []Flag // of every command
	Start []Flag // of the program itself
	Why   string // why no command does the same, in a sentence; empty when one does. With Start one still starts the program
}

// ShellCommand shows or does from a shell what a page shows or did.
type ShellCommand struct {
	Name   string   // "Command"
	Words  []string // what follows the name of the program and the flags
	Before string   // what stands before the name of the program
	Start  bool     // it starts the program, which a sandbox has commands for as well
	Says   []string // settings that Words and Before say by themselves
	Text   string   // the whole, where it is no command of the program
}

// Line is the command as a shell takes it; empty where none would do the same.
func (s Shell) Line(c ShellCommand) string {
	if c.Text != "" {
		return c.Text
	}
	words, flags := []string{"billfold"}, s.Call
	if c.Start {
		flags = s.Start
	}
	if s.Why != "" && (!c.Start || s.Start == nil) {
		return ""
	}
	for _, f := range flags {
		if !slices.Contains(c.Says, f.Name) {
			words = append(words, f.word())
		}
	}
	return strings.TrimLeft(c.Before+" ", " ") + ShellLine(append(words, c.Words...)...)
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
