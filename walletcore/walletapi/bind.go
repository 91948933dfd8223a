package walletapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
	"billfold/walletcore/spelling"
)

// Bind converts the parameters of a call, once: the checks of the call and the
// operation itself see the same values, and the client's text is not read again.
// It returns the errors of Call.
func (m *Method) Bind(p Params) (Params, error) {
	if p.bound.isFor(m) {
		return p, nil
	}
	if err := m.checkCount(p); err != nil {
		return p, err
	}
	b := &bound{method: m, value: reflect.New(m.params.typ).Elem()}
	for i := range m.params.params {
		if err := m.convert(b, i, p); err != nil {
			b.wipe()
			return p, err
		}
	}
	p.Positional, p.Named, p.bound = nil, nil, b
	return p, nil
}

// FromWords converts the words of a typed line to what the operation expects: 0x1f, 0b101, 0o17, 2.0 and 1e1 to numbers
// where it takes a number, and a quoted list or object to one where it takes that. All other words stay text.
func (m *Method) FromWords(params []json.RawMessage) []json.RawMessage {
	out := slices.Clone(params)
	for i := range min(len(out), len(m.Params)) {
		switch kind := m.Params[i].typ.Kind(); {
		case kind >= reflect.Int && kind <= reflect.Uint64 && !hasMarshaler(m.Params[i].typ):
			if n, ok := commandline.Number(out[i]); ok {
				out[i] = n
			}
		case kind != reflect.Interface && !m.Params[i].IsText():
			out[i] = unquote(out[i])
		}
	}
	return out
}

// unquote returns the list or object that a JSON string consists of; it returns any other value unchanged.
func unquote(value json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return value
}

// isFor reports whether b holds the parameters of m.
func (b *bound) isFor(m *Method) bool { return b != nil && b.method.Name == m.Name }

// checkCount compares the number of parameters, and their names, with the plan.
func (m *Method) checkCount(p Params) error {
	if p.Positional == nil && p.Named != nil {
		return m.checkNames(p.Named)
	}
	for name := range p.Named {
		if !slices.ContainsFunc(m.Params, func(param Param) bool { return param.Name == name && param.ByNameOnly }) {
			return m.misfit(fault.TooManyParameters, fmt.Sprintf("%s has no parameter %s that is given only by name", m.Name, m.quote(name)))
		}
	}
	if n := len(p.Positional); n < m.params.required() {
		return m.misfit(fault.TooFewParameters, fmt.Sprintf("%s needs %s, but parameter %d (%s) is missing",
			m.Name, parameterCount(m.params.required()), n+1, m.Params[n].Name))
	}
	if n := len(p.Positional); p.Exact && n > m.params.places {
		return m.misfit(fault.TooManyParameters, fmt.Sprintf("%s takes %s, not %d", m.Name, parameterCount(m.params.places), n))
	}
	return nil
}

const hasNoParameter = " has no parameter "

// LacksParameter reports whether this is the message of a server, maybe of an earlier version, that its operation has no parameter of a name. The
// codes on the wire do not tell that from a bad value.
func LacksParameter(method, message string) bool {
	return strings.HasPrefix(message, method+hasNoParameter)
}

// checkNames reports an unknown name together with a missing one: a misspelt name causes both.
func (m *Method) checkNames(named map[string]json.RawMessage) error {
	unknown := m.unknownName(named)
	for i := range m.params.params {
		param := &m.params.params[i]
		if _, given := named[param.Name]; given || param.Optional {
			continue
		}
		missing := fmt.Sprintf("%s needs the parameter %s", m.Name, param.Name)
		switch {
		case unknown != "" && m.takesSecrets():
			missing += ", and has none of the name that was sent"
		case unknown != "":
			missing += ", and has none called " + show(unknown)
		}
		return m.misfit(fault.TooFewParameters, missing)
	}
	if unknown == "" {
		return nil
	}
	extra := m.Name + hasNoParameter + m.quote(unknown)
	if near := spelling.Nearest(unknown, m.names()); near != "" {
		extra += "; did you mean " + near + "?"
	}
	return m.misfit(fault.TooManyParameters, extra)
}

