package payout

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
)

// longestAmount is more bytes than any amount on the ledger has.
const longestAmount = 40

// notation is a form in which a person or a spreadsheet writes numbers: with a decimal point or a decimal comma.
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
	if !grouped().MatchString(text) {
		return "", false
	}
	return Plain(strings.NewReplacer(",", "", " ", "", "'", "").Replace(text)), true
}

// readAmounts reads the amounts of all rows. What 1.000 or 1,000 means is known only from the other amounts of the file: one person, or one
// spreadsheet, writes all of them in one notation. If these do not show it, or contradict each other, nothing is guessed.
func (p *parser) readAmounts() {
	var shows [2]int // the first line that shows a notation, 0 if none does
	for _, i := range p.open {
		if isPadded(p.Rows[i].Amount) { // by a program, which may have padded thousands as well
			continue
		}
		_, point := withPoint.read(p.Rows[i].Amount)
		_, comma := withComma.read(p.Rows[i].Amount)
		switch line := p.Rows[i].Line; {
		case point && !comma && shows[withPoint] == 0:
			shows[withPoint] = line
		case comma && !point && shows[withComma] == 0:
			shows[withComma] = line
		}
	}
	wrong := p.leftOut || len(p.Rows) > len(p.open) // a line with too many fields may have written a decimal comma between them
	for _, i := range p.open {
		text := p.amount(&p.Rows[i], shows)
		if text != "" {
			p.fault(p.Rows[i].Line, text)
		}
		wrong = wrong || text != ""
	}
	if wrong {
		p.Faults = append(p.Faults, Doubts(p.Rows)...)
	}
}

// amount reads the amount of a row, or returns what is wrong with it and what to write instead. Between commas only a decimal point is
// read; where cells are separated otherwise, so is what spreadsheets write there.
func (p *parser) amount(r *Row, shows [2]int) (wrong string) {
	text := r.Amount
	point, isPoint := withPoint.read(text)
	comma, isComma := withComma.read(text)
	ambiguous := isPoint && isComma && point != comma
	switch {
	case text == "":
		return "the amount is missing; write digits with a point, such as 12.5"
	case len(text) > longestAmount:
		return "the amount is longer than any amount; write digits with a point, such as 12.5"
	case isErrorValue(text):
		return fmt.Sprintf("the amount %q is what a spreadsheet shows where a value is missing or a column too narrow; correct it there", text)
	case !isPoint && !isComma, p.in.separator == ',' && !isPlain(text):
		return fmt.Sprintf("the amount %q is not decimal text; write %s", text, suggestAmount(text))
	case ambiguous && shows[withPoint] == 0 && shows[withComma] == 0:
		return fmt.Sprintf("the amount %q is %s or %s, and no other amount of the file shows which; write %s", text,
			longer(point, comma), shorter(point, comma), either(point, comma))
	case ambiguous && shows[withComma] > 0 && (shows[withPoint] > 0 || p.in.separator == ','):
		return fmt.Sprintf("the amount %q is %s or %s, as line %d is in the notation with a decimal comma; write %s", text,
			longer(point, comma), shorter(point, comma), shows[withComma], either(point, comma))
	case strings.Trim(text, "0.,") == "":
		return "the amount is zero; leave the line out"
	case p.in.separator != ',' && isPoint != isComma && shows[withPoint] > 0 && shows[withComma] > 0:
		return fmt.Sprintf("the amount %q and that in line %d use points and commas differently; write all with a decimal point, and nothing between thousands", text,
			shows[map[bool]notation{true: withComma, false: withPoint}[isPoint]])
	}
	r.Written, r.Amount, r.decimals = text, point, strings.Contains(text, ".")
	if !isPoint || isComma && shows[withComma] > 0 {
		r.Amount, r.decimals = comma, strings.Contains(text, ",")
	}
	if ambiguous {
		r.other = map[bool]string{true: comma, false: point}[r.Amount == point]
	}
	return ""
}

// Patterns that every row is compared with.
var (
	grouped = once(`^([0-9]+|[1-9][0-9]{0,2}((,[0-9]{3})+|( [0-9]{3})+|('[0-9]{3})+))(\.[0-9]+)?$`)
	plain   = once(`^[0-9]+(\.[0-9]+)?$`)
)

