package setting

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/usertext"
)

// What is wrong with a settings file that is no YAML, or more of it than belongs there, as sentences.
const (
	noAnchors = "anchors and aliases (& and *) are not supported; write the value"
	noTags    = "tags (!) are not supported; write only the value"
	noSetting = "this is not a setting; write each on a line as \"name: value\", with a space after the colon"
	noYAML    = "this cannot be read; write each setting on a line as \"name: value\", and a value with signs such as [ or : in quotes"
)

// place is a character of a text: its line and its column in characters, both from 1.
type place struct{ line, column int }

// SyntaxFault returns the error for a text that the parser of YAML refused with err: the first thing in it that belongs in no file of ours, at its
// own line and column. The parser names where it gave up, which for an open quote is far from it, and no column. nested: lines may stand below
// others, with more spaces in front. The caller adds the file in front.
func SyntaxFault(text []byte, err error, nested bool) error {
	at, what := firstFault(string(text), nested)
	if what == "" { // nothing of the kinds below is wrong
		line := 1
		if n, _ := fmt.Sscanf(strings.TrimPrefix(err.Error(), "yaml: "), "line %d:", &line); n == 0 {
			line = 1
		}
		return fmt.Errorf("%d: %s", line, noYAML)
	}
	return fmt.Errorf("%d:%d: %s", at.line, at.column, what)
}

// CheckBlanks refuses blanks that look like a space and are none to YAML, as a web page or a word processor has them, outside quotes and comments.
// The caller adds the file in front of line and column.
func CheckBlanks(text string) error {
	n := 0
	for line := range usertext.Lines(text) {
		n++
		before := ' '
		for i, skip := 0, 0; i < len(line); i += skip {
			var r rune
			r, skip = utf8.DecodeRuneInString(line[i:])
			switch {
			case r == '#' && unicode.IsSpace(before):
				skip = len(line) - i
			case unicode.IsSpace(before) || strings.ContainsRune("[{,", before):
				skip = max(skip, closedQuote(line[i:]))
			}
			if usertext.IsBlank(r) && r != ' ' && r != '\t' {
				return fmt.Errorf("%d:%d: here is a blank that is no space, U+%04X; put a space in its place, or take it out",
					n, utf8.RuneCountInString(line[:i])+1, r)
			}
			before = r
		}
	}
	return nil
}

// settingLine matches a line "name: value" or "name:", apart from blanks in front; its value is what follows.
var settingLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^("[^"]*"|'[^']*'|[^\s"'#:][^#:]*)\s*:(\s+|$)`) })

