package shell

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"billfold/tui/page/console"
	"billfold/walletcore/commandline"
	"billfold/walletcore/walletapi"
)

// Form implements console.Forms. It returns the parameters of the operation in line, with the values typed so far.
func (p Page) Form(line string) (console.Form, bool) {
	parsed, err := commandline.Parse(line)
	if err != nil { // the line is incomplete, but its first word names the operation
		words := strings.Fields(line)
		if len(words) == 0 {
			return console.Form{}, false
		}
		parsed = commandline.Command{Method: words[0]}
	}
	m := Find(parsed.Method)
	if m == nil {
		return console.Form{}, false
	}
	form := console.Form{Method: m.Name, Help: m.Help}
	for i, param := range m.Params {
		if param.ByNameOnly {
			continue
		}
		f := console.FormField{Param: console.Param{Name: param.Name, Type: param.Type, Optional: param.Optional},
			Help: param.Help, Secret: param.Secret, Needed: isRequired(param)}
		if i < len(parsed.Params) && !param.Secret {
			f.Value = asTyped(parsed.Params[i])
		}
		form.Fields = append(form.Fields, f)
	}
	return form, true
}

// isRequired reports whether a parameter has to be filled in. Free text, such as a memo, may stay empty.
func isRequired(p walletapi.Param) bool {
	return !p.Optional && (!p.IsText() || p.Role != walletapi.RoleNone)
}

// asTyped returns a value as a person types it.
func asTyped(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// Line implements console.Forms. It returns the line of a filled form, without the empty values at its end, except for text
// that is required.
func (p Page) Line(method string, values []string) string {
	m := Find(method)
	if m == nil {
		return ""
	}
	last := len(values)
	for last > 0 && values[last-1] == "" && (m.Params[last-1].Optional || !m.Params[last-1].IsText()) {
		last--
	}
	words := []string{method}
	for i, v := range values[:last] {
		words = append(words, word(m.Params[i], v))
	}
	return strings.Join(words, " ")
}

// plainWord matches text that needs no quotes.
var plainWord = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9._:-]*|[1-9][0-9]{0,14}(\.[0-9]+)?|0(\.[0-9]+)?|[0-9]+\.[0-9]+\.[0-9]+)$`)

// word returns a value as one word of a line.
func word(p walletapi.Param, value string) string {
	quoted := func(text string) string {
		out, err := json.Marshal(text)
		if err != nil {
			return `""`
		}
		return string(out)
	}
	constant := value == "true" || value == "false" || value == "null"
	switch {
	case p.IsText() && plainWord.MatchString(value) && !constant:
		return value
	case p.IsText():
		return quoted(value)
	case value == "":
		return "null"
	case json.Valid([]byte(value)), constant:
		return value
	case strings.HasPrefix(p.Type, "list"): // a, b
		var items []string
		for _, item := range strings.Split(value, ",") {
			items = append(items, quoted(strings.TrimSpace(item)))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return quoted(value)
}

// RunForm implements console.Forms. It runs the line of a form, which may hold secrets.
func (p Page) RunForm(ctx context.Context, line string, ask console.Approver) (console.Result, error) {
	return p.run(ctx, line, ask, true)
}
