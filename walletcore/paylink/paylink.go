// Package paylink reads and writes payment links, such as "dcore:alice?amount=12.5&asset=DCT&memo=rent": whom to pay
// and, optionally, how much of which asset with what memo. It is pure. A link says what a person could have typed into
// a form: whoever fills a form from one checks its fields as if they had been typed.
//
// The mobile wallets of this ledger write "decent:alice?asset=DCT&amount=12.5&memo=rent", and empty parts as well. Those
// are read too, by their rules: a plus and a semicolon stand for themselves, and "//" may follow the scheme. They read
// no other scheme (docs/differences.md).
package paylink

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
)

const (
	scheme       = "dcore:"
	mobileScheme = "decent:" // as the mobile wallets write

	// longest is the maximum length of a link in bytes, more than a QR code holds.
	longest = 4096
)

// Link is the contents of a payment link. Only To is always there.
type Link struct {
	To     string // an account name or id
	Amount string // decimal text
	Asset  string // a symbol
	Memo   string
}

// Is reports whether a text is meant as a payment link: it starts like one, or has one in it, for which Parse returns what to do.
func Is(text string) bool { return starts(alone(text)) || inside().MatchString(text) }

// starts reports whether a text starts like a payment link.
func starts(text string) bool {
	_, own := after(scheme, text)
	_, mobile := after(mobileScheme, text)
	return own || mobile
}

// inside matches a text with the start of a link after something else.
var inside = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\pL\pN/._-])(dcore|decent)(:|%3a)(//)?[a-z0-9]`)
})

// marks returns what a text writes around a link, the opening and the closing one.
func marks() [][2]string {
	return [][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"<", ">"}, {"(", ")"}, {"[", "]"}, {"“", "”"}, {"„", "“"}, {"”", "”"}, {"‘", "’"}, {"«", "»"}, {"»", "«"}, {"‹", "›"}}
}

// alone returns a text without the blanks and marks around it, and with the colon and the ampersands of a link as they were before a form or a
// web page wrote them otherwise; if one wrote the whole link so, with its question mark, it is the link before that. Nothing else of it changes.
func alone(text string) string {
	text = usertext.Trim(text)
	for around := marks(); len(around) > 0; {
		if rest, opens := strings.CutPrefix(text, around[0][0]); opens && strings.HasSuffix(rest, around[0][1]) {
			text, around = usertext.Trim(strings.TrimSuffix(rest, around[0][1])), marks()
			continue
		}
		around = around[1:]
	}
	for _, s := range []string{scheme, mobileScheme} {
		if rest, found := after(strings.TrimSuffix(s, ":")+"%3A", text); found {
			if plain, err := url.PathUnescape(rest); err == nil && !strings.Contains(rest, "?") && strings.Contains(plain, "?") {
				rest = plain
			}
			text = s + rest
		}
	}
	if starts(text) {
		text = regexp.MustCompile(`&amp;(amount|asset|memo)=`).ReplaceAllString(text, "&$1=")
	}
	return text
}

// surplus returns what stands in a link and does not belong to it, as the end of a sentence, "" if nothing does. A link has neither blanks nor line
// ends: what follows one is another text, which would become a part of the memo.
func surplus(text string, own bool) string {
	for i, r := range []rune(text) {
		if usertext.IsBlank(r) || unicode.IsControl(r) {
			return fmt.Sprintf("text follows the payment link, after a blank or line end (its character %d); take it out, as it would become part of the payment", i+1)
		}
	}
	for _, m := range marks() {
		if own && strings.HasSuffix(text, m[1]) {
			return "the payment link ends with " + m[1] + ", which belongs to the text around it; take that out"
		}
	}
	return ""
}

// stop returns what of the sentence around it a link ends with, as surplus does: no account, amount or asset ends with such a sign. A memo can.
func stop(query string, asks bool, rest string) string {
	last, _, _ := strings.Cut(query[strings.LastIndex(query, "&")+1:], "=")
	if asks && last != "amount" && last != "asset" {
		return ""
	}
	sign, _ := utf8.DecodeLastRuneInString(rest)
	if sign != utf8.RuneError && strings.ContainsRune(".,;:!?…。，！", sign) {
		return "the payment link ends with " + string(sign) + ", which belongs to the text around it; take that out"
	}
	return ""
}

// after returns what follows a scheme, written in any letter case.
func after(scheme, text string) (rest string, found bool) {
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return "", false
	}
	return text[len(scheme):], true
}

// String returns the link; empty fields are left out.
func (l Link) String() string {
	out, sep := scheme+url.PathEscape(l.To), "?"
	for _, p := range l.parameters() {
		if *p.value != "" {
			out += sep + p.name + "=" + strings.ReplaceAll(url.QueryEscape(*p.value), "+", "%20")
			sep = "&"
		}
	}
	return out
}

type parameter struct {
	name  string
	value *string
}

func (l *Link) parameters() []parameter {
	return []parameter{{"amount", &l.Amount}, {"asset", &l.Asset}, {"memo", &l.Memo}}
}

// Parse parses a link. A part that is unknown or occurs twice is an error: a link whose amount would be lost must not
// become a payment.
func Parse(text string) (Link, error) {
	var l Link
	whole := text
	text = alone(text)
	rest, own := after(scheme, text)
	if !own {
		mobile := false
		if rest, mobile = after(mobileScheme, text); !mobile {
			if inside().MatchString(whole) {
				return l, errors.New("there is a payment link inside this text; leave the link alone, with nothing before or behind it")
			}
			return l, errors.New(`a payment link begins with "dcore:" or "decent:"`)
		}
		rest = strings.TrimPrefix(rest, "//")
	}
	if len(text) > longest {
		return l, fmt.Errorf("the payment link has %d bytes; at most %d are allowed", len(text), longest)
	}
	if why := surplus(text, own); why != "" {
		return l, errors.New(why)
	}
	to, query, asks := strings.Cut(rest, "?")
	if why := stop(query, asks, rest); why != "" {
		return l, errors.New(why)
	}
	if !own {
		query = strings.NewReplacer("+", "%2B", ";", "%3B").Replace(query)
	}
	to, err := url.PathUnescape(to)
	if err != nil {
		return l, fmt.Errorf("the payment link is damaged: %q is not an account", printable.Clip(to))
	}
	if _, idErr := ledger.ParseAccountID(to); idErr != nil {
		if err := ledger.ValidAccountName(to); err != nil {
			return l, fmt.Errorf("the payment link names no account: %w", err)
		}
	}
	l.To = to
	return l, l.readParameters(query)
}

// readParameters reads the part after the question mark.
func (l *Link) readParameters(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the payment link is damaged after its question mark; ask for a new one")
	}
	known := l.parameters()
	for name, texts := range values {
		at := slices.IndexFunc(known, func(p parameter) bool { return p.name == name })
		switch {
		case at < 0:
			return fmt.Errorf("the payment link has a part that is not known: %q; type the payment by hand", printable.Clip(name))
		case len(texts) > 1:
			return fmt.Errorf("the payment link says %s twice; ask for a new one", name)
		case !utf8.ValidString(texts[0]):
			return fmt.Errorf("the %s of the payment link is not text; ask for a new one", name)
		}
		*known[at].value = texts[0]
	}
	if secret := ledger.SecretIn(l.Memo); secret != "" {
		return errors.New("the memo of the payment link contains " + secret + ", which nobody else may see; pay without the link")
	}
	return nil
}
