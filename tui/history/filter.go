package history

import (
	"strings"

	"billfold/tui/show"
	"billfold/walletcore"
)

// term is one word of a filter: field is "", "with", "type", "dir" or "asset".
type term struct {
	field, value string
	not          bool
}

// parse reads a filter: words that all must match, each optionally with a
// field (with:carol type:transfer dir:in asset:DCT), optionally denied by a
// minus sign before it; double quotes keep words together. Every text is a
// filter; an unknown field is a plain word.
func parse(text string) []term {
	var out []term
	for _, w := range words(text) {
		var t term
		if strings.HasPrefix(w, "-") && len(w) > 1 {
			t.not, w = true, w[1:]
		}
		t.value = w
		if name, value, ok := strings.Cut(w, ":"); ok {
			switch name {
			case "with", "type", "dir", "asset":
				t.field, t.value = name, value
			}
		}
		t.value = strings.ToLower(t.value)
		if t.value != "" {
			out = append(out, t)
		}
	}
	return out
}

// words splits at spaces outside of double quotes and drops the quotes.
func words(text string) []string {
	var out []string
	var word strings.Builder
	quoted := false
	for _, r := range text + " " {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ' ' && !quoted:
			if word.Len() > 0 {
				out = append(out, word.String())
			}
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	if quoted && word.Len() > 0 {
		out = append(out, strings.TrimSpace(word.String()))
	}
	return out
}

func matchAll(terms []term, e walletcore.HistoryEntry) bool {
	for _, t := range terms {
		if t.match(e) == t.not {
			return false
		}
	}
	return true
}

func (t term) match(e walletcore.HistoryEntry) bool {
	switch t.field {
	case "with":
		return t.account(e.With) || t.account(e.From) || t.account(e.To)
	case "type":
		for _, name := range strings.Split(t.value, ",") {
			if name != "" && strings.HasPrefix(strings.ToLower(e.Name), name) {
				return true
			}
		}
		return false
	case "dir":
		return strings.HasPrefix(direction(e.Direction), t.value)
	case "asset":
		return strings.EqualFold(e.Asset.Symbol, t.value) && e.Amount != 0 || e.Asset.ID.String() == t.value
	}
	return t.plain(e)
}

func (t term) account(a walletcore.AccountRef) bool {
	return strings.EqualFold(a.Name, t.value) || a.Name != "" && a.ID.String() == t.value ||
		strings.HasSuffix(t.value, "*") && strings.HasPrefix(strings.ToLower(a.Name), strings.TrimSuffix(t.value, "*"))
}

// plain finds a word in the other side, the opened memo, the operation, or the
// start of an id.
func (t term) plain(e walletcore.HistoryEntry) bool {
	for _, text := range []string{e.With.Name, e.Name, show.Symbol(e.Asset), e.Memo} {
		if strings.Contains(strings.ToLower(text), t.value) {
			return true
		}
	}
	return e.With.ID.String() == t.value || e.ID.String() == t.value
}

func direction(d walletcore.Direction) string {
	switch d {
	case walletcore.DirectionIn:
		return "in"
	case walletcore.DirectionOut:
		return "out"
	case walletcore.DirectionSelf:
		return "self"
	}
	return "other"
}