// once returns a pattern that is compiled when it is first needed.
func once(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// isPlain reports whether an amount is digits with at most a decimal point.
func isPlain(text string) bool { return plain().MatchString(text) }

// isPadded reports whether an amount has zeros before its first digit, 0001.500.
func isPadded(text string) bool {
	return len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

// Interpreted reports whether somebody may have meant another amount than was read, so that a person has to be shown which: it is not
// written in plain digits with a point, is padded with zeros, or means another amount where decimals have a comma.
func (r Row) Interpreted() bool {
	return r.other != "" || r.Written != "" && (!isPlain(r.Written) || isPadded(r.Written))
}

// Ambiguous reports whether the amount was read as one of two, because of the other amounts.
func (r Row) Ambiguous() bool { return r.other != "" }

// Doubts returns a fault for each row whose amount was read as one of two because of the file's other amounts. Where any amount is to be
// corrected they are faults as well: the correction may change what the others show, and these would become other amounts without a word.
func Doubts(rows []Row) (faults []Fault) {
	for _, r := range rows {
		if r.other != "" {
			faults = append(faults, Fault{r.Line, fmt.Sprintf("the amount %q is read as %s because of the file's other amounts, of which some are to be "+
				"corrected; write %s so that it stays that, or %s if that is meant", r.Written, r.Amount, unmistakable(r.Amount), unmistakable(r.other))})
		}
	}
	return faults
}

// Objection returns why the row's amount is none of an asset, and what to write instead; "" if it is one, or could not be read.
func (r Row) Objection(symbol string, precision uint8) string {
	_, err := ledger.ParseAmount(r.Amount, precision)
	bad, isBad := errors.AsType[*ledger.AmountError](err)
	var instead []string
	add := func(amount string) {
		if _, err := ledger.ParseAmount(amount, precision); err == nil && strings.Trim(amount, "0.") != "" {
			instead = append(instead, unmistakable(amount))
		}
	}
	whole, part, _ := strings.Cut(r.Amount, ".")
	add(Plain(whole + "." + part[:min(len(part), int(precision))]))
	if r.other != "" {
		add(r.other)
	}
	switch {
	case r.Written == "":
	case isBad && errors.Is(err, ledger.ErrAmountDigits) && len(instead) > 0:
		return fmt.Sprintf("%q is not an amount of %s, which has %s: %v; write %s if that is meant", r.Written, symbol,
			printable.Many(precision, "decimal"), bad.Why, strings.Join(instead, " or "))
	case isBad:
		return fmt.Sprintf("%q is not an amount of %s, which has %s: %v; %s", r.Written, symbol, printable.Many(precision, "decimal"), bad.Why, bad.Hint)
	case precision == 0 && r.decimals:
		return fmt.Sprintf("%q has decimals, and %s has none; write %s", r.Written, symbol, strings.Join(instead, " or "))
	}
	return ""
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

// either returns what to write for one reading or the other.
func either(a, b string) string { return longer(a, b) + " or " + unmistakable(shorter(a, b)) }

// unmistakable returns an amount, with a zero more where it could be taken for thousands.
func unmistakable(amount string) string {
	if _, asThousands := withComma.read(amount); asThousands && strings.Contains(amount, ".") {
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
	case strings.HasPrefix(text, "'") && isPlain(text[1:]):
		return unmistakable(text[1:]) + ", without the apostrophe that marks text in a spreadsheet"
	case strings.ContainsFunc(bare, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsDigit(r) }):
		return "it with the digits 0 to 9"
	case strings.HasPrefix(bare, "-"):
		return "an amount above zero: a payout only pays"
	case regexp.MustCompile(`^[0-9]*\.?[0-9]+[eE][+-]?[0-9]{1,2}$`).MatchString(bare):
		if r, ok := new(big.Rat).SetString(bare); ok {
			return unmistakable(Plain(r.FloatString(20))) + " if that is meant, and format the column as text"
		}
	case regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`).MatchString(bare):
		without := strings.ReplaceAll(bare, ",", "")
		if strings.Count(bare, ",") == 1 && !strings.Contains(bare, ".") {
			return without + " or " + unmistakable(Plain(strings.Replace(bare, ",", ".", 1))) + ", whichever is meant"
		}
		return without
	case regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{3})+,[0-9]+$`).MatchString(bare):
		return strings.Replace(strings.ReplaceAll(bare, ".", ""), ",", ".", 1) + " if that is meant"
	case regexp.MustCompile(`^[0-9]+,[0-9]+$`).MatchString(bare):
		return strings.Replace(bare, ",", ".", 1) + " if that is meant"
	case bare != text && isPlain(bare) && regexp.MustCompile(`^[1-9][0-9]{0,2}([^0-9.][0-9]{3})+(\.[0-9]+)?$`).MatchString(text):
		return unmistakable(bare) + " if that is meant"
	case bare != text && isPlain(bare):
		return unmistakable(bare) + " if that is meant: what is between its digits does not separate thousands, so a digit or a point may be missing"
	case regexp.MustCompile(`^\.[0-9]+$`).MatchString(bare):
		return "0" + bare
	case regexp.MustCompile(`^[0-9]+\.$`).MatchString(bare):
		return strings.TrimSuffix(bare, ".")
	}
	return "digits with a point, such as 12.5, and nothing else"
}
