package setting

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Value is the type of a setting together with the variable that it sets.
type Value struct {
	Kind    string   // in words: "true or false", "time"
	Choices []string // nil = any value

	list   bool // several values: a list in the file, with commas or blanks elsewhere
	plain  bool // plain text: what YAML takes for a number or a boolean must be quoted
	isBool bool
	parse  func(text string) (canonical string, err error) // also sets the variable
}

// IsList reports whether the setting takes several values.
func (v Value) IsList() bool { return v.list }

// Bool is true or false, also written as yes, no, on, off, 1 or 0.
func Bool(into *bool) Value {
	v := Parsed(into, "true or false", parseBool)
	v.isBool = true
	read := v.parse
	v.parse = func(text string) (string, error) {
		if _, err := read(text); err != nil {
			return "", err
		}
		return strconv.FormatBool(*into), nil // viper and pflag know only these two words
	}
	return v
}

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, fmt.Errorf("%s is neither true nor false; write one of these", quoted(text))
}

// Path is the path of a file or folder. One that begins with ~ is refused: a shell replaces
// that only in some places, and a folder of that name is never meant.
func Path(into *string) Value {
	v := Parsed(into, "path", func(text string) (string, error) { return text, CheckPath(text) })
	v.plain = true
	return v
}

// CheckPath refuses an empty path and one that begins with ~ or file:.
func CheckPath(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("it is empty; leave it out, or give a path")
	case strings.HasPrefix(text, "~"):
		return fmt.Errorf(
			"%s begins with ~, which stands for your home folder only where a shell replaces it; write the whole path, or $HOME in a shell",
			quoted(text))
	case len(text) >= 5 && strings.EqualFold(text[:5], "file:"):
		return errors.New("it begins with file:, as an address of a browser does; write the path alone, as in /etc/wallet/cert.pem")
	}
	return nil
}

// Choice is one of a few words.
func Choice[T ~string](into *T, choices ...T) Value {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	v := Parsed(into, oneOf(words), func(text string) (T, error) {
		for _, c := range choices {
			if text == string(c) {
				return c, nil
			}
		}
		return "", fmt.Errorf("%s is not %s%s", quoted(text), oneOf(words), didYouMean(text, words, ""))
	})
	v.Choices = words
	return v
}

// List is any number of words separated by commas or blanks. check refuses invalid words, or words that do not go together.
func List(into *[]string, kind string, check func(words []string) error) Value {
	v := Parsed(into, kind, func(text string) ([]string, error) {
		words := Words(text)
		if len(words) == 0 {
			return nil, errors.New("it is empty; leave it out, or give a value")
		}
		for piece := range strings.SplitSeq(text, ",") {
			if strings.TrimSpace(piece) == "" {
				return nil, errors.New("there is nothing before or after one of the commas; take it out, or write what is missing")
			}
		}
		return words, check(words)
	})
	v.list = true
	return v
}

// Each returns a check of a list that checks each word.
func Each(check func(word string) error) func(words []string) error {
	return func(words []string) error {
		for _, w := range words {
			if err := check(w); err != nil {
				return err
			}
		}
		return nil
	}
}

// Words splits text at commas and blanks.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// Parsed is a value that parse reads. The error of parse is a sentence that quotes the
// text and shows how to write it.
func Parsed[T any](into *T, kind string, parse func(text string) (T, error)) Value {
	return Value{Kind: kind, parse: func(text string) (string, error) {
		if err := checkPrintable(text); err != nil {
			return "", err
		}
		value, err := parse(text)
		if err != nil {
			return "", err
		}
		*into = value
		return text, nil
	}}
}

// checkPrintable refuses characters that no setting needs and that could hide something
// from a person who reads the file.
func checkPrintable(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8 text")
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("it contains an invisible character, U+%04X; type it again", r)
		}
	}
	return nil
}

const maxQuote = 100

// quoted quotes a value that the user wrote, on one line and cut off if it is long. A secret, which stands in the wrong place then, is not shown.
func quoted(text string) string {
	if kind := (Given{Text: text}).secret(text); kind != "" {
		return "(" + kind + ", not shown)"
	}
	if r := []rune(text); len(r) > maxQuote {
		text = string(r[:maxQuote]) + "…"
	}
	return strconv.QuoteToGraphic(text)
}

func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
