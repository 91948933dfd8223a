// Package filter parses the words by which people filter a history, such as "with:carol since:90d amount>10", into a
// filter of the index. A word that it does not understand is a Mistake, which has its position and the nearest word.
package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"billfold/ledger/usertext"
)

// Mistake is a word of a filter that is not understood.
type Mistake struct {
	From, To int    // the bytes of the text that are wrong
	What     string // "no such operation"
	Nearest  string // what may have been meant instead of them; usually empty
}

// Error implements error.
func (m *Mistake) Error() string {
	if m.Nearest == "" {
		return m.What
	}
	return m.What + ", nearest: " + m.Nearest
}

// node is a part of a filter. One of its members is set.
type node struct {
	all, any []node
	not      *node
	word     *word
}

// word is one condition: with:carol, amount>10, carol.
type word struct {
	field   string // empty: a plain word
	compare string // ":", ">", ">=", "<", "<=", "="
	value   string
	at      int // where value begins in the text
	from    int // where the whole word begins
	to      int // where it ends
}

func (w word) mistake(what, nearest string) error {
	return &Mistake{From: w.from, To: w.to, What: what, Nearest: nearest}
}

// wrong returns a mistake in the value alone.
func (w word) wrong(what, nearest string) error {
	return &Mistake{From: w.at, To: w.to, What: what, Nearest: nearest}
}

// The bounds of a filter, which is typed by a person, not made by a program.
const (
	maxWords  = 60
	maxDepth  = 20
	maxLetter = 2000
)

// fields returns the words that may come before a colon.
func fields() []string {
	return []string{
		"with",
		"from",
		"to",
		"type",
		"asset",
		"amount",
		"min",
		"max",
		"dir",
		"memo",
		"label",
		"since",
		"until",
		"on",
		"block",
		"id",
		"tx",
		"state",
	}
}

// parse parses a filter. Words combine with and; "or" between two of them binds
// tighter, as in search fields; "not" or a minus sign negates the one after it;
// parentheses group, and quotes keep spaces. The error is a *Mistake.
func parse(text string) (node, error) {
	if len(text) > maxLetter {
		return node{}, &Mistake{From: maxLetter, To: len(text), What: "the filter is too long"}
	}
	if !utf8.ValidString(text) {
		return node{}, &Mistake{To: len(text), What: "this is not text"}
	}
	p := &parser{end: len(text)}
	var err error
	if p.tokens, err = tokens(text); err != nil {
		return node{}, err
	}
	if len(p.tokens) > maxWords {
		return node{}, &Mistake{From: p.tokens[maxWords].from, To: len(text), What: fmt.Sprintf("more than %d words", maxWords)}
	}
	all, err := p.all(0)
	if err == nil && p.at < len(p.tokens) {
		err = p.tokens[p.at].mistake("there is no opening bracket for this one")
	}
	return all, err
}

// token is a word or a parenthesis. Quoted text is never a word with a special
// meaning.
type token struct {
	text     string // without the quotes
	from, to int
	quoted   int // index in text of the first quoted letter; -1: none
}

func (t token) is(word string) bool { return t.quoted < 0 && t.text == word }

func (t token) mistake(what string) error {
	return &Mistake{From: t.from, To: t.to, What: what}
}

// tokens splits at spaces and parentheses outside quotes. A quote that is not closed
// extends to the end, since it may still be being typed.
func tokens(text string) ([]token, error) {
	var out []token
	word := token{from: -1, quoted: -1}
	end := func(at int) {
		if word.from >= 0 {
			word.to = at
			out = append(out, word)
		}
		word = token{from: -1, quoted: -1}
	}
	quoted := false
	for i, r := range text {
		if !quoted && (r == ' ' || r == '(' || r == ')') {
			minus := word.text == "-" && r == '('
			end(i)
			if r != ' ' {
				out = append(out, token{text: string(r), from: i, to: i + 1, quoted: -1})
			}
			if minus {
				out[len(out)-2].text = "not"
			}
			continue
		}
		if word.from < 0 {
			word.from = i
		}
		if r == '"' {
			quoted = !quoted
			if word.quoted < 0 {
				word.quoted = len(word.text)
			}
			continue
		}
		word.text += string(r)
	}
	end(len(text))
	return out, nil
}

// parser goes through the tokens once.
type parser struct {
	tokens []token
	at     int
	end    int
}

// next consumes the next token if it is that special word, and reports whether it was.
func (p *parser) next(word string) bool {
	if p.at < len(p.tokens) && p.tokens[p.at].is(word) {
		p.at++
		return true
	}
	return false
}

// all parses terms that combine with and, up to the end or a closing parenthesis.
func (p *parser) all(depth int) (out node, err error) {
	for p.at < len(p.tokens) && !p.tokens[p.at].is(")") {
		if len(out.all) > 0 && p.next("and") {
			continue
		}
		one, err := p.any(depth)
		if err != nil {
			return out, err
		}
		out.all = append(out.all, one)
	}
	return out, nil
}

