package walletapi

import (
	"bytes"
	"encoding/json"
	"strings"

	"billfold/ledger"
)

// maxShown is the maximum length of a parameter that is shown, in bytes.
const maxShown = 64

// VisibleParams reports whether an operation of that name exists, and returns the parameters of a call as an onlooker
// may see them: nothing of an operation that is secret or touches keys, the password or the lock; of others the
// accounts, assets, amounts and payments, and numbers. Any other text, such as a memo, is replaced by an ellipsis.
func (c *Catalogue) VisibleParams(method string, p Params) (known bool, text string) {
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

// OneRowPerCall reports whether each call of an operation gets a row of its own in a list of calls: one that signs or
// spends is never lumped together with others.
func (c *Catalogue) OneRowPerCall(method string) bool {
	m := c.Find(method)
	return m != nil && m.Does(Signs|Spends)
}

// Hidden stands for parameters that nobody may see.
const Hidden = "[hidden]"

// visible returns parameter i as far as it may be seen.
func visible(m *Method, i int, value json.RawMessage) string {
	const mark = "…"
	value = bytes.TrimSpace(value)
	if len(value) > maxShown || i >= len(m.Params) || m.Params[i].Secret || ledger.SecretIn(string(value)) != "" {
		return mark
	}
	switch m.Params[i].Role {
	case RoleAccount, RoleDestination, RoleAsset, RoleAmount, RolePayment, RoleBroadcast, RoleDryRun:
		return string(value)
	case RoleNone, RoleRequestKey, RoleExport, RoleApproved:
	}
	if len(value) > 0 && value[0] != '"' && value[0] != '[' && value[0] != '{' { // a number, true, false, null
		return string(value)
	}
	return mark
}
