package filter

import (
	"slices"
	"strings"
)

// Split takes a filter apart for a form that has a line for each of these words: values[i] is what the text asks of
// words[i], and rest the text of all that fits no line, such as what is denied, grouped, joined by "or", or said twice.
// Joined makes a text of the same meaning again. A value begins with a sign where it is compared: ">10".
func Split(text string, words []string) (values []string, rest string) {
	values = make([]string, len(words))
	all, err := tokens(text)
	if err != nil {
		return values, text
	}
	var other strings.Builder
	depth, end := 0, 0
	for i, t := range all {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		n, value := t.line(words)
		if alone := depth == 0 && !joined(all, i); alone && t.is("and") {
			continue // words combine so anyway
		} else if alone && n >= 0 && values[n] == "" {
			values[n] = value
			continue
		}
		if other.Len() > 0 && t.from > end { // "-(" stays in one piece
			other.WriteByte(' ')
		}
		other.WriteString(text[t.from:t.to])
		end = t.to
	}
	return values, other.String()
}

// line is the line of a form that the token belongs to, and what stands there; -1: none.
func (t token) line(words []string) (n int, value string) {
	if strings.HasPrefix(t.text, "-") {
		return -1, ""
	}
	one, err := t.node()
	if err != nil || one.word == nil {
		return -1, ""
	}
	value = one.word.value
	if strings.TrimSpace(value) != value || strings.ContainsAny(value[:1], "<>=") {
		return -1, ""
	}
	if one.word.compare != ":" && one.word.compare != "=" {
		value = one.word.compare + value
	}
	return slices.Index(words, one.word.field), value
}

// joined reports whether a token is not a condition that stands alone.
func joined(all []token, i int) bool {
	before, after := i > 0 && (all[i-1].is("or") || all[i-1].is("not")), i+1 < len(all) && all[i+1].is("or")
	return before || after
}

// Span is where in a text a line of a form stands; empty where the line is.
type Span struct{ From, To int }

// Joined is the filter that the lines of a form ask for, and where each of them stands in it; the last span is that of
// the rest.
func Joined(words, values []string, rest string) (text string, at []Span) {
	var out strings.Builder
	put := func(part string) Span {
		if part == "" {
			return Span{}
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		from := out.Len()
		out.WriteString(part)
		return Span{from, out.Len()}
	}
	for i, word := range words {
		at = append(at, put(condition(word, values[i])))
	}
	at = append(at, put(strings.TrimLeft(rest, " ")))
	return out.String(), at
}

// condition is one word of a filter. Quotes keep a value together; it cannot hold any itself.
func condition(word, value string) string {
	value = strings.TrimSpace(strings.ReplaceAll(value, `"`, ""))
	if value == "" {
		return ""
	}
	compare := ":"
	if trimmed := strings.TrimLeft(value, "<>="); word == "amount" && trimmed != value {
		compare, value = value[:len(value)-len(trimmed)], strings.TrimSpace(trimmed)
	}
	if strings.ContainsAny(value, " ()") {
		value = `"` + value + `"`
	}
	return word + compare + value
}
