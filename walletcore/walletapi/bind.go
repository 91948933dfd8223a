package walletapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
	"billfold/walletcore/spelling"
)

// Bind converts the parameters of a call, once: whoever judges the call and
// whoever executes it see the same values, and nobody looks at the client's text
// again. Its errors are those of Call.
func (m *Method) Bind(p Params) (Params, error) {
	if p.bound.is(m) {
		return p, nil
	}
	if err := m.count(p); err != nil {
		return p, err
	}
	value := reflect.New(m.params.typ).Elem()
	for i := range m.params.params {
		if err := m.convert(value, i, p); err != nil {
			return p, err
		}
	}
	p.Positional, p.Named, p.bound = nil, nil, &bound{m, value}
	return p, nil
}

// FromWords returns the parameters of a line as they are meant: 0x1f, 0b101 and 0o17 are numbers
// where the operation takes one, a list or an object between quotes is one where it takes such, and all is text everywhere else.
func (m *Method) FromWords(params []json.RawMessage) []json.RawMessage {
	out := slices.Clone(params)
	for i := range min(len(out), len(m.Params)) {
		switch kind := m.Params[i].typ.Kind(); {
		case kind >= reflect.Int && kind <= reflect.Uint64:
			if n, ok := commandline.Number(out[i]); ok {
				out[i] = n
			}
		case kind != reflect.Interface && !m.Params[i].IsText():
			out[i] = unquoted(out[i])
		}
	}
	return out
}

// unquoted is the list or object that a text holds whole; anything else stays as it is.
func unquoted(value json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return value
}

// is reports whether b holds the parameters of m.
func (b *bound) is(m *Method) bool { return b != nil && b.method.Name == m.Name }

// count compares how many parameters there are, and their names, with the plan.
func (m *Method) count(p Params) error {
	if p.Positional == nil && p.Named != nil {
		return m.countNamed(p.Named)
	}
	for name := range p.Named {
		if !slices.ContainsFunc(m.Params, func(param Param) bool { return param.Name == name && param.ByNameOnly }) {
			return m.misfit(fault.TooManyParameters, fmt.Sprintf("%s has no parameter %s that is given by name alone", m.Name, show(name)))
		}
	}
	if n := len(p.Positional); n < m.params.required() {
		return m.misfit(fault.TooFewParameters, fmt.Sprintf("%s needs %s, but parameter %d (%s) is missing",
			m.Name, countOf(m.params.required()), n+1, m.Params[n].Name))
	}
	if n := len(p.Positional); p.Exact && n > m.params.places {
		return m.misfit(fault.TooManyParameters, fmt.Sprintf("%s takes %s, not %d", m.Name, countOf(m.params.places), n))
	}
	return nil
}

// countNamed names what the operation does not know beside what is missing: a misspelt name is both.
func (m *Method) countNamed(named map[string]json.RawMessage) error {
	unknown := m.unknown(named)
	for i := range m.params.params {
		param := &m.params.params[i]
		if _, given := named[param.Name]; given || param.Optional {
			continue
		}
		missing := fmt.Sprintf("%s needs the parameter %s", m.Name, param.Name)
		if unknown != "" {
			missing += ", and has none called " + show(unknown)
		}
		return m.misfit(fault.TooFewParameters, missing)
	}
	if unknown == "" {
		return nil
	}
	extra := fmt.Sprintf("%s has no parameter %s", m.Name, show(unknown))
	if near := spelling.Nearest(unknown, m.names()); near != "" {
		extra += "; did you mean " + near + "?"
	}
	return m.misfit(fault.TooManyParameters, extra)
}

// unknown is the first name, as they sort, that no parameter has; "" for none.
func (m *Method) unknown(named map[string]json.RawMessage) string {
	names := m.names()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

func (m *Method) names() []string {
	names := make([]string, len(m.Params))
	for i := range m.Params {
		names[i] = m.Params[i].Name
	}
	return names
}

// misfit is the error of a call that does not fit the operation.
func (m *Method) misfit(code fault.Code, message string) error {
	return &fault.Error{Code: code, Op: m.Name, Message: message, Hint: "usage: " + m.Usage()}
}

func countOf(n int) string {
	if n == 1 {
		return "1 parameter"
	}
	return strconv.Itoa(n) + " parameters"
}

// convert reads parameter i into its member. The error names it and never repeats
// a secret.
func (m *Method) convert(value reflect.Value, i int, p Params) error {
	param := &m.params.params[i]
	var raw json.RawMessage // none: an optional parameter that was left out
	switch {
	case p.Positional == nil || param.ByNameOnly:
		raw = p.Named[param.Name]
	case i < len(p.Positional):
		raw = p.Positional[i]
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 && param.Optional {
		if raw = param.instead; len(raw) == 0 {
			return nil
		}
	}
	err := param.read(raw, value.FieldByIndex(param.index))
	if err == nil && param.Role == RoleRequestKey && string(raw) == `""` { // of an unset variable: each repeat would pay
		err = errors.New("it is empty; leave it out to pay without one")
	}
	if err == nil {
		return nil
	}
	why := err.Error()
	if param.Secret {
		why = "expected " + param.Type
	}
	return m.misfit(fault.BadParameter, fmt.Sprintf("parameter %d (%s) of %s: %s", i+1, param.Name, m.Name, why))
}

// texts returns the text of the parameters that have a role.
func (m *Method) texts(b *bound) map[Role]string {
	texts := map[Role]string{}
	for i := range m.params.params {
		if p := &m.params.params[i]; p.Role != RoleNone {
			texts[p.Role] = textOf(b.value.FieldByIndex(p.index))
		}
	}
	return texts
}

// with returns the call with other text for a role, on a copy.
func (m *Method) with(b *bound, role Role, text string) *bound {
	for i := range m.params.params {
		p := &m.params.params[i]
		if p.Role != role || p.typ.Kind() != reflect.String {
			continue
		}
		value := reflect.New(m.params.typ).Elem()
		value.Set(b.value)
		value.FieldByIndex(p.index).SetString(text)
		return &bound{b.method, value}
	}
	return b
}

// textOf writes a parameter as a person would.
func textOf(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	return fmt.Sprint(v.Interface())
}

// HasRoles reports whether permissions depend on the method's parameters.
func (m *Method) HasRoles() bool {
	return slices.ContainsFunc(m.Params, func(p Param) bool { return p.Role != RoleNone })
}

// ByRole returns the text of those parameters of a call that have a role, and the
// call bound to what was read, see Bind.
func (m *Method) ByRole(p Params) (map[Role]string, Params, error) {
	p, err := m.Bind(p)
	if err != nil {
		return nil, p, err
	}
	return m.texts(p.bound), p, nil
}

// Pinned returns a bound call with other text for a role, so that what was looked
// at is what is executed. A call without the role stays as it is.
func (m *Method) Pinned(p Params, role Role, text string) Params {
	if p.bound.is(m) {
		p.bound = m.with(p.bound, role, text)
	}
	return p
}
