package walletapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore"
	"billfold/walletcore/fault"
)

// Kind is the type of a parameter.
type Kind int

// The kinds.
const (
	Text        Kind = iota // a string; a number's digits are taken literally
	Bool                    // true, "true" or 1
	Uint32                  // 0 to 4294967295
	Int32                   // -2147483648 to 2147483647
	Object                  // an object id such as 1.2.34
	Key                     // a public key DCT…
	Transaction             // a transaction, signed or not
)

// String names the kind for help.
func (k Kind) String() string {
	return [...]string{"text", "bool", "uint32", "int32", "object id", "public key", "transaction"}[k]
}

// args are converted parameters, in the table's order, and what the server says
// about the call: see Params.
type args struct {
	values  []any
	agree   walletcore.Agree
	guarded bool
}

func (a args) text(i int) string                  { return a.values[i].(string) }
func (a args) bool(i int) bool                    { return a.values[i].(bool) }
func (a args) uint32(i int) uint32                { return a.values[i].(uint32) }
func (a args) int32(i int) int32                  { return a.values[i].(int32) }
func (a args) object(i int) ledger.ObjectID       { return a.values[i].(ledger.ObjectID) }
func (a args) key(i int) ledger.PublicKey         { return a.values[i].(ledger.PublicKey) }
func (a args) tx(i int) *ledger.SignedTransaction { return a.values[i].(*ledger.SignedTransaction) }

// sending is what a spending operation is told: broadcast is its parameter i,
// the request key the next.
func (a args) sending(i int) walletcore.Sending {
	return walletcore.Sending{Broadcast: a.bool(i), Key: a.text(i + 1), Agree: a.agree}
}

// Bind converts the parameters of a call, once: whoever judges the call and
// whoever executes it see the same values, and nobody looks at the client's text
// again. Its errors are those of Call.
func (m *Method) Bind(p Params) (Params, error) {
	if p.bound != nil && p.bound.method == m.Name {
		return p, nil
	}
	values, err := m.convert(p)
	if err != nil {
		return p, err
	}
	p.Positional, p.Named, p.bound = nil, nil, &bound{m.Name, values}
	return p, nil
}

// convert reads the parameters by the table.
func (m *Method) convert(p Params) ([]any, error) {
	if p.Named != nil {
		return m.convertNamed(p.Named)
	}
	if len(p.Positional) < m.required() {
		missing := m.Params[len(p.Positional)]
		return nil, &fault.Error{Code: fault.TooFewParameters, Op: m.Name,
			Message: fmt.Sprintf("%s needs %s, but parameter %d (%s) is missing", m.Name, count(m.required()), len(p.Positional)+1, missing.Name),
			Hint:    "usage: " + m.Usage()}
	}
	if p.Exact && len(p.Positional) > len(m.Params) {
		return nil, &fault.Error{Code: fault.TooManyParameters, Op: m.Name,
			Message: fmt.Sprintf("%s takes %s, but %d were given", m.Name, count(len(m.Params)), len(p.Positional)),
			Hint:    "usage: " + m.Usage()}
	}
	out := make([]any, len(m.Params))
	for i := range m.Params {
		var raw json.RawMessage // an optional parameter that is missing
		if i < len(p.Positional) {
			raw = p.Positional[i]
		}
		var err error
		if out[i], err = m.convertOne(i, raw); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// required is how many parameters must be given; the optional ones come last.
func (m *Method) required() int {
	n := len(m.Params)
	for n > 0 && m.Params[n-1].Optional {
		n--
	}
	return n
}

func count(n int) string {
	if n == 1 {
		return "1 parameter"
	}
	return strconv.Itoa(n) + " parameters"
}

func (m *Method) convertNamed(named map[string]json.RawMessage) ([]any, error) {
	out := make([]any, len(m.Params))
	for i, param := range m.Params {
		raw, given := named[param.Name]
		if !given && !param.Optional {
			return nil, &fault.Error{Code: fault.TooFewParameters, Op: m.Name,
				Message: fmt.Sprintf("%s needs the parameter %s", m.Name, param.Name), Hint: "usage: " + m.Usage()}
		}
		var err error
		if out[i], err = m.convertOne(i, raw); err != nil {
			return nil, err
		}
	}
	for name := range named {
		if !m.has(name) {
			return nil, &fault.Error{Code: fault.TooManyParameters, Op: m.Name,
				Message: fmt.Sprintf("%s has no parameter %s", m.Name, show(name)), Hint: "usage: " + m.Usage()}
		}
	}
	return out, nil
}

func (m *Method) has(name string) bool {
	for _, p := range m.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// convertOne reads parameter i. The error names it and never repeats a secret.
func (m *Method) convertOne(i int, raw json.RawMessage) (any, error) {
	value, err := m.Params[i].Kind.parse(bytes.TrimSpace(raw))
	if err == nil {
		return value, nil
	}
	why := err.Error()
	if m.Params[i].Secret {
		why = "expected " + m.Params[i].Kind.String()
	}
	return nil, &fault.Error{Code: fault.BadParameter, Op: m.Name,
		Message: fmt.Sprintf("parameter %d (%s) of %s: %s", i+1, m.Params[i].Name, m.Name, why), Hint: "usage: " + m.Usage()}
}

// parse reads a value; of nothing, an optional parameter, it makes zero.
func (k Kind) parse(raw json.RawMessage) (any, error) {
	if len(raw) == 0 && k != Text {
		raw = json.RawMessage("0")
	}
	switch k {
	case Text:
		return parseText(raw)
	case Bool:
		return parseBool(raw)
	case Uint32:
		return parseInto[uint32](raw)
	case Int32:
		return parseInto[int32](raw)
	case Object:
		return parseInto[ledger.ObjectID](raw)
	case Key:
		return parseKey(raw)
	default:
		tx := new(ledger.SignedTransaction)
		return tx, codec.Unmarshal(raw, tx)
	}
}

func parseInto[T any](raw json.RawMessage) (any, error) {
	var v T
	err := codec.Unmarshal(raw, &v)
	return v, err
}

// parseText takes a string as it is, null for nothing, and of a number or
// boolean its characters: an amount sent as a number keeps its digits.
func parseText(raw json.RawMessage) (any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if raw[0] == '{' || raw[0] == '[' {
		return nil, errors.New("expected text")
	}
	return parseInto[string](raw)
}

func parseBool(raw json.RawMessage) (any, error) {
	v, err := parseInto[bool](raw)
	if err != nil {
		return nil, fmt.Errorf("expected true or false, not %s", show(string(raw)))
	}
	return v, nil
}

func parseKey(raw json.RawMessage) (any, error) {
	v, err := parseInto[ledger.PublicKey](raw)
	if err != nil {
		return nil, fmt.Errorf("expected a public key such as DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV: %w", err)
	}
	return v, nil
}
