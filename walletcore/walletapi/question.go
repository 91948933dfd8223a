package walletapi

import (
	"fmt"
	"strings"
)

// Question is what a person is asked before a program may do something, and what
// the audit log says of it.
type Question struct {
	Sentence string // what the program wants to do, such as "export all private keys"; {name} stands for a parameter
	Typed    string // the word that a person types for a yes; "" = none
}

// longestAnswer bounds what a question repeats of a parameter, in bytes.
const longestAnswer = 80

// Asks is the question about a call, without parameters while it is not bound.
func (m *Method) Asks(p Params) Question {
	if p.bound == nil {
		return m.question(nil)
	}
	return m.question(p.bound.values)
}

// question is the method's with the parameters put in. Operations that are not
// about keys or the password, and those without a declaration, are named.
func (m *Method) question(values []any) Question {
	q := m.Question
	if q.Sentence == "" {
		q.Sentence = "call " + m.Name
	}
	var words []string
	for i, p := range m.Params {
		if i < len(values) && !p.Secret {
			text := fmt.Sprint(values[i])
			if len(text) > longestAnswer {
				text = strings.ToValidUTF8(text[:longestAnswer], "") + "…"
			}
			words = append(words, "{"+p.Name+"}", text)
		}
	}
	q.Sentence = strings.NewReplacer(words...).Replace(q.Sentence)
	return q
}
