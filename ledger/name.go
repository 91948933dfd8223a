package ledger

import (
	"errors"
	"fmt"
	"strings"

	"billfold/ledger/printable"
)

// Lengths of an account name (docs/protocol/ledger.md 5).
const (
	MinAccountName = 5
	MaxAccountName = 63
)

// ValidAccountName returns an error if name cannot be an account name. Rules: 5 to
// 63 characters; the labels between dots have at least 3, begin with a letter, end
// with a letter or digit, and may contain "-" in between; lower case only.
func ValidAccountName(name string) error {
	if why := IDProblem(name); why != "" {
		return errors.New(why)
	}
	if foreign := ForeignCharacter(name); foreign != "" {
		return fmt.Errorf("account name %q: %s", printable.Clip(name), foreign)
	}
	if len(name) < MinAccountName || len(name) > MaxAccountName {
		return fmt.Errorf("account name %q: it needs %d to %d characters", printable.Clip(name), MinAccountName, MaxAccountName)
	}
	for label := range strings.SplitSeq(name, ".") {
		if err := validLabel(label); err != nil {
			return fmt.Errorf("account name %q: %w", printable.Clip(name), err)
		}
	}
	return nil
}

// ForeignCharacter returns which character of a word is in no account name, with its place and code point, as the end of a sentence; "" if none
// is. It looks like one that is, or nobody sees it: names with capitals are told otherwise.
func ForeignCharacter(word string) string {
	for i, r := range []rune(word) {
		if r > '~' || r < ' ' {
			return fmt.Sprintf("character %d of it is U+%04X, whatever it looks like, and names have a–z, 0–9, - and . alone", i+1, r)
		}
	}
	return ""
}

func validLabel(label string) error {
	if len(label) < 3 {
		return errors.New("each part between dots needs at least 3 characters")
	}
	if !isLower(label[0]) {
		return errors.New("each part must begin with a letter a–z")
	}
	if last := label[len(label)-1]; !isLower(last) && !isDigit(last) {
		return errors.New("each part must end with a letter or a digit")
	}
	for i := range len(label) {
		if c := label[i]; !isLower(c) && !isDigit(c) && c != '-' {
			return errors.New("only a–z, 0–9, - and . are allowed")
		}
	}
	return nil
}

// ValidSymbol returns an error if symbol cannot be an asset symbol. Rules: 3 to 16
// of A–Z, 0–9 and at most one dot; the first and the last are letters.
func ValidSymbol(symbol string) error {
	fault := func(why string) error { return fmt.Errorf("asset symbol %q: %s", printable.Clip(symbol), why) }
	if why := IDProblem(symbol); why != "" {
		return errors.New(why)
	}
	if len(symbol) < 3 || len(symbol) > 16 {
		return fault("it needs 3 to 16 characters")
	}
	if !isUpper(symbol[0]) || !isUpper(symbol[len(symbol)-1]) {
		return fault("it must begin and end with a letter A–Z")
	}
	for i := range len(symbol) {
		if c := symbol[i]; !isUpper(c) && !isDigit(c) && c != '.' {
			return fault("only A–Z, 0–9 and one dot are allowed")
		}
	}
	if strings.Count(symbol, ".") > 1 {
		return fault("at most one dot is allowed")
	}
	return nil
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
