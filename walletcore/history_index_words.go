package walletcore

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// HistoryMistake says what in the words of a filter is not understood.
type HistoryMistake struct {
	From, To int    // the bytes of the text that are meant
	What     string // "no such operation"
	Nearest  string // what may have been meant, to stand in their place; mostly empty
}

// Error implements error.
func (m *HistoryMistake) Error() string {
	if m.Nearest == "" {
		return m.What
	}
	return m.What + ", nearest: " + m.Nearest
}

// historyNode is a part of a filter: of its members, one is set.
type historyNode struct {
	all, any []historyNode
	not      *historyNode
	word     *historyWord
}

// historyWord is one condition: with:carol, amount>10, carol.
type historyWord struct {
	field   string // empty: a plain word
	compare string // ":", ">", ">=", "<", "<=", "="
	value   string
	at      int // where value begins
	from    int // where the whole word does
	to      int
}

func (w historyWord) mistake(what, nearest string) error {
	return &HistoryMistake{From: w.from, To: w.to, What: what, Nearest: nearest}
}

// wrong marks the value alone.
func (w historyWord) wrong(what, nearest string) error {
	return &HistoryMistake{From: w.at, To: w.to, What: what, Nearest: nearest}
}

// The bounds of a filter: a person's words, not a program's.
const (
	mostWords  = 60
	mostDepth  = 20
	mostLetter = 2000
)

// historyFields are the words that may stand before a colon.
func historyFields() []string {
	return []string{"with", "from", "to", "type", "asset", "amount", "min", "max", "dir", "memo", "since", "until", "on", "block", "id", "tx", "state"}
}

// parseHistoryWords reads a filter. Words combine with and; "or" between two of
// them binds tighter, as in search fields; "not" or a minus sign denies the one
// behind it; ( ) group and " " keep spaces. The error is a *HistoryMistake.
func parseHistoryWords(text string) (historyNode, error) {
	if len(text) > mostLetter {
		return historyNode{}, &HistoryMistake{From: mostLetter, To: len(text), What: "the filter is too long"}
	}
	if !utf8.ValidString(text) {
		return historyNode{}, &HistoryMistake{To: len(text), What: "this is not text"}
	}
	p := &historyParser{end: len(text)}
	var err error
	if p.tokens, err = historyTokens(text); err != nil {
		return historyNode{}, err
	}
	if len(p.tokens) > mostWords {
		return historyNode{}, &HistoryMistake{From: p.tokens[mostWords].from, To: len(text), What: fmt.Sprintf("more than %d words", mostWords)}
	}
	all, err := p.all(0)
	if err == nil && p.at < len(p.tokens) {
		err = p.tokens[p.at].mistake("nothing was opened that this closes")
	}
	return all, err
}

// historyToken is a word, or a parenthesis; what stands in quotes is never a
// word with a meaning of its own.
type historyToken struct {
	text     string // without the quotes
	from, to int
	quoted   int // where in text the first quoted letter is, -1: nowhere
}

func (t historyToken) is(word string) bool { return t.quoted < 0 && t.text == word }

func (t historyToken) mistake(what string) error {
	return &HistoryMistake{From: t.from, To: t.to, What: what}
}

