package payout

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"billfold/ledger"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// LabelMark identifies a label of a payer's payouts; "" stands for none. Labels that look the same (plainLabel) are one. Journals keep
// marks, so their form must not change.
func LabelMark(chain ledger.ChainID, payer ledger.AccountID, label string) string {
	return markOf(chain, payer, plainLabel(label))
}

// LabelMarks returns the marks under which a journal may have what was paid under a label: its LabelMark, those that earlier versions
// recorded, and those of texts that may look like it, since what has no glyph is shown as a blank or not at all. A mark does not lead back
// to its label, so an earlier version's is found only for spellings that can be guessed from this one: as it is, in lower case, with ß
// for every ss, with one kind of dash for every dash, with the quotes of a word processor for all of a keyboard's.
func LabelMarks(chain ledger.ChainID, payer ledger.AccountID, label string) (marks []string) {
	add := func(plain string) {
		if mark := markOf(chain, payer, plain); !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	plain := plainLabel(label)
	add(plain)
	if plain == "" {
		return marks
	}
	spellings := []string{label, without(label, isUnseen), strings.Map(blankUnseen, label)}
	if dashed := strings.Map(plainDash, label); strings.Contains(dashed, "-") {
		for _, dash := range "-" + dashes {
			spellings = append(spellings, strings.ReplaceAll(dashed, "-", string(dash)))
		}
	}
	if quoted := strings.Map(plainQuote, label); strings.ContainsAny(quoted, `'"`) {
		spellings = append(spellings, quoted)
		for _, single := range "’‘" {
			spellings = append(spellings, curly(strings.ReplaceAll(quoted, "'", string(single))))
		}
	}
	for _, shown := range spellings {
		folded := cases.Fold().String(shown)
		for _, spelt := range []string{shown, cases.Lower(language.Und).String(shown), folded, strings.ReplaceAll(folded, "ss", "ß")} {
			for _, form := range []func(string) string{plainLabel, quotedLabel, dashedLabel, formerLabel, firstLabel} {
				if text := form(spelt); text != "" {
					add(text)
				}
			}
		}
	}
	add(strings.ReplaceAll(plain, " ", "")) // which a label with glyphless letters for blanks is
	return marks
}

func markOf(chain ledger.ChainID, payer ledger.AccountID, plain string) string {
	if plain == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "billfold payout label\n%s\n%s\n%s", chain, payer, plain))
	return hex.EncodeToString(sum[:sha256.Size/2])
}

// plainLabel returns a label without what nobody sees: letter case in any script, blanks, how an accent or a wide letter is encoded, which
// character a dash or quote is, and characters without a glyph. Labels that earlier versions took for one are one.
func plainLabel(label string) string {
	label = strings.Map(plainQuote, quotedLabel(label))
	for strings.Contains(label, "--") { // of which a word processor makes one dash
		label = strings.ReplaceAll(label, "--", "-")
	}
	return strings.ReplaceAll(label, "\u2044", "/") // as in ½, in which NFKC writes that sign
}

// quotedLabel is the form of labels in the marks of the version before, which told quotes, and two dashes from one, apart.
func quotedLabel(label string) string { return strings.Map(plainDash, dashedLabel(label)) }

// singleQuotes and doubleQuotes are the characters that programs put in place of the ' and " of the keyboard.
const (
	singleQuotes = "\u2018\u2019\u201A\u201B\u2039\u203A\u02BC\u2032\uFF07"
	doubleQuotes = "\u201C\u201D\u201E\u201F\u00AB\u00BB\u2033\uFF02"
)

// plainQuote is a mapping that makes a quote of any kind that of the keyboard.
func plainQuote(r rune) rune {
	switch {
	case strings.ContainsRune(singleQuotes, r):
		return '\''
	case strings.ContainsRune(doubleQuotes, r):
		return '"'
	}
	return r
}

// curly returns a text with the double quotes of a word processor, opening and closing in turns.
func curly(text string) string {
	closing := false
	return strings.Map(func(r rune) rune {
		if r != '"' {
			return r
		}
		closing = !closing
		return map[bool]rune{true: '“', false: '”'}[closing]
	}, text)
}

// dashes are the characters that look like the - of the keyboard, which programs put in its place.
const dashes = "\u02D7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\uFE58\uFE63\uFF0D"

// plainDash is a mapping that makes a dash of any kind that of the keyboard.
func plainDash(r rune) rune {
	if strings.ContainsRune(dashes, r) {
		return '-'
	}
	return r
}

// dashedLabel is the form of labels in the marks of a version before quotedLabel, which told dashes apart.
func dashedLabel(label string) string {
	label = norm.NFKC.String(without(formerLabel(label), isUnseen))
	label = strings.ToLower(strings.ToUpper(label)) // the dotless i, too, whose upper case is that of i
	return firstLabel(norm.NFKC.String(cases.Fold().String(label)))
}

// formerLabel is the form of labels in the marks of a version before dashedLabel, firstLabel that of the first.
func formerLabel(label string) string {
	return firstLabel(norm.NFKC.String(without(label, func(r rune) bool { return unicode.Is(unicode.Cf, r) })))
}

func firstLabel(label string) string {
	return strings.ToLower(strings.Join(strings.Fields(label), " "))
}

func without(text string, those func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if those(r) {
			return -1
		}
		return r
	}, text)
}

// isUnseen reports whether a character shows nothing: Default_Ignorable_Code_Point, control characters that are no blanks, and those that
// are named letters or symbols and have no glyph.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		unicode.Is(unicode.Cc, r) && !unicode.IsSpace(r) || isGlyphless(r)
}

// isGlyphless reports whether a character is as wide as a letter and shows nothing: Braille without dots, the fillers of Hangul and of the
// small script of Khitan, the null notehead.
func isGlyphless(r rune) bool {
	return slices.Contains([]rune("\u2800\u3164\uFFA0\u115F\u1160\U00016FE4\U0001D159"), r)
}

// blankUnseen is a mapping that makes glyphless letters blanks and drops what else is unseen.
func blankUnseen(r rune) rune {
	switch {
	case isGlyphless(r):
		return ' '
	case isUnseen(r):
		return -1
	}
	return r
}
