package walletapi

import (
	"bytes"
	"encoding/json"
	"strings"

	"billfold/ledger"
)

// mostShown is how many bytes of a parameter are shown.
const mostShown = 64

// Shown reports whether there is an operation of that name, and which of its parameters a person who looks on may see:
// nothing of an operation that is secret, that touches keys, the password or the lock; of others what names accounts,
// assets, amounts and payments, and numbers. Whatever else is text, such as a memo, is only a mark.
func (c *Catalogue) Shown(method string, p Params) (known bool, text string) {
	m := c.Find(method)
	if m == nil {
		return false, ""
	}
	if m.Secret || m.Does(Keys|Password|Lock) {
		return true, Hidden
	}
	var out []string
	for i, value := range p.Positional {
		out = append(out, visible(m, i, value))
	}
	for i := range m.Params {
		if value, given := p.Named[m.Params[i].Name]; given {
			out = append(out, m.Params[i].Name+"="+visible(m, i, value))
		}
	}
	return true, strings.Join(out, " ")
}

// Apart reports whether each call of an operation is to be seen by itself: what it signs or spends is not counted with others.
func (c *Catalogue) Apart(method string) bool {
	m := c.Find(method)
	return m != nil && m.Does(Signs|Spends)
}

// Hidden stands for parameters that nobody may see.
const Hidden = "[hidden]"

// visible is a parameter as far as it may be seen.
func visible(m *Method, i int, value json.RawMessage) string {
	const mark = "…"
	value = bytes.TrimSpace(value)
	if len(value) > mostShown || i >= len(m.Params) || m.Params[i].Secret || ledger.HoldsWIF(string(value)) {
		return mark
	}
	switch m.Params[i].Role {
	case RoleAccount, RoleDestination, RoleAsset, RoleAmount, RolePayment, RoleBroadcast, RoleDryRun:
		return string(value)
	case RoleNone, RoleRequestKey, RoleExport:
	}
	if len(value) > 0 && value[0] != '"' && value[0] != '[' && value[0] != '{' { // a number, true, false, null
		return string(value)
	}
	return mark
}
