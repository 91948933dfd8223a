package main

import (
	"path/filepath"

	"billfold/cmd/billfold/setting"
	"billfold/tui/screen"
)

// pathKind is the kind of settings that are paths.
const pathKind = "path"

// shellOf returns the flags with which the program, run in another shell, uses the same wallet and ledger: the settings from flags and
// the environment, which that shell does not have. It reads the settings file itself.
func shellOf(s *settings) screen.Shell {
	all, calls := flagsOf(s, false), flagsOf(s, true)
	if s.sandbox {
		return screen.Shell{Start: all,
			Why: "There is no command for this: the wallet and the ledger of a sandbox are in this program alone."}
	}
	for _, f := range all {
		if redacted(f.Value) != f.Value {
			return screen.Shell{Why: "No command is shown: --" + f.Name + " holds a password."}
		}
	}
	return screen.Shell{Call: calls, Start: all}
}

// flagsOf returns the settings from flags and the environment as flags; for calls only those that every command takes.
func flagsOf(s *settings, calls bool) (out []screen.Flag) {
	if s.sandbox && s.values.Source("sandbox") < setting.FromEnvironment { // it was chosen on the first page
		out = append(out, screen.Flag{Name: "sandbox"})
	}
	for _, one := range s.values.Settings() {
		idle := one.Idle != nil && one.Idle() != ""
		if s.values.Source(one.Name) < setting.FromEnvironment || idle || calls && one.Scope != setting.Everywhere {
			continue
		}
		out = append(out, screen.Flag{Name: one.Name, Value: flagOf(one, s.values.Text(one.Name))})
	}
	return out
}

// flagOf returns the value of a flag: "" for a switch that is on, and an absolute path for a path.
func flagOf(s setting.Setting, text string) string {
	if s.Value.Kind == boolKind && text == "true" {
		return ""
	}
	if _, isBool := parseSwitch(text); s.Value.Kind != pathKind || isBool || text == defaultSocket && s.Name == "rpc-socket" {
		return text
	}
	if whole, err := filepath.Abs(text); err == nil {
		return whole
	}
	return text
}
