package setting

import (
	"fmt"
	"regexp"
	"strings"

	"billfold/walletcore/spelling"
)

// readEnvironment checks every variable with the prefix. An empty variable is an error,
// since it was probably set from another one that is missing: that must not turn off
// rpc-auth.
func (t *Table) readEnvironment(environ []string) error {
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(name), t.prefix) {
			continue
		}
		s := t.variableOf(name)
		if s == nil && isServiceLink(strings.TrimPrefix(strings.ToUpper(name), t.prefix), text) {
			continue
		}
		if s == nil {
			return t.unknownVariable(name)
		}
		if text == "" {
			return fmt.Errorf("%s is empty in the environment; give it a value, or unset it", name)
		}
		if _, err := s.parse(text); err != nil {
			return s.valueError(name+" in the environment", text, err)
		}
		t.inEnvironment[s.Name] = true
	}
	return nil
}

// serviceLinks are the variables that Kubernetes, and Docker's links before it, put into the environment of whatever runs beside a
// service: where it is, by the service's name. A service called billfold, or billfold-x, names them like settings of ours. Each is known by
// its name and by a value that no setting of that name would have.
var serviceLinks = []struct{ name, value *regexp.Regexp }{
	{regexp.MustCompile(`^(\w+_)?SERVICE_HOST$`), regexp.MustCompile(`^[0-9a-fA-F.:]+$`)},
	{regexp.MustCompile(`^(\w+_)?SERVICE_PORT(_\w+)?$`), regexp.MustCompile(`^[0-9]+$`)},
	{regexp.MustCompile(`^(\w+_)?PORT(_[0-9]+_(TCP|UDP|SCTP))?$`), regexp.MustCompile(`^(tcp|udp|sctp)://[^/ ]+:[0-9]+$`)},
	{regexp.MustCompile(`^(\w+_)?PORT_[0-9]+_(TCP|UDP|SCTP)_PROTO$`), regexp.MustCompile(`^(tcp|udp|sctp)$`)},
	{regexp.MustCompile(`^(\w+_)?PORT_[0-9]+_(TCP|UDP|SCTP)_PORT$`), regexp.MustCompile(`^[0-9]+$`)},
	{regexp.MustCompile(`^(\w+_)?PORT_[0-9]+_(TCP|UDP|SCTP)_ADDR$`), regexp.MustCompile(`^[0-9a-fA-F.:]+$`)},
}

// isServiceLink reports whether a variable, without the prefix, says where a service is and is nobody's setting.
func isServiceLink(name, value string) bool {
	for _, link := range serviceLinks {
		if link.name.MatchString(name) && link.value.MatchString(value) {
			return true
		}
	}
	return false
}

func (t *Table) variableOf(name string) *Setting {
	for i := range t.settings {
		if t.settings[i].Variable(t.prefix) == name {
			return &t.settings[i]
		}
	}
	return nil
}

func (t *Table) unknownVariable(name string) error {
	written := strings.TrimPrefix(strings.ToUpper(name), t.prefix)
	near := spelling.Nearest(written, t.names())
	switch {
	case looksSecret(written, t.names()):
		return fmt.Errorf("there is no setting %s (in the environment); passwords, keys and tokens are asked for, so unset it",
			quoted(name))
	case near == "":
		return fmt.Errorf("there is no setting %s (in the environment); unset it, or see billfold --help for all settings", quoted(name))
	}
	return fmt.Errorf("there is no setting %s (in the environment); did you mean %s?", quoted(name), t.find(near).Variable(t.prefix))
}
