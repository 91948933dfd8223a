// Package settings is the page of the program's settings: every one with its value and where that
// comes from. Those that guard no money are changed in place, in the settings file.
//
// It promises that a value is refused, or is in the file when the page says so, with all comments and
// other lines as they were.
package settings

import (
	"context"
	"strings"
	"time"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
)

// Setting is a setting as it is now.
type Setting struct {
	Name, Group, Kind, Help string
	Choices                 []string // nil: free
	Value                   string   // that of the next start; of this run where a flag or the environment gives it
	Source                  string   // default, file, environment or flag
	Default                 string   // in words
	Running                 string   // what this run goes by
	Variable                string   // in the environment
	Overridden              bool     // a flag or the environment goes before the file
	Live                    bool     // a change counts at once
	Fixed                   string   // why it is not changed here; empty: it is
}

// Store keeps the settings.
type Store interface {
	All() ([]Setting, error)
	Change(name, value string) error // an empty value takes the line out of the file
	Path() string                    // of the file
	Shared() bool                    // this wallet is thrown away, as a sandbox's is, and the file is that of a wallet that stays
}

const askLimit = 10 * time.Second

// The topics of the page's tasks.
const (
	topicRead   = "settings"
	topicChange = "change"
)

// Model is the page.
type Model struct {
	store Store
	tasks *screen.Tasks

	all    []Setting
	read   bool
	fault  string // why nothing was read, or changed
	said   string // what was changed
	at     list.Cursor
	filter field.Field
	edit   field.Field
	typing typing
}

// typing is which field has the keyboard.
type typing int

const (
	nowhere typing = iota
	inFilter
	inValue
)

// New makes the page.
func New(store Store, tasks *screen.Tasks) *Model {
	return &Model{store: store, tasks: tasks, filter: field.New(""), edit: field.New("")}
}

// Resume implements screen.Resumer: a value that was being typed stands in its field again, unless it may hold a password.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.all, m.read, m.at, m.typing = before.all, before.read, before.at, before.typing
	m.filter.Set(before.filter.Value())
	if text := before.edit.Value(); !before.edit.HoldsKey() && !ask.HoldsPassword(text) {
		m.edit.Set(text)
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if s, _ := m.current(); m.typing == inValue && !m.edit.Empty() && m.edit.Value() != s.Value {
		return "A value of " + s.Name + " is typed and not saved; quitting drops it."
	}
	return ""
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if s, there := m.current(); there {
		return "Settings › " + s.Group
	}
	return "Settings"
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch m.typing {
	case inFilter:
		return "settings.type", screen.TYPE
	case inValue:
		return "settings.value", screen.TYPE
	case nowhere:
	}
	return "settings", screen.KEYS
}

// Groups are the sections of the settings, in order.
func Groups() []string {
	return []string{"Look", "Safety", "Lock and clipboard", "Network", "RPC", "Accessibility", "About"}
}

// shown are the settings that the filter lets through, group after group.
func (m *Model) shown() []Setting {
	var out []Setting
	for _, group := range Groups() {
		for _, s := range m.all {
			if s.Group == group && m.matches(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// matches reports whether all words of the filter stand in what is said of a setting.
func (m *Model) matches(s Setting) bool {
	said := strings.ToLower(s.Name + " " + s.Group + " " + s.Help + " " + s.Value + " " + s.Source)
	for _, word := range strings.Fields(strings.ToLower(m.filter.Value())) {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}

// current is the setting in focus.
func (m *Model) current() (Setting, bool) {
	rows := m.shown()
	if m.at.At >= len(rows) {
		return Setting{}, false
	}
	return rows[m.at.At], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	s, there := m.current()
	if !there {
		return nil
	}
	return []screen.Value{{Name: "Name", Text: s.Name}, {Name: "Value", Text: s.Value}, {Name: "Flag", Text: "--" + s.Name},
		{Name: "Variable", Text: s.Variable}, {Name: "File", Text: m.store.Path()}}
}

// work runs what reads or writes the file.
func (m *Model) work(do func() error) func(context.Context) (any, error) {
	return func(context.Context) (any, error) {
		if do != nil {
			if err := do(); err != nil {
				return nil, err
			}
		}
		return m.store.All()
	}
}
