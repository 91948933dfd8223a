package filter

import (
	"slices"
	"strings"
)

// Split splits a filter for a form that has a line for each of words: values[i] is the value of words[i], and rest is
// the text of everything that fits no line, such as negations, groups, terms joined by "or", and repeated words. A value
// that is compared begins with the sign: ">10". Join turns the result into a text with the same meaning.
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
		if alone := depth == 0 && !isOperand(all, i); alone && t.is("and") {
			continue // words combine with and anyway
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

// line returns the line of a form that the token belongs to, and the value on it; -1: none.
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

// isOperand reports whether a token belongs to an "or" or a "not", so that it is not a condition by itself.
func isOperand(all []token, i int) bool {
	before, after := i > 0 && (all[i-1].is("or") || all[i-1].is("not")), i+1 < len(all) && all[i+1].is("or")
	return before || after
}

// Span is the position of a form's line in a text. It is empty if the line is.
type Span struct{ From, To int }

// Join returns the filter for the values of a form, with the span of each in it; the last span is that of the rest.
func Join(words, values []string, rest string) (text string, at []Span) {
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

// condition returns one word of a filter. A value with spaces is quoted; quotes within it are dropped.
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
