package payout

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// longestAmount is more bytes than any amount on the ledger has.
const longestAmount = 40

// amountFault returns what is wrong with an amount and what to write instead, "" if it is decimal text above zero.
// Nothing is guessed: what a spreadsheet made of a number may be a different number.
func amountFault(text string) string {
	decimal := regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	switch {
	case text == "":
		return "the amount is missing; write digits with a point, such as 12.5"
	case len(text) > longestAmount:
		return "the amount is longer than any amount; write digits with a point, such as 12.5"
	case decimal.MatchString(text):
		if strings.Trim(text, "0.") == "" {
			return "the amount is zero; leave the line out"
		}
		return ""
	}
	return fmt.Sprintf("the amount %q is not decimal text; write %s", text, suggestAmount(text))
}

// suggestAmount suggests what to write in place of what a person or a spreadsheet wrote.
func suggestAmount(text string) string {
	bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _'\u00a0\u202f", r) {
			return -1
		}
		return r
	}, text)
	switch {
	case strings.HasPrefix(bare, "-"):
		return "an amount above zero: a payout only pays"
	case regexp.MustCompile(`^[0-9]*\.?[0-9]+[eE][+-]?[0-9]{1,2}$`).MatchString(bare):
		if r, ok := new(big.Rat).SetString(bare); ok {
			return Plain(r.FloatString(20)) + " if that is meant, and format the column as text"
		}
	case regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`).MatchString(bare):
		without := strings.ReplaceAll(bare, ",", "")
		if strings.Count(bare, ",") == 1 && !strings.Contains(bare, ".") {
			return without + " or " + strings.Replace(bare, ",", ".", 1) + ", whichever is meant"
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
