package setting

import (
	"slices"
	"sync"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Table holds the settings of one run. It is not safe for concurrent use, but for Filed and Took.
type Table struct {
	prefix   string
	settings []Setting
	viper    *viper.Viper
	flags    map[string]*pflag.Flag
	variable map[string]bool   // set in the environment
	key      map[string]bool   // set in the file
	taking   sync.Mutex        // held while filed changes behind the start
	filed    map[string]string // how it is written there
}

// New returns a table whose environment variables begin with prefix, such as
// "BILLFOLD_". It panics when two settings share a name: that is a fault of the
// program, found by its first start.
func New(prefix string, settings []Setting) *Table {
	t := &Table{
		prefix: prefix, settings: settings, viper: viper.New(),
		flags: map[string]*pflag.Flag{}, variable: map[string]bool{}, key: map[string]bool{}, filed: map[string]string{},
	}
	for i, s := range settings {
		if slices.ContainsFunc(settings[:i], func(o Setting) bool { return o.Name == s.Name }) {
			panic("two settings are called " + s.Name)
		}
		t.viper.SetDefault(s.Name, s.Default)
		_ = t.viper.BindEnv(s.Name, s.Variable(prefix)) // fails only without a name
	}
	return t
}

// Settings returns the declarations in the order of the table.
func (t *Table) Settings() []Setting { return t.settings }

// Source returns where the value of a setting came from.
func (t *Table) Source(name string) Source {
	switch f := t.flags[name]; {
	case f != nil && f.Changed:
		return FromFlag
	case t.variable[name]:
		return FromEnvironment
	case t.key[name]:
		return FromFile
	}
	return FromDefault
}

func (t *Table) find(name string) *Setting {
	for i := range t.settings {
		if t.settings[i].Name == name {
			return &t.settings[i]
		}
	}
	return nil
}

func (t *Table) names() []string {
	list := make([]string, len(t.settings))
	for i, s := range t.settings {
		list[i] = s.Name
	}
	return list
}
