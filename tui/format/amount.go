package format

import (
	"errors"
	"regexp"
	"strings"

	"billfold/ledger"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// Money shows amounts. Hidden replaces digits by dots.
type Money struct{ Hidden bool }

// hiddenDigits is the number of dots that stand for an amount, whatever its length.
const hiddenDigits = 14

// Column aligns amounts on the point: the digits before it (with sign and thousands separators), the digits after it, and the
// longest symbol.
type Column struct{ Int, Frac, Symbol int }

// Width returns how many cells the number takes, including the point.
func (c Column) Width() int {
	if c.Frac == 0 {
		return c.Int
	}
	return c.Int + 1 + c.Frac
}

// Fit widens the column for an amount shown with the given sign.
func (c Column) Fit(sign string, asset ledgerview.AssetRef, amount int64) Column {
	whole, frac := split(asset, amount)
	c.Int = max(c.Int, len(sign)+len(whole))
	c.Frac = max(c.Frac, len(frac))
	c.Symbol = max(c.Symbol, canvas.Width(Symbol(asset)))
	return c
}

// Amount shows an amount with all decimals and its symbol.
func (m Money) Amount(asset ledgerview.AssetRef, amount int64) canvas.Line {
	return m.Aligned(Column{}, "", theme.Text, asset, amount)
}

// Aligned shows sign, amount and symbol in a column; trailing zeros are faint.
func (m Money) Aligned(c Column, sign string, in theme.Token, asset ledgerview.AssetRef, amount int64) canvas.Line {
	return canvas.Join(m.Number(c, sign, in, asset, amount), canvas.Text(" "), canvas.In(theme.Muted, Symbol(asset)))
}

// Number is Aligned without the symbol.
func (m Money) Number(c Column, sign string, in theme.Token, asset ledgerview.AssetRef, amount int64) canvas.Line {
	whole, frac := split(asset, amount)
	if m.Hidden {
		return canvas.Text(strings.Repeat(theme.SignDots, max(c.Width(), hiddenDigits)))
	}
	pad := strings.Repeat(" ", max(c.Int-len(sign)-len(whole), 0))
	kept := strings.TrimRight(frac, "0")
	out := canvas.Line{{Text: pad + sign + whole, Style: theme.Of(in)}}
	switch {
	case kept != "":
		out = append(out, canvas.Span{Text: "." + kept, Style: theme.Of(in)})
	case frac != "":
		out = append(out, canvas.Span{Text: ".", Style: theme.Of(theme.Faint)})
	}
	rest := strings.Repeat(" ", max(c.Frac-len(frac), 0))
	if frac == "" && c.Frac > 0 {
		rest += " "
	}
	return append(out, canvas.Span{Text: frac[len(kept):] + rest, Style: theme.Of(theme.Faint)})
}

// Digits returns the amount as a person would type it: without separators, sign or trailing zeros.
func Digits(asset ledgerview.AssetRef, amount int64) string {
	text := asset.Decimals(amount)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Exact returns the amount with all decimals of the asset and without separators, as texts in lines show it.
func Exact(asset ledgerview.AssetRef, amount int64) string { return asset.Decimals(amount) }

// Symbol returns the asset's symbol, cleaned.
func Symbol(a ledgerview.AssetRef) string {
	if a.Symbol == "" {
		return a.ID.String()
	}
	return Clean(a.Symbol)
}

// split returns the grouped whole part and the decimals.
func split(asset ledgerview.AssetRef, amount int64) (whole, frac string) {
	whole, frac, _ = strings.Cut(asset.Decimals(amount), ".")
	return group(whole), frac
}

// group separates thousands with commas.
func group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// AmountFault returns in one sentence why a text is not an amount and what to write instead; empty if err is not a
// ledger.AmountError.
func AmountFault(err error) string {
	var bad *ledger.AmountError
	if !errors.As(err, &bad) {
		return ""
	}
	return Clean(bad.Why.Error() + "; " + bad.Hint)
}

// DoubtedDecimals returns why nothing can be paid in a held asset whose decimals are in doubt; empty for any other.
func DoubtedDecimals(held []ledgerview.Balance, symbol string) string {
	for _, b := range held {
		if word, doubted := b.Asset.InDoubt(); doubted && strings.EqualFold(word, symbol) {
			return "its decimals are in doubt, so nothing is paid in it; if they did change: billfold pins forget " + Clean(word)
		}
	}
	return ""
}

// amountPattern finds amounts in a sentence or a command: digits before a symbol or an asset's id. Digits after a colon are a time.
var amountPattern = regexp.MustCompile(`(?:^|[^0-9:.,])([0-9][0-9,]*(?:\.[0-9]+)?)(?: |", ?")(?:[A-Z][A-Z0-9.]{2}|1\.3\.[0-9])`)

// Masked shows a sentence that was written earlier, such as a notice: while amounts are hidden, those in it are too.
func (m Money) Masked(l canvas.Line) canvas.Line {
	if !m.Hidden {
		return l
	}
	var out canvas.Line
	found, from := amountPattern.FindAllStringSubmatchIndex(l.String(), -1), 0
	for _, s := range l {
		var text strings.Builder
		for i := range len(s.Text) {
			switch at := from + i; {
			case len(found) > 0 && at == found[0][2]:
				text.WriteString(strings.Repeat(theme.SignDots, hiddenDigits))
			case len(found) == 0 || at < found[0][2]:
				text.WriteByte(s.Text[i])
			}
			if len(found) > 0 && from+i+1 == found[0][3] {
				found = found[1:]
			}
		}
		from += len(s.Text)
		out = append(out, canvas.Span{Text: text.String(), Style: s.Style})
	}
	return out
}