// unknownName returns the first name, in sorted order, that no parameter has; "" if there is none.
func (m *Method) unknownName(named map[string]json.RawMessage) string {
	names := m.names()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// takesSecrets reports whether a parameter is secret: what is in the wrong place may then be it.
func (m *Method) takesSecrets() bool {
	return slices.ContainsFunc(m.Params, func(p Param) bool { return p.Secret })
}

// quote quotes a name that a caller sent, unless it may be a secret.
func (m *Method) quote(name string) string {
	if m.takesSecrets() {
		return "of that name"
	}
	return show(name)
}

func (m *Method) names() []string {
	names := make([]string, len(m.Params))
	for i := range m.Params {
		names[i] = m.Params[i].Name
	}
	return names
}

// misfit returns the error of a call whose parameters do not fit the operation.
func (m *Method) misfit(code fault.Code, message string) error {
	return &fault.Error{Code: code, Op: m.Name, Message: message, Hint: "usage: " + m.Usage()}
}

func parameterCount(n int) string {
	if n == 1 {
		return "1 parameter"
	}
	return strconv.Itoa(n) + " parameters"
}

// convert reads parameter i into its field of b. The error names the parameter
// and never repeats a secret.
func (m *Method) convert(b *bound, i int, p Params) error {
	param := &m.params.params[i]
	raw := param.raw(i, p)
	if len(raw) == 0 && param.Optional {
		if raw = param.fallback; len(raw) == 0 {
			return nil
		}
	}
	field := b.value.FieldByIndex(param.index)
	err := param.read(raw, field)
	if param.Secret {
		b.noteSecret(raw, field)
	}
	switch {
	case err != nil:
	case param.Role == RoleRequestKey:
		err = checkRequestKey(raw)
	case param.Role == RoleApproved && string(raw) == "null" && string(bytes.TrimSpace(p.Named["dry_run"])) != "true": // as of an unset variable
		err = errors.New("it is null; give operations and effects of the dry run that was approved, or leave it out")
	case param.Role == RolePayment: // an id, or the request key
		err = checkPaymentName(raw)
	}
	if err == nil {
		return nil
	}
	why := err.Error()
	switch {
	case param.Secret:
		why = "expected " + param.Type
	case m.takesSecrets() && len(raw) > 0 && raw[0] == '"' && !regexp.MustCompile(`^"[-+.eE0-9]*"$`).Match(raw): // the rest of a password, perhaps, that a blank cut in two
		why = strings.ReplaceAll(why, string(raw), "that")
	}
	return m.misfit(fault.BadParameter, fmt.Sprintf("parameter %d (%s) of %s: %s", i+1, param.Name, m.Name, why))
}

// raw returns the text of the parameter, which is number i of its method, in a call; empty when it was left out.
func (p *plannedParam) raw(i int, of Params) json.RawMessage {
	switch {
	case of.Positional == nil || p.ByNameOnly:
		return bytes.TrimSpace(of.Named[p.Name])
	case i < len(of.Positional):
		return bytes.TrimSpace(of.Positional[i])
	}
	return nil
}

// checkRequestKey refuses what would make a repeated call pay again, or pass for another one: a key that is empty or null, as of an
// unset variable in a script, a boolean that slipped from its place, and a number that a program may write otherwise the next time.
func checkRequestKey(raw json.RawMessage) error {
	switch string(raw) {
	case `""`:
		return errors.New("it is empty; leave it out to pay without one")
	case "null":
		return errors.New("it is null; leave it out to pay without one")
	case "true", "false":
		return fmt.Errorf("expected a text, not %s", raw)
	}
	return checkPlainNumber(raw)
}

// checkPaymentName refuses, as the request key of a payment that is asked for, what is none of a new payment: that there is no such
// payment would be read as not paid.
func checkPaymentName(raw json.RawMessage) error {
	switch string(raw) {
	case "null", "true", "false":
		return fmt.Errorf("expected a transaction id or a request key, not %s", raw)
	}
	return checkPlainNumber(raw)
}

// checkPlainNumber refuses a number in another form than plain digits, such as 12.0 and 1.2e1 for 12: as the text of a key each would be
// another one.
func checkPlainNumber(raw json.RawMessage) error {
	isNumber := len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
	if !isNumber || regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`).Match(raw) {
		return nil
	}
	if regexp.MustCompile(`^[-.0-9]{1,40}([eE][-+]?[0-9]{1,2})?$`).Match(raw) {
		if n, ok := new(big.Rat).SetString(string(raw)); ok && n.IsInt() {
			return fmt.Errorf("%s would be another key than %s; write it in plain digits", raw, n.Num())
		}
	}
	return fmt.Errorf("%s can be written in several ways, each of which would be another key; send it as text", raw)
}

// texts returns the text of the parameters that have a role, by role.
func (m *Method) texts(b *bound) map[Role]string {
	texts := map[Role]string{}
	for i := range m.params.params {
		if p := &m.params.params[i]; p.Role != RoleNone {
			texts[p.Role] = textOf(b.value.FieldByIndex(p.index))
		}
	}
	return texts
}

// withText returns a copy of the call in which the text parameter of a role is replaced.
func (m *Method) withText(b *bound, role Role, text string) *bound {
	for i := range m.params.params {
		p := &m.params.params[i]
		if p.Role != role || p.typ.Kind() != reflect.String {
			continue
		}
		value := reflect.New(m.params.typ).Elem()
		value.Set(b.value)
		value.FieldByIndex(p.index).SetString(text)
		return &bound{b.method, value, b.secrets}
	}
	return b
}

// textOf returns a parameter as a person would write it.
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

// ByRole binds a call, see Bind, and returns the text of its parameters that have a
// role, with the bound call.
func (m *Method) ByRole(p Params) (map[Role]string, Params, error) {
	p, err := m.Bind(p)
	if err != nil {
		return nil, p, err
	}
	return m.texts(p.bound), p, nil
}

// Pinned returns a bound call with the text of a role's parameter replaced, so that
// what was checked is what is executed. A call without the role is returned unchanged.
func (m *Method) Pinned(p Params, role Role, text string) Params {
	if p.bound.isFor(m) {
		p.bound = m.withText(p.bound, role, text)
	}
	return p
}

// noteSecret remembers the text of a secret parameter for wipe. raw is what the caller sent: only from a JSON string is
// the text a copy of its own, and not a constant.
func (b *bound) noteSecret(raw json.RawMessage, value reflect.Value) {
	if value.Kind() == reflect.String && len(raw) > 0 && raw[0] == '"' && value.Len() > 1 {
		b.secrets = append(b.secrets, value.String())
	}
}

// wipe overwrites the secrets among the parameters of a call that has ended. A string cannot be changed in Go, and this is
// the exception: Bind made it from the caller's text, operations do not keep it, and a password or a key
// must not stay in memory until something else happens to need the place.
func (b *bound) wipe() {
	if b == nil {
		return
	}
	for _, s := range b.secrets {
		clear(unsafe.Slice(unsafe.StringData(s), len(s)))
	}
	b.secrets = nil
}

// Wipe overwrites the passwords and keys among the parameters. It is called when the call has ended, or will not be made.
func (p Params) Wipe() { p.bound.wipe() }
