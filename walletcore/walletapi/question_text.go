package walletapi

import "strings"

// maxAnswer is the maximum length, in bytes, of the part of a parameter's text that a question repeats.
const maxAnswer = 80

// QuestionFor returns the question about a call. Its placeholders are filled in
// only if the call is bound. For an operation that declares no question it names
// the operation.
func (m *Method) QuestionFor(p Params) Question {
	q := m.Question
	if q.Sentence == "" {
		q.Sentence = "call " + m.Name
	}
	if p.bound.isFor(m) && strings.Contains(q.Sentence, "{") { // most questions are the name alone
		q.Sentence = m.fillIn(q.Sentence, p.bound)
	}
	return q
}

// fillIn replaces the placeholders of a sentence by the parameters that are not secret.
func (m *Method) fillIn(sentence string, b *bound) string {
	var words []string
	for i := range m.params.params {
		if p := &m.params.params[i]; !p.Secret {
			text := textOf(b.value.FieldByIndex(p.index))
			if len(text) > maxAnswer {
				text = strings.ToValidUTF8(text[:maxAnswer], "") + "…"
			}
			words = append(words, "{"+p.Name+"}", text)
		}
	}
	return strings.NewReplacer(words...).Replace(sentence)
}
