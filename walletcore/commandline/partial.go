package commandline

import (
	"encoding/json"
	"strings"
)

// Begun is a line that is being typed, up to the cursor.
type Begun struct {
	Head  string   // up to the last word
	Words []string // the whole words before it, as text
	Last  string   // the last word as far as it was typed, "" behind a blank
}

// ParseBegun reads the words of a line that need not be whole. What cannot be read has no last word:
// nothing can be added to it.
func ParseBegun(line string) Begun {
	s := &scanner{text: line}
	var b Begun
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
		b.Words = append(b.Words, plain(value))
	}
}

// plain is a value as a person would write it.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// Write writes words as a line that Parse reads the same way.
func Write(words []string) string {
	var out []string
	for _, word := range words {
		out = append(out, written(word))
	}
	return strings.Join(out, " ")
}

// written is one word, between quotes where it would not stand alone.
func written(word string) string {
	s := &scanner{text: word}
	if value, err := s.value(0); err == nil && s.at == len(word) && value[0] == '"' && plain(value) == word && word[0] != '#' {
		return word
	}
	return string(textOf(word))
}