// any parses terms joined by "or".
func (p *parser) any(depth int) (out node, err error) {
	for {
		one, err := p.one(depth)
		if err != nil {
			return out, err
		}
		out.any = append(out.any, one)
		if !p.next("or") {
			if len(out.any) == 1 {
				return one, nil
			}
			return out, nil
		}
	}
}

// one parses a word, a group, or a negation.
func (p *parser) one(depth int) (node, error) {
	if p.at >= len(p.tokens) {
		return node{}, &Mistake{From: p.end, To: p.end, What: "a word is missing here"}
	}
	t := p.tokens[p.at]
	switch {
	case depth > maxDepth:
		return node{}, t.mistake("groups are nested too deep")
	case p.next("not"):
		one, err := p.one(depth + 1)
		return node{not: &one}, err
	case p.next("("):
		inner, err := p.all(depth + 1)
		if err == nil && len(inner.all) == 0 {
			err = t.mistake("the group is empty")
		}
		if err == nil && !p.next(")") {
			err = t.mistake("the group is not closed")
		}
		return inner, err
	case t.is("or"), t.is("and"), t.is(")"):
		return node{}, t.mistake("a word is missing before this")
	case t.is("OR"), t.is("AND"), t.is("NOT"):
		return node{}, &Mistake{From: t.from, To: t.to, What: "such a word is written in small letters, and between quotes where it is to be found", Nearest: strings.ToLower(t.text)}
	}
	p.at++
	return t.node()
}

// node parses one word, with its minus sign, field and comparison.
func (t token) node() (node, error) {
	if rest, found := strings.CutPrefix(t.text, "-"); found && t.quoted != 0 {
		if rest == "" && t.quoted < 0 {
			return node{}, t.mistake("a word is missing after this")
		}
		t.text, t.from = rest, t.from+1
		if t.quoted > 0 {
			t.quoted--
		}
		one, err := t.node()
		return node{not: &one}, err
	}
	if t.quoted < 0 {
		if strings.Trim(t.text, ":<>=") == "" {
			return node{}, t.mistake("nothing stands between a word, its sign and its value; write amount>100")
		}
		if sign := usertext.DashInFront(t.text); sign != "" && strings.ContainsAny(t.text, ":<>=") {
			_, size := utf8.DecodeRuneInString(t.text)
			return node{}, &Mistake{From: t.from, To: t.to, What: "it has " + sign, Nearest: "-" + t.text[size:]}
		}
	}
	w := word{value: t.text, at: t.from, from: t.from, to: t.to}
	i := strings.IndexAny(t.text, ":<>=")
	if i <= 0 || t.quoted >= 0 && t.quoted <= i {
		if t.text == "" {
			return node{}, t.mistake("the quotes are empty")
		}
		return node{word: &w}, nil
	}
	w.field, w.compare = strings.ToLower(t.text[:i]), t.text[i:i+1]
	if w.compare != ":" && w.compare != "=" && strings.HasPrefix(t.text[i+1:], "=") {
		w.compare += "="
	}
	w.value = t.text[i+len(w.compare):]
	w.at = min(t.from+i+len(w.compare), t.to)
	return node{word: &w}, w.check()
}

// check returns a mistake in a word that does not depend on the history.
func (w word) check() error {
	switch {
	case !slices.Contains(fields(), w.field):
		name := w
		name.to = w.at - len(w.compare)
		return name.mistake("no such word", nearest(w.field, fields()))
	case w.value == "":
		return w.mistake("something is missing after "+w.field+w.compare, "")
	case w.compare != ":" && w.field != "amount":
		return w.mistake("only amount can be compared; write "+w.field+":", "")
	}
	return nil
}

// gap returns a mistake where nothing stands beside a comma.
func (w word) gap() error {
	at := strings.Index(","+w.value+",", ",,")
	if at < 0 {
		return nil
	}
	comma := max(at-1, 0)
	w.at = min(w.at+comma, w.to)
	w.to = min(w.at+1, w.to)
	return w.wrong("a name is missing beside this comma", "")
}

// part returns a mistake in one of the values between commas.
func (w word) part(value, what, nearest string) error {
	if i := strings.Index(strings.ToLower(w.value), strings.ReplaceAll(value, " ", "-")); i > 0 {
		w.at = min(w.at+i, w.to)
		w.to = min(w.at+len(value), w.to)
	} else if before, _, more := strings.Cut(w.value, ","); more {
		w.to = min(w.at+len(before), w.to)
	}
	return w.wrong(what, strings.ReplaceAll(nearest, " ", "-"))
}

func (w word) tooMany() error {
	return w.wrong("more than "+strconv.Itoa(maxAccounts)+" accounts match", "")
}
