package setting

import (
	"slices"
	"sync"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Table holds the settings of one run. Only InFile and Adopt are safe for concurrent use.
type Table struct {
	prefix        string
	settings      []Setting
	viper         *viper.Viper
	flags         map[string]*pflag.Flag
	inEnvironment map[string]bool   // set in the environment
	inFile        map[string]bool   // set in the file
	mu            sync.Mutex        // guards filed after the start
	fileText      map[string]string // the text in the file
}

// New returns a table whose environment variables begin with prefix, such as
// "BILLFOLD_". It panics if two settings share a name, which is a fault of the
// program that any start reveals.
func New(prefix string, settings []Setting) *Table {
	t := &Table{
		prefix: prefix, settings: settings, viper: viper.New(),
		flags: map[string]*pflag.Flag{}, inEnvironment: map[string]bool{}, inFile: map[string]bool{}, fileText: map[string]string{},
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

// Assume makes text the default of a setting of this run. It must be called before Read.
func (t *Table) Assume(name, text string) {
	t.find(name).Default = text
	t.viper.SetDefault(name, text)
}

// Settings returns the declarations in the order of the table.
func (t *Table) Settings() []Setting { return t.settings }

// Source returns where the value of a setting came from.
func (t *Table) Source(name string) Source {
	switch f := t.flags[name]; {
	case f != nil && f.Changed:
		return FromFlag
	case t.inEnvironment[name]:
		return FromEnvironment
	case t.inFile[name]:
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
