package token

import (
	"fmt"
	"slices"
	"strings"

	"billfold/walletcore/spelling"
	"billfold/walletcore/walletapi"
)

// allGroups stands for every group or, after a colon, for everything that operations touch.
const allGroups = "all"

// group is a heading of help as a scope names it: "accounts" permits its operations
// that only read. What else they may touch follows a colon: "accounts:spends",
// "deposits:writes+lock", "accounts:all". "all" stands for every group.
type group struct {
	name    string
	touches walletapi.Touches // all that its operations may touch
	unknown string            // an unknown word after the colon; the group then permits nothing
}

func parseGroup(text string) group {
	name, more, _ := strings.Cut(text, ":")
	g := group{name: strings.TrimSpace(name), touches: walletapi.Reads}
	for _, word := range strings.FieldsFunc(more, func(r rune) bool { return r == '+' || r == ' ' }) {
		kind, err := walletapi.ParseTouches(word)
		switch {
		case strings.EqualFold(word, allGroups):
			g.touches = ^walletapi.Touches(0)
		case err != nil:
			g.unknown = word
		case kind == walletapi.Spends: // which requires a signature
			g.touches |= walletapi.Spends | walletapi.Signs
		default:
			g.touches |= kind
		}
	}
	return g
}

// contains reports whether m belongs to the group, whatever it touches.
func (g group) contains(m *walletapi.Method) bool {
	return strings.EqualFold(g.name, m.Group) || strings.EqualFold(g.name, allGroups)
}

func (g group) permits(m *walletapi.Method) bool {
	return g.unknown == "" && g.contains(m) && m.DoesOnly(g.touches)
}

// checkGroup returns an error for a group that does not exist, or with an unknown word.
func checkGroup(text string, methods []*walletapi.Method) error {
	g := parseGroup(text)
	if g.unknown != "" {
		_, err := walletapi.ParseTouches(g.unknown)
		return fmt.Errorf("the group %q: %w, or all", text, err)
	}
	if !slices.ContainsFunc(methods, func(m *walletapi.Method) bool { return g.contains(m) }) {
		return fmt.Errorf("there is no group %q; %s", g.name,
			didYouMean(g.name, groupNames(methods), "the headings of billfold call help are the groups"))
	}
	return nil
}

func groupNames(methods []*walletapi.Method) (names []string) {
	for _, m := range methods {
		names = append(names, m.Group)
	}
	return names
}

// didYouMean returns a question that suggests the nearest of some words, or otherwise if none is near.
func didYouMean(written string, words []string, otherwise string) string {
	if near := spelling.Nearest(written, words); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// String describes what the group permits.
func (g group) String() string {
	what := "reads"
	switch {
	case g.touches == ^walletapi.Touches(0):
		what = "all"
	case g.touches != walletapi.Reads:
		what = g.touches.String()
	}
	if strings.EqualFold(g.name, allGroups) {
		return what + " of every group"
	}
	return what + " of the group " + g.name
}

func describeGroups(list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, parseGroup(text).String())
	}
	return out
}
