package screen

import (
	"slices"
	"strings"
)

// Flag is a setting as a command-line flag of the program; without a value it is a switch.
type Flag struct{ Name, Value string }

// word returns the flag as one word of a command.
func (f Flag) word() string {
	if f.Value == "" {
		return "--" + f.Name
	}
	return "--" + f.Name + "=" + f.Value
}

// Shell holds the flags for running the program from a shell on the wallet and the ledger that are on screen: without them, a command
// would be for another wallet or another ledger.
type Shell struct {
	Call  []Flag // flags of every command
	Start []Flag // flags of the program itself
	Why   string // why no command does the same, in a sentence; empty if one does. With Start set, the program can still be started
}

// ShellCommand is a command that shows or does from a shell what a page shows or did.
type ShellCommand struct {
	Name   string   // "Command"
	Words  []string // what follows the program's name and flags
	Before string   // what goes before the program's name
	Start  bool     // it starts the program, which works for a sandbox as well
	Sets   []string // settings that Words and Before set already
	Text   string   // the whole line, if it is not a command of the program
}

// Line returns the command as a shell takes it; empty if none would do the same.
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
		if !slices.Contains(c.Sets, f.Name) {
			words = append(words, f.word())
		}
	}
	return strings.TrimLeft(c.Before+" ", " ") + ShellLine(append(words, c.Words...)...)
}

// Commander is a page that shows or did something for which the program has a command other than an operation.
type Commander interface {
	Commands(env Env) []ShellCommand // empty: nothing was done yet
}

// ShellLine returns words as a shell takes them: a word that a shell would not read as one literal word is quoted.
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
