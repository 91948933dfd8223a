package linear

import (
	"context"
	"strings"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/screen"
)

// word is something that can be typed.
type word struct {
	say  string   // "filter TEXT": the first word is what is typed, the rest says what may follow
	row  string   // the row of the key table that it stands for, "history/history.filter"; its help is the word's
	help string   // where the table has none, or another in words
	also []string // further rows that it stands for
	do   func(ctx context.Context, rest string) error
}

func (w word) name() string {
	first, _, _ := strings.Cut(w.say, " ")
	return first
}

// find finds a word by its name.
func findWord(words []word, name string) (word, bool) {
	for _, w := range words {
		if strings.EqualFold(w.name(), name) {
			return w, true
		}
	}
	return word{}, false
}

// near suggests the word that may be meant.
func suggestion(name string, words []word) string {
	name = strings.ToLower(name)
	for _, w := range words {
		if len(name) > 1 && strings.HasPrefix(w.name(), name[:2]) {
			return " Did you mean " + w.name() + "?"
		}
	}
	return ""
}

// explained is the help of a word: that of the key table, unless it has its own.
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

// screens are the pages, in the order of the digit row.
func pageIDs() []screen.ID {
	return []screen.ID{screen.Home, screen.History, screen.Send, screen.Receive, screen.Messages, screen.Keys, screen.Contacts,
		screen.Sign, screen.Assets, screen.Console, screen.RPC, screen.Node, screen.Settings}
}
