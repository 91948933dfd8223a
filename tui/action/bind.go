package action

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"billfold/walletcore/spelling"
)

// Bindings are keys that a person chose: by place, then by action. The id of an action may leave out the place ("send" for
// "home.send").
type Bindings map[string]map[string][]string

// Bind returns the table with the chosen keys. The error says in one sentence what is wrong: a place, an action or a key that does
// not exist, a key that cannot be changed, or one key for two actions.
func (t Table) Bind(b Bindings) (Table, error) {
	out := make(Table, len(t))
	for i, p := range t {
		p.Actions = slices.Clone(p.Actions)
		out[i] = p
	}
	for _, place := range slices.Sorted(maps.Keys(b)) {
		at := slices.IndexFunc(out, func(p Place) bool { return p.ID == place })
		if at < 0 {
			return t, fmt.Errorf("there is no place %q%s", place, suggestion(place, out.places()))
		}
		for _, name := range slices.Sorted(maps.Keys(b[place])) {
			if err := out[at].bind(name, b[place][name]); err != nil {
				return t, err
			}
		}
	}
	if wrong := out.Check(); len(wrong) > 0 {
		return t, fmt.Errorf("%s", wrong[0])
	}
	return out, nil
}

func (t Table) places() (out []string) {
	for _, p := range t {
		out = append(out, p.ID)
	}
	return out
}

// suggestion names the word nearest to the one that was written; empty if none is near.
func suggestion(written string, words []string) string {
	if near := spelling.Nearest(written, words); near != "" {
		return "; the nearest is " + near
	}
	return ""
}

// bind binds an action to other keys.
func (p *Place) bind(name string, keys []string) error {
	var names []string
	for i, a := range p.Actions {
		short := strings.TrimPrefix(string(a.ID), p.ID+".")
		if name != string(a.ID) && name != short {
			names = append(names, short)
			continue
		}
		if isFixed(a) {
			return fmt.Errorf("%s: the key of %s cannot be changed", p.ID, name)
		}
		if len(keys) == 0 {
			return fmt.Errorf("%s: %s has no key", p.ID, name)
		}
		bound := make([]string, len(keys))
		for k, key := range keys {
			var err error
			if bound[k], err = parseKey(a, key); err != nil {
				return fmt.Errorf("%s: %s cannot be %w", p.ID, name, err)
			}
		}
		p.ungroup(a.Group) // its line would name the usual key
		p.Actions[i].Keys, p.Actions[i].Show = bound, ""
		return nil
	}
	return fmt.Errorf("%s has no action %q%s", p.ID, name, suggestion(name, names))
}

// ungroup puts each action of a group on its own line of the help.
func (p *Place) ungroup(group string) {
	for i := range p.Actions {
		if p.Actions[i].Group == group {
			p.Actions[i].Group = ""
		}
	}
}

// isFixed reports whether the key of an action cannot be changed: those that sign, approve or delete, and the ways out.
func isFixed(a Action) bool { return a.Money || slices.ContainsFunc(a.Keys, isReserved) }

func isReserved(key string) bool {
	return slices.Contains([]string{"esc", "ctrl+c", "S", "A", "X"}, key)
}

// parseKey returns a key as the terminal names it.
func parseKey(a Action, key string) (string, error) {
	letter := len(key) == 1 && key[0] > ' ' && key[0] < 0x7f || key == "space"
	switch {
	case isReserved(key):
		return "", fmt.Errorf("%s: that key means the same everywhere", key)
	case letter && a.Typing:
		return "", fmt.Errorf("%s: the action also works where letters are text", key)
	case key == "space":
		return " ", nil
	case letter || isNamed(key):
		return key, nil
	}
	return "", fmt.Errorf("%q: there is no such key; write one such as x, space, f5, pgup or ctrl+o", key)
}

// isNamed reports whether a key is one with a name that every terminal sends.
func isNamed(key string) bool {
	if rest, is := strings.CutPrefix(key, "ctrl+"); is { // h, i, j, m and [ are the same bytes as other keys
		return len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z' && !strings.Contains("himjc", rest)
	}
	if rest, is := strings.CutPrefix(key, "alt+"); is {
		return len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z'
	}
	switch key {
	case "enter", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "delete", "insert", "backspace",
		"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12":
		return true
	}
	return false
}

// KeyOf returns how the first key of an action is written on screen; empty if it has none.
func (t Table) KeyOf(place string, id ID) string {
	for _, a := range t.At(place).Actions {
		if a.ID == id && !a.Alias {
			key, _, _ := strings.Cut(a.Key(), "  ")
			return key
		}
	}
	return ""
}

// Caps returns how keys are written on screen now, by how they are written in the default table, for those that mean something else
// at one of the places. If two places disagree, the later one wins.
func (t Table) Caps(usual Table, places ...string) map[string]string {
	out := map[string]string{}
	for _, id := range places {
		now := t.At(id).Actions
		for i, a := range usual.At(id).Actions {
			to, _, _ := strings.Cut(now[i].Key(), "  ")
			for _, key := range a.Keys {
				as := Action{Keys: []string{key}}.Key()
				delete(out, as)
				if !slices.Contains(now[i].Keys, key) {
					out[as] = to
				}
			}
		}
	}
	return out
}
