// Package action defines the key table: every key of the UI is a row of it. Hints, help, palette, dispatch and tests all read the
// one table, so they cannot disagree.
//
// Each screen declares its rows in its keys.go; the root adds what works everywhere. Check refuses clashes: it names every key that
// is bound twice in one place, every capital that is not G, S, A or X, and every row without help.
package action

import (
	"fmt"
	"strings"
)

// ID names an action: "send.review".
type ID string

// Action is one row.
type Action struct {
	ID     ID
	Keys   []string // as bubbletea names them: "s", "ctrl+s", "enter"
	Show   string   // how the keys are written on screen; empty: the first of Keys
	Word   string   // the word in the hint line
	Help   string   // what it does, for help and palette
	Hint   int      // place in the hint line, from 1; 0: not shown there
	Typing bool     // works while letters are text, too
	Money  bool     // signs, approves or deletes: never by mouse, enter or palette
	Alias  bool     // a second row for the same action, not listed again
	Group  string   // rows of a group share one line of the help: "1 … 9|screens"
}

// Key returns how the key is written on screen.
func (a Action) Key() string {
	if a.Show != "" {
		return a.Show
	}
	if len(a.Keys) == 0 {
		return ""
	}
	return Written(a.Keys[0])
}

// Written returns how a key, given by its bubbletea name, is written on screen.
func Written(key string) string {
	if strings.Contains(key, "enter") || strings.Contains(key, "f1") || strings.Contains(key, " ") {
		return keyNames.Replace(key)
	}
	return key // most are; this is called some hundred times per frame
}

// keyNames is created only once, because NewReplacer is slow.
var keyNames = strings.NewReplacer("enter", "↵", "f1", "F1", " ", "space")

// Place is a screen, or a part of one, to which a set of rows applies.
type Place struct {
	ID      string
	Title   string // in the help: "History table"
	Modal   bool   // only its own keys and the safety keys work
	Actions []Action
}

// Everywhere is the place of the keys that work on every page.
const Everywhere = "everywhere"

// Table is the whole key table.
type Table []Place

// At returns a place; the zero Place if there is none with that id.
func (t Table) At(id string) Place {
	for _, p := range t {
		if p.ID == id {
			return p
		}
	}
	return Place{}
}

// Find returns the row for a key at a place: the place's own rows first, then those that work everywhere. With typing, only rows
// that work while letters are text count; at a modal place the same holds for the rows of Everywhere.
func (t Table) Find(place, key string, typing bool) (Action, bool) {
	here := t.At(place)
	for i, p := range []Place{here, t.At(Everywhere)} {
		for _, a := range p.Actions {
			if !a.Typing && (typing || i == 1 && here.Modal) {
				continue
			}
			for _, k := range a.Keys {
				if k == key {
					return a, true
				}
			}
		}
	}
	return Action{}, false
}

// mayBeLocal reports whether a place may give the key a meaning of its own.
func mayBeLocal(key string) bool {
	switch key {
	case "enter", "esc", "tab", "shift+tab", "/", "up", "down", "left", "right", "ctrl+c", "ctrl+r":
		return true
	}
	return false
}

// Check returns what is wrong with the table; nothing if it is right.
func (t Table) Check() []string {
	var wrong []string
	shared := map[string]ID{}
	for _, a := range t.At(Everywhere).Actions {
		for _, k := range a.Keys {
			shared[k] = a.ID
		}
	}
	for _, p := range t {
		wrong = append(wrong, p.check(shared)...)
	}
	return wrong
}

func (p Place) check(shared map[string]ID) []string {
	var wrong []string
	seen := map[string]Action{}
	for _, a := range p.Actions {
		if a.ID == "" || a.Help == "" || len(a.Keys) == 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %q has no id, key or help", p.ID, a.ID))
		}
		for _, k := range a.Keys {
			if other, ok := seen[k]; ok {
				wrong = append(wrong, fmt.Sprintf("%s: %s means both %s and %s", p.ID, k, other.ID, a.ID))
			}
			seen[k] = a
			if p.ID != Everywhere && !p.Modal && shared[k] != "" && !mayBeLocal(k) {
				wrong = append(wrong, fmt.Sprintf("%s: %s means %s here and %s everywhere", p.ID, k, a.ID, shared[k]))
			}
			if isCapital(k) && !strings.Contains("GSAX", k) {
				wrong = append(wrong, fmt.Sprintf("%s: capital %s is not one of G S A X", p.ID, k))
			}
			if strings.Contains("SAX", k) != a.Money {
				wrong = append(wrong, fmt.Sprintf("%s: %s and money do not agree", p.ID, k))
			}
		}
	}
	return append(wrong, p.twins(seen)...)
}

// twins reports capitals of Money actions whose lower-case letter works in the same place.
func (p Place) twins(seen map[string]Action) []string {
	var wrong []string
	for k, a := range seen {
		if a.Money {
			if _, ok := seen[strings.ToLower(k)]; ok {
				wrong = append(wrong, fmt.Sprintf("%s: %s must not mean anything beside %s", p.ID, strings.ToLower(k), k))
			}
		}
	}
	return wrong
}

func isCapital(key string) bool { return len(key) == 1 && key[0] >= 'A' && key[0] <= 'Z' }
