package walletapi

import "strings"

// Question is what a person is asked before a program may do something, and what
// the audit log says of it.
type Question struct {
	Sentence string // what the program wants to do, such as "export all private keys"; {name} stands for a parameter
	Typed    string // the word that a person types for a yes; "" = none
}

// longestAnswer bounds what a question repeats of a parameter, in bytes.
const longestAnswer = 80

// Asks is the question about a call, without parameters while it is not bound.
// Operations that are not about keys or the password, and those without a
// declaration, are named.
func (m *Method) Asks(p Params) Question {
	q := m.Question
	if q.Sentence == "" {
		q.Sentence = "call " + m.Name
	}
	if p.bound.is(m) {
		q.Sentence = m.filled(q.Sentence, p.bound)
	}
	return q
}

// filled puts the parameters that are no secret into a sentence.
func (m *Method) filled(sentence string, b *bound) string {
	var words []string
	for i := range m.params.params {
		if p := &m.params.params[i]; !p.Secret {
			text := textOf(b.value.FieldByIndex(p.index))
			if len(text) > longestAnswer {
				text = strings.ToValidUTF8(text[:longestAnswer], "") + "…"
			}
			words = append(words, "{"+p.Name+"}", text)
		}
	}
	return strings.NewReplacer(words...).Replace(sentence)
}