// firstFault returns the first thing in a text that is no line of settings, and its place; what is "" if there is none.
func firstFault(text string, nested bool) (at place, what string) {
	indent, valued := -1, false // of the first setting; whether the last one has a value on its line
	n, list := 0, place{}       // the list that was begun, and not ended yet
	for line := range usertext.Lines(text) {
		n++
		rest := strings.TrimLeft(line, " ")
		column := len(line) - len(rest)
		fault := func(behind string, what string) (place, string) {
			return place{n, len([]rune(line)) - len([]rune(behind)) + 1}, what
		}
		name := settingLine().FindString(rest)
		switch {
		case list.line > 0 && name == "":
			if strings.ContainsAny(withoutComment(rest), "]}") {
				list = place{}
			}
			continue
		case list.line > 0:
			return list, "the list that begins here has no end; end it with the bracket that belongs to it, on its line"
		case usertext.Trim(rest) == "", rest[0] == '#', column == 0 && (strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...") || rest[0] == '%'):
			continue
		case rest[0] == '\t':
			return fault(rest, "here is a tab in front of the text of a line; begin the line with its first letter, or with spaces")
		case strings.HasPrefix(rest, "? "), strings.HasPrefix(rest, ": "), rest[0] == '{':
			continue
		}
		value := rest
		if item := strings.TrimLeft(rest, "-"); rest == "-" || strings.HasPrefix(rest, "- ") {
			if value = strings.TrimLeft(item, " "); settingLine().MatchString(value) { // no item of a list of ours, but no fault of YAML
				value = value[len(settingLine().FindString(value)):]
			}
		} else {
			switch {
			case name == "" && isOpenQuote(rest):
				return fault(rest, noEnd(rest))
			case strings.ContainsRune("&*!", rune(rest[0])):
				return fault(rest, wrongStart(rest))
			case name == "":
				return fault(rest, noSetting)
			case indent < 0:
				indent = column
			case !nested && column != indent && (valued || column < indent):
				return fault(rest, "this line has more or fewer spaces in front than the first setting; begin all in one column")
			}
			value = rest[len(name):]
			valued = withoutComment(value) != ""
		}
		if behind, what := valueFault(value); what != "" {
			return fault(behind, what)
		}
		if value != "" && (value[0] == '[' || value[0] == '{') && !strings.ContainsAny(withoutComment(value), "]}") {
			list, _ = fault(value, "")
		}
	}
	if list.line > 0 {
		return list, "the list that begins here has no end; end it with the bracket that belongs to it, on its line"
	}
	return place{}, ""
}

// valueFault returns what of a value belongs in no settings file, with all behind it, and a sentence on that; "" if nothing is wrong.
func valueFault(value string) (behind, what string) {
	if value == "" || value[0] == '#' {
		return "", ""
	}
	switch value[0] {
	case '"', '\'':
		if isOpenQuote(value) {
			return value, noEnd(value)
		}
		end := closedQuote(value)
		after := strings.TrimLeft(value[end:], " \t")
		if value[0] == '"' {
			if bad := badEscape(value[:end]); bad >= 0 {
				return value[bad:], "here is a \\ that means nothing in double quotes; write the value in single quotes ('), or \\\\ for each \\"
			}
		}
		if after != "" && (after[0] != '#' || after == value[end:]) {
			return after, "here is more text behind a quote that ended; put the whole value in quotes, or nothing of it"
		}
	case '[', '{':
	default:
		if what := wrongStart(value); what != "" {
			return value, what
		}
		if at := regexp.MustCompile(`:(\s|$)`).FindStringIndex(withoutComment(value)); at != nil {
			return value[at[0]:], "here is a colon with nothing or a blank behind it, inside a value; put the value in quotes"
		}
	}
	return "", ""
}

// badEscape returns where a backslash stands in a text in double quotes that gives no meaning to the letter behind it, -1 if none does.
func badEscape(text string) int {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[i+1]]; !strings.ContainsRune("0abt\tnvfre \"/\\N_LPxuU", rune(text[i+1])) ||
			strings.Trim(text[i+2:min(i+2+digits, len(text))], "0123456789abcdefABCDEF") != "" {
			return i
		}
		i++
	}
	return -1
}

// wrongStart returns a sentence on a text that begins as no plain value does, "" if it may.
func wrongStart(text string) string {
	switch {
	case text[0] == '&' || text[0] == '*':
		return noAnchors
	case text[0] == '!':
		return noTags
	case strings.ContainsRune("|>", rune(text[0])):
		return "a value spans several lines; write it on one"
	case strings.ContainsRune("@`%]},", rune(text[0])), strings.HasPrefix(text+" ", "- "), strings.HasPrefix(text+" ", "? "), strings.HasPrefix(text+" ", ": "):
		return fmt.Sprintf("a value does not begin with %c unless it is in quotes; put it in quotes, or take that out", text[0])
	}
	return ""
}

// isOpenQuote reports whether a text begins with a quote that has no end.
func isOpenQuote(text string) bool {
	return text != "" && (text[0] == '"' || text[0] == '\'') && closedQuote(text) == 0
}

// closedQuote returns where the quote ends that a text begins with, 0 if it begins with none that ends.
func closedQuote(text string) int {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[0] == '"' && text[i] == '\\':
			i++
		case text[i] != text[0]:
		case text[0] == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return 0
}

func noEnd(text string) string {
	return fmt.Sprintf("the quote that begins here has no end on its line; end it with %c, or leave it out", text[0])
}

// withoutComment returns a value without the comment behind it, and without blanks around.
func withoutComment(value string) string {
	for i, r := range value {
		if r == '#' && (i == 0 || unicode.IsSpace(rune(value[i-1]))) {
			value = value[:i]
			break
		}
	}
	return usertext.Trim(value)
}