// historyTokens splits at spaces and parentheses outside of quotes. A quote that is
// not closed goes on to the end: it is still being typed.
func historyTokens(text string) ([]historyToken, error) {
	var out []historyToken
	word := historyToken{from: -1, quoted: -1}
	end := func(at int) {
		if word.from >= 0 {
			word.to = at
			out = append(out, word)
		}
		word = historyToken{from: -1, quoted: -1}
	}
	quoted := false
	for i, r := range text {
		if !quoted && (r == ' ' || r == '(' || r == ')') {
			minus := word.text == "-" && r == '('
			end(i)
			if r != ' ' {
				out = append(out, historyToken{text: string(r), from: i, to: i + 1, quoted: -1})
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

// historyParser goes through the tokens once.
type historyParser struct {
	tokens []historyToken
	at     int
	end    int
}

// next says whether the next token is a word with that meaning, and takes it.
func (p *historyParser) next(word string) bool {
	if p.at < len(p.tokens) && p.tokens[p.at].is(word) {
		p.at++
		return true
	}
	return false
}

// all reads what combines with and, up to the end or a closing parenthesis.
func (p *historyParser) all(depth int) (out historyNode, err error) {
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

// any reads what "or" joins.
func (p *historyParser) any(depth int) (out historyNode, err error) {
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

// one reads a word, a group, or what is denied.
func (p *historyParser) one(depth int) (historyNode, error) {
	if p.at >= len(p.tokens) {
		return historyNode{}, &HistoryMistake{From: p.end, To: p.end, What: "a word is missing here"}
	}
	t := p.tokens[p.at]
	switch {
	case depth > mostDepth:
		return historyNode{}, t.mistake("too many groups within each other")
	case p.next("not"):
		one, err := p.one(depth + 1)
		return historyNode{not: &one}, err
	case p.next("("):
		inner, err := p.all(depth + 1)
		if err == nil && len(inner.all) == 0 {
			err = t.mistake("nothing stands in the group")
		}
		if err == nil && !p.next(")") {
			err = t.mistake("the group is not closed")
		}
		return inner, err
	case t.is("or"), t.is("and"), t.is(")"):
		return historyNode{}, t.mistake("a word is missing before this")
	}
	p.at++
	return t.node()
}

// node reads one word, with its minus sign, field and comparison.
func (t historyToken) node() (historyNode, error) {
	if rest, found := strings.CutPrefix(t.text, "-"); found && t.quoted != 0 {
		if rest == "" && t.quoted < 0 {
			return historyNode{}, t.mistake("a word is missing behind this")
		}
		t.text, t.from = rest, t.from+1
		if t.quoted > 0 {
			t.quoted--
		}
		one, err := t.node()
		return historyNode{not: &one}, err
	}
	w := historyWord{value: t.text, at: t.from, from: t.from, to: t.to}
	i := strings.IndexAny(t.text, ":<>=")
	if i <= 0 || t.quoted >= 0 && t.quoted <= i {
		if t.text == "" {
			return historyNode{}, t.mistake("nothing stands in the quotes")
		}
		return historyNode{word: &w}, nil
	}
	w.field, w.compare = strings.ToLower(t.text[:i]), t.text[i:i+1]
	if w.compare != ":" && w.compare != "=" && strings.HasPrefix(t.text[i+1:], "=") {
		w.compare += "="
	}
	w.value = t.text[i+len(w.compare):]
	w.at = min(t.from+i+len(w.compare), t.to)
	return historyNode{word: &w}, w.check()
}

// check finds what is wrong with a word whatever the history holds.
func (w historyWord) check() error {
	switch {
	case w.field == "label":
		return w.mistake("this version keeps no labels", "")
	case !slices.Contains(historyFields(), w.field):
		name := w
		name.to = w.at - len(w.compare)
		return name.mistake("no such word", nearest(w.field, historyFields()))
	case w.value == "":
		return w.mistake("something is missing behind "+w.field+w.compare, "")
	case w.compare != ":" && w.field != "amount":
		return w.mistake("only amount can be compared; write "+w.field+":", "")
	}
	return nil
}

// nearest finds the candidate that a word may have been meant to be: one that
// begins like it, else one that differs in few letters; empty when none does.
func nearest(word string, candidates []string) string {
	best, least := "", max(len(word)/3, 1)+1
	for _, c := range candidates {
		if word != "" && strings.HasPrefix(c, word) && (best == "" || least > 0 || len(c) < len(best)) {
			best, least = c, 0
			continue
		}
		if d := letters(word, c, least); d < least {
			best, least = c, d
		}
	}
	return best
}

// letters is how many letters must be added, taken away, changed or swapped with the
// next to make b of a; limit when it is that many or more.
func letters(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], limit)
}
