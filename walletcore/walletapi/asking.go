package walletapi

import "strings"

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
	if p.bound.is(m) && strings.Contains(q.Sentence, "{") { // most questions are the name alone
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
