// Package settings is the page of the program's settings: each with its value and where that
// comes from. Those that guard no money can be changed here, in the settings file.
//
// It promises that a value is either refused or in the file once the page says so, and that all comments
// and other lines of the file are unchanged.
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
	Choices                 []string // nil: any text
	Value                   string   // at the next start; in this run if a flag or the environment sets it
	Source                  string   // default, file, environment or flag
	Default                 string   // as text
	Running                 string   // the value in force in this run
	Variable                string   // its name in the environment
	Overridden              bool     // a flag or the environment overrides the file
	Live                    bool     // a change takes effect at once
	Fixed                   string   // why it cannot be changed here; empty if it can
}

// Store reads and writes the settings.
type Store interface {
	All() ([]Setting, error)
	Change(name, value string) error // an empty value takes the line out of the file
	Path() string                    // of the file
	Shared() bool                    // this wallet is temporary, as a sandbox's is, while the file belongs to a lasting one
}

const storeLimit = 10 * time.Second

// The topics of the page's tasks.
const (
	topicRead   = "settings"
	topicChange = "change"
)

// Model is the page.
type Model struct {
	store Store
	tasks *screen.Tasks

	all      []Setting
	loaded   bool
	fault    string // why the settings were not read or changed
	doneText string // what was changed
	cursor   list.Cursor
	filter   field.Field
	edit     field.Field
	typing   typing
	choice   string // in inChoice: the value that enter writes; empty: the default
}

// typing is the field that has the keyboard.
type typing int

const (
	nowhere typing = iota
	inFilter
	inValue
	inChoice // a value is chosen, and written with enter
)

// New makes the page.
func New(store Store, tasks *screen.Tasks) *Model {
	return &Model{store: store, tasks: tasks, filter: field.New(""), edit: field.New("")}
}

// Resume implements screen.Resumer: a value that was being typed comes back, unless it may hold a password.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.all, m.loaded, m.cursor, m.typing = before.all, before.loaded, before.cursor, before.typing
	m.filter.Set(before.filter.Value())
	if text := before.edit.Value(); !before.edit.HoldsSecret() && !ask.HoldsPassword(text) {
		m.edit.Set(text)
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if s, _ := m.focused(); m.typing == inValue && !m.edit.Empty() && m.edit.Value() != s.Value {
		return "A value of " + s.Name + " is typed and not saved; quitting drops it."
	}
	return ""
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if s, there := m.focused(); there {
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
	case inChoice:
		return "settings.choice", screen.KEYS
	case nowhere:
	}
	return "settings", screen.KEYS
}

// filtered returns the settings that match the filter, group by group.
func (m *Model) filtered() []Setting {
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

// matches reports whether a setting contains all words of the filter.
func (m *Model) matches(s Setting) bool {
	text := strings.ToLower(s.Name + " " + s.title() + " " + s.Group + " " + s.Help + " " + s.Value + " " + s.Source)
	for _, word := range strings.Fields(strings.ToLower(m.filter.Value())) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// focused returns the setting in focus.
func (m *Model) focused() (Setting, bool) {
	rows := m.filtered()
	if m.cursor.At >= len(rows) {
		return Setting{}, false
	}
	return rows[m.cursor.At], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	s, there := m.focused()
	if !there {
		return nil
	}
	return []screen.Value{{Name: "Name", Text: s.Name}, {Name: "Value", Text: s.Value}, {Name: "Flag", Text: "--" + s.Name},
		{Name: "Variable", Text: s.Variable}, {Name: "File", Text: m.store.Path()}}
}

// storeWork returns work that does do, which may be nil, and then reads all settings.
func (m *Model) storeWork(do func() error) func(context.Context) (any, error) {
	return func(context.Context) (any, error) {
		if do != nil {
			if err := do(); err != nil {
				return nil, err
			}
		}
		return m.store.All()
	}
}
