package ledger

import (
	"fmt"
	"reflect"
	"strings"

	"billfold/ledger/printable"
)

// Namer turns what a sentence mentions into words that a person knows.
type Namer interface {
	AccountName(AccountID) string  // "alice"
	AssetName(AssetID) string      // "DCT"
	KindName(NFTID) string         // "CARDS (1.10.0)"
	AmountText(AssetAmount) string // "12.25000000 DCT"
}

// sentence describes in words what an operation does.
type sentence interface {
	of(body any, n Namer) string
}

// template is a sentence with members in braces: {from}, {options.issuer}, or
// {member:yes|no} to choose a word by a boolean.
type template string

// wording is a sentence that depends on more than the members' values.
type wording func(body any, n Namer) string

func (w wording) of(body any, n Namer) string { return w(body, n) }

func (t template) of(body any, n Namer) string {
	return fill(string(t), reflect.ValueOf(body).Elem(), n)
}

// fill replaces {member} and {member:yes|no} in a template.
func fill(template string, v reflect.Value, n Namer) string {
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(template, "{")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		path, words, choice := strings.Cut(name, ":")
		value := member(v, path)
		if choice {
			yes, no, _ := strings.Cut(words, "|")
			b.WriteString(map[bool]string{true: yes, false: no}[value.Bool()])
		} else {
			b.WriteString(word(value, n))
		}
		template = after
	}
}

// member finds a member by the path of its JSON names, such as "options.issuer".
func member(v reflect.Value, path string) reflect.Value {
	for name := range strings.SplitSeq(path, ".") {
		t := v.Type()
		for i := range t.NumField() {
			if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag == name {
				v = v.Field(i)
				break
			}
		}
	}
	return v
}

// word returns one member as text.
func word(v reflect.Value, n Namer) string {
	switch x := v.Interface().(type) {
	case AccountID:
		return n.AccountName(x)
	case AssetID:
		return n.AssetName(x)
	case NFTID:
		return n.KindName(x)
	case AssetAmount:
		return n.AmountText(x)
	case ObjectID:
		return objectWord(x, n)
	case []AccountID:
		return accountWords(x, n)
	case Time:
		return x.Words()
	case string: // written by whoever made the operation
		return printable.Word(x)
	case fmt.Stringer:
		return x.String()
	}
	return fmt.Sprint(v.Interface())
}

func objectWord(id ObjectID, n Namer) string {
	if account := AccountID(id.Instance()); account.Object() == id {
		return n.AccountName(account)
	}
	return id.String()
}

func accountWords(ids []AccountID, n Namer) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = n.AccountName(id)
	}
	return strings.Join(names, ", ")
}

// bodyWithIntent is a body whose intent is not just its sentence in another tense.
type bodyWithIntent interface{ intent(n Namer) string }

// Intent returns in words what an operation will do: "alice pays 12.25000000 DCT to bobby". It is Sentence in the
// present tense, for operations that are not applied yet.
func Intent(op Operation, n Namer) string {
	if body, ok := op.Body.(bodyWithIntent); ok {
		return body.intent(n)
	}
	done := Sentence(op, n)
	if op.Body == nil {
		return done
	}
	words := strings.Split(done, " ") // the first word, or more, names who does it
	for i := 1; i < len(words) && words[i] != "no"; i++ {
		if verb := presentTense(words[i]); verb != "" {
			words[i] = verb
			break
		}
	}
	return strings.Join(words, " ")
}

// presentTense returns a verb of the sentences in the present tense, or "" if the word is not one of them.
func presentTense(verb string) string {
	return map[string]string{
		"allowed": "allows", "approved": "approves", "became": "becomes", "bought": "buys", "burned": "burns", "changed": "changes",
		"commented": "comments", "created": "creates", "delivered": "delivers", "dismissed": "dismisses", "gave": "gives",
		"issued": "issues", "made": "makes", "named": "names", "offered": "offers", "paid": "pays", "proved": "proves",
		"published": "publishes", "rated": "rates", "registered": "registers", "reported": "reports", "sent": "sends", "set": "sets",
		"subscribed": "subscribes", "switched": "switches", "took": "takes", "withdrew": "withdraws", "wrote": "writes",
	}[verb]
}
