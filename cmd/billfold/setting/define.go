package setting

import "github.com/spf13/cobra"

// Define adds the flags to root, and those with the scope Everywhere to its commands as well.
func (t *Table) Define(root *cobra.Command) {
	for i := range t.settings {
		s := &t.settings[i]
		if s.Secret {
			continue
		}
		set := root.PersistentFlags()
		if s.Scope == Program {
			set = root.Flags()
		}
		f := set.VarPF(&flag{setting: s, text: s.Default}, s.Name, "", usage(s))
		if f.NoOptDefVal = s.Assumed; s.Value.isBool {
			f.NoOptDefVal = "true"
		}
		t.flags[s.Name] = f
		_ = t.viper.BindPFlag(s.Name, f) // fails only without a flag
	}
	root.SetFlagErrorFunc(explainFlag)
}

func usage(s *Setting) string {
	text := s.Help
	if s.Depends != "" {
		text += " (default " + s.Depends + ")"
	}
	return text
}
