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
	"slices"
	"strings"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/printable"
)

const (
	scheme       = "dcore:"
	mobileScheme = "decent:" // as the mobile wallets write

	// longest is how many bytes a link may have, more than a QR code holds.
	longest = 4096
)

// Link is the contents of a payment link. Only To is always there.
type Link struct {
	To     string // an account name or id
	Amount string // decimal text
	Asset  string // a symbol
	Memo   string
}

// Is reports whether a text starts like a payment link.
func Is(text string) bool {
	_, own := after(scheme, text)
	_, mobile := after(mobileScheme, text)
	return own || mobile
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
	rest, own := after(scheme, text)
	if !own {
		mobile := false
		if rest, mobile = after(mobileScheme, text); !mobile {
			return l, errors.New(`a payment link begins with "dcore:" or "decent:"`)
		}
		rest = strings.TrimPrefix(rest, "//")
	}
	if len(text) > longest {
		return l, fmt.Errorf("the payment link has %d bytes; at most %d are allowed", len(text), longest)
	}
	to, query, _ := strings.Cut(rest, "?")
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
	return nil
}
