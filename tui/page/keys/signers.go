package keys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/tui/overlay/ask"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"
)

// The first fields of the form of signers; each that follows is a signer.
const (
	fieldRole = iota
	fieldNeeds
	fieldSigners
)

// signersForm is the initial content of the form of signers: the role that it shows, and for each role the weight that is needed
// and who may sign now.
type signersForm struct {
	role  string
	lines map[string][]string
}

// signerLines returns an authority as the form shows it, from its second field on.
func signerLines(now ledger.Authority, name func(ledger.AccountID) ledgerview.AccountRef) []string {
	lines := []string{fmt.Sprint(now.WeightThreshold)}
	for _, k := range now.KeyAuths {
		lines = append(lines, fmt.Sprintf("%s %d", k.Key, k.Weight))
	}
	for _, n := range now.AccountAuths {
		who := name(n.Account)
		if who.Name == "" {
			who.Name = who.ID.String()
		}
		lines = append(lines, fmt.Sprintf("%s %d", who.Name, n.Weight))
	}
	return lines
}

// fillSigners fills the fields below the role with an authority, and adds an empty one.
func fillSigners(form *ask.Form, lines []string) {
	form.Fields = append(form.Fields[:fieldNeeds], ask.Field{Label: "Needs", Input: field.New(lines[0])})
	form.Fields[fieldNeeds].Input.Select() // what is typed replaces it
	for _, text := range append(slices.Clone(lines[1:]), "") {
		addSigner(form, text)
	}
}

// addSigner adds the field of a signer.
func addSigner(form *ask.Form, text string) {
	form.Fields = append(form.Fields, ask.Field{Label: strconv.Itoa(len(form.Fields) - fieldSigners + 1), Input: field.New(text)})
}

// update adapts the fields to what was typed: it shows the lines of another role, and adds a field if the last one is filled.
func (s *signersForm) update(form *ask.Form) {
	s.followRole(form)
	last := len(form.Fields) - 1
	if !form.Fields[last].Input.Empty() && last-fieldSigners+1 < maxSigners {
		addSigner(form, "")
	}
}

// followRole shows who may sign now in the role that was typed, unless the person changed the lines.
func (s *signersForm) followRole(form *ask.Form) {
	values := form.Values()
	role := strings.ToLower(strings.TrimSpace(values[fieldRole]))
	lines, is := s.lines[role]
	if !is || role == s.role || !slices.Equal(values[fieldNeeds:], append(slices.Clone(s.lines[s.role]), "")) {
		return
	}
	s.role = role
	fillSigners(form, lines)
}
