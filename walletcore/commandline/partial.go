package commandline

import (
	"encoding/json"
	"strings"
)

// Partial is a line that is being typed, up to the cursor.
type Partial struct {
	Head  string   // the line up to the last word
	Words []string // the complete words in it, as text
	Last  string   // the last word as far as it is typed, "" after a blank
}

// ParsePartial reads the words of a line that need not be complete. If it cannot be read it has no last word, because
// nothing can be added to it.
func ParsePartial(line string) Partial {
	s := &scanner{text: line}
	var b Partial
	for {
		s.skipBlanks()
		start := s.at
		b.Head, b.Last = line[:start], line[start:]
		if b.Last == "" {
			return b
		}
		value, err := s.value(0)
		if err != nil || s.at == len(line) {
			return b
		}
		b.Words = append(b.Words, plainText(value))
	}
}

// plainText returns a value as a person would write it.
func plainText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// Write returns words as a line that Parse reads back the same way.
func Write(words []string) string {
	var out []string
	for _, word := range words {
		out = append(out, quoteWord(word))
	}
	return strings.Join(out, " ")
}

// quoteWord returns one word, in quotes if it would not be read back without.
func quoteWord(word string) string {
	s := &scanner{text: word}
	if value, err := s.value(0); err == nil && s.at == len(word) && value[0] == '"' && plainText(value) == word && word[0] != '#' {
		return word
	}
	return string(textValue(word))
}
