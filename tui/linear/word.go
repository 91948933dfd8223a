package linear

import (
	"context"
	"strings"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/screen"
)

// word is a command that can be typed.
type word struct {
	say  string   // "filter TEXT": the first word is what is typed, the rest says what may follow
	row  string   // the row of the key table that it stands for, "history/history.filter", whose help it has
	help string   // instead of the help in the table
	also []string // further rows that it stands for
	do   func(ctx context.Context, rest string) error
}

func (w word) name() string {
	first, _, _ := strings.Cut(w.say, " ")
	return first
}

// findWord finds a word by its name.
func findWord(words []word, name string) (word, bool) {
	for _, w := range words {
		if strings.EqualFold(w.name(), name) {
			return w, true
		}
	}
	return word{}, false
}

// suggestion returns a question that names the word that was probably meant, or nothing.
func suggestion(name string, words []word) string {
	name = strings.ToLower(name)
	for _, w := range words {
		if len(name) > 1 && strings.HasPrefix(w.name(), name[:2]) {
			return " Did you mean " + w.name() + "?"
		}
	}
	return ""
}

// helpText returns the help of a word: its own, or that of the key table.
func (w word) helpText() string {
	if w.help != "" {
		return w.help
	}
	place, id, _ := strings.Cut(w.row, "/")
	for _, a := range tui.KeyTable().At(place).Actions {
		if a.ID == action.ID(id) {
			return a.Help
		}
	}
	return ""
}

// pageIDs returns the pages in the order of the digit keys.
func pageIDs() []screen.ID {
	return []screen.ID{screen.Home, screen.History, screen.Send, screen.Receive, screen.Messages, screen.Keys, screen.Contacts,
		screen.Sign, screen.Assets, screen.Content, screen.Console, screen.RPC, screen.Node, screen.Settings}
}
