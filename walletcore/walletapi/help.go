package walletapi

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Usage is how the method is called: its name and the names of its parameters,
// those that may be left out in brackets.
func (m *Method) Usage() string {
	var b strings.Builder
	b.WriteString(m.Name)
	for _, p := range m.Params {
		name := strings.ToUpper(p.Name)
		if p.Optional {
			name = "[" + name + "]"
		}
		b.WriteString(" " + name)
	}
	return b.String()
}

// help is one line per method, under its groups.
func (c *Catalogue) help() string {
	var b strings.Builder
	group := ""
	for i := range c.methods {
		m := &c.methods[i]
		if m.Group != group {
			group = m.Group
			fmt.Fprintf(&b, "\n%s\n", group)
		}
		fmt.Fprintf(&b, "  %-28s %s\n", m.Name, m.Help)
	}
	return b.String()[1:] + "\nget_help METHOD explains one of them.\n"
}

// helpFor explains one method. Error: fault.UnknownHelp.
func (c *Catalogue) helpFor(name string) (string, error) {
	m := c.Find(name)
	if m == nil {
		return "", &fault.Error{Code: fault.UnknownHelp, Op: "get_help",
			Message: "there is no wallet operation " + show(name), Hint: "help lists them all"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nusage: %s\n\n%s\n", m.Usage(), m.Help)
	for _, p := range m.Params {
		fmt.Fprintf(&b, "  %-20s %-12s %s\n", p.Name, p.Kind, p.Help)
	}
	fmt.Fprintf(&b, "result: %s\ntouches: %s\n", m.Result, m.Touches)
	if m.NeedsUnlock {
		b.WriteString("The wallet must be unlocked.\n")
	}
	for _, e := range m.Examples {
		fmt.Fprintf(&b, "example: %s %s\n", m.Name, e)
	}
	return b.String(), nil
}

// hexBytes shows packed bytes as hex.
func hexBytes(b []byte) ledger.Bytes { return b }

// unsupported wraps the fault of a transaction that cannot be packed.
func unsupported(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{Code: fault.UnsupportedOperation, Message: err.Error(), Hint: "only operations of this ledger can be written as bytes", Err: err}
}
