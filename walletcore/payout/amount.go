package payout

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/usertext"
)

// longestAmount is more bytes than any amount on the ledger has.
const longestAmount = 40

// notation is how a person or a spreadsheet writes numbers: with a decimal point or a decimal comma.
type notation int

const (
	withPoint notation = iota
	withComma
)

// read returns a number in its shortest form, if it is one in this notation: digits, at most one decimal sign, and between groups of
// three digits before it one kind of sign: the other one of the two, an apostrophe or a blank.
func (n notation) read(text string) (amount string, ok bool) {
	text = strings.Map(func(r rune) rune {
		switch {
		case n == withComma && r == '.':
			return ','
		case n == withComma && r == ',':
			return '.'
		case usertext.IsBlank(r):
			return ' '
		case r == '’':
			return '\''
		}
		return r
	}, text)
	if !regexp.MustCompile(`^([0-9]+|[1-9][0-9]{0,2}((,[0-9]{3})+|( [0-9]{3})+|('[0-9]{3})+))(\.[0-9]+)?$`).MatchString(text) {
		return "", false
	}
	return Plain(strings.NewReplacer(",", "", " ", "", "'", "").Replace(text)), true
}

// readAmounts reads the amounts of all rows. What 1.000 or 1,000 means is known only from the other amounts of the file: one person, or one
// spreadsheet, writes all of them in one notation. If these do not show it, or contradict each other, nothing is guessed.
func (p *parser) readAmounts() {
	var shows [2]int // the first line that shows a notation, 0 if none does
	for _, i := range p.open {
		_, point := withPoint.read(p.Rows[i].Amount)
		_, comma := withComma.read(p.Rows[i].Amount)
		switch line := p.Rows[i].Line; {
		case point && !comma && shows[withPoint] == 0:
			shows[withPoint] = line
		case comma && !point && shows[withComma] == 0:
			shows[withComma] = line
		}
	}
	for _, i := range p.open {
		amount, wrong := p.amount(p.Rows[i].Amount, shows)
		if wrong != "" {
			p.fault(p.Rows[i].Line, wrong)
			continue
		}
		p.Rows[i].Amount = amount
	}
}

// amount returns an amount in its shortest form, or what is wrong with it and what to write instead. Between commas only a decimal point
// is read; where cells are separated otherwise, so is what spreadsheets write there.
func (p *parser) amount(text string, shows [2]int) (amount, wrong string) {
	point, isPoint := withPoint.read(text)
	comma, isComma := withComma.read(text)
	switch {
	case text == "":
		return "", "the amount is missing; write digits with a point, such as 12.5"
	case len(text) > longestAmount:
		return "", "the amount is longer than any amount; write digits with a point, such as 12.5"
	case isErrorValue(text):
		return "", fmt.Sprintf("the amount %q is what a spreadsheet shows where a value is missing or a column too narrow; correct it there", text)
	case !isPoint && !isComma, p.in.separator == ',' && !regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`).MatchString(text):
		return "", fmt.Sprintf("the amount %q is not decimal text; write %s", text, suggestAmount(text))
	case isPoint && isComma && point != comma && (shows[withPoint] > 0) == (shows[withComma] > 0):
		return "", fmt.Sprintf("the amount %q is %s or %s, and no other amount of the file shows which; write %s or %s", text,
			longer(point, comma), shorter(point, comma), longer(point, comma), unmistakable(shorter(point, comma)))
	case strings.Trim(text, "0.,") == "":
		return "", "the amount is zero; leave the line out"
	case p.in.separator != ',' && isPoint != isComma && shows[withPoint] > 0 && shows[withComma] > 0:
		return "", fmt.Sprintf("the amount %q and that in line %d write decimals with different signs; write all with a point", text,
			shows[map[bool]notation{true: withComma, false: withPoint}[isPoint]])
	}
	amount = point
	if !isPoint || isComma && shows[withComma] > 0 {
		amount = comma
	}
	return amount, ""
}

// longer and shorter return which of two readings of an amount is the larger one, with a sign between thousands, and the other one.
func longer(a, b string) string {
	if strings.Contains(a, ".") || !strings.Contains(b, ".") && len(a) < len(b) {
		return b
	}
	return a
}

func shorter(a, b string) string {
	if longer(a, b) == a {
		return b
	}
	return a
}

// unmistakable returns a number that was written with three decimals so that it can mean nothing else.
func unmistakable(amount string) string {
	whole, part, _ := strings.Cut(amount, ".")
	switch len(part) {
	case 0:
		return whole + ".0"
	case 3:
		return amount + "0"
	}
	return amount
}

// suggestAmount suggests what to write in place of what a person or a spreadsheet wrote.
func suggestAmount(text string) string {
	bare := strings.Map(func(r rune) rune {
		if usertext.IsBlank(r) || strings.ContainsRune("_'’", r) {
			return -1
		}
		return r
	}, text)
	switch {
	case strings.ContainsFunc(bare, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsDigit(r) }):
		return "it with the digits 0 to 9"
	case strings.HasPrefix(bare, "-"):
		return "an amount above zero: a payout only pays"
	case regexp.MustCompile(`^[0-9]*\.?[0-9]+[eE][+-]?[0-9]{1,2}$`).MatchString(bare):
		if r, ok := new(big.Rat).SetString(bare); ok {
			return Plain(r.FloatString(20)) + " if that is meant, and format the column as text"
		}
	case regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`).MatchString(bare):
		without := strings.ReplaceAll(bare, ",", "")
		if strings.Count(bare, ",") == 1 && !strings.Contains(bare, ".") {
			return without + " or " + unmistakable(Plain(strings.Replace(bare, ",", ".", 1))) + ", whichever is meant"
		}
		return without
	case regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{3})+,[0-9]+$`).MatchString(bare):
		return strings.Replace(strings.ReplaceAll(bare, ".", ""), ",", ".", 1)
	case regexp.MustCompile(`^[0-9]+,[0-9]+$`).MatchString(bare):
		return strings.Replace(bare, ",", ".", 1)
	case bare != text && regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`).MatchString(bare):
		return bare
	case regexp.MustCompile(`^\.[0-9]+$`).MatchString(bare):
		return "0" + bare
	case regexp.MustCompile(`^[0-9]+\.$`).MatchString(bare):
		return strings.TrimSuffix(bare, ".")
	}
	return "digits with a point, such as 12.5, and nothing else"
}
