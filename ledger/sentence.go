package ledger

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Namer turns what a sentence mentions into the words a person knows.
type Namer interface {
	AccountName(AccountID) string  // "alice"
	AssetName(AssetID) string      // "DCT"
	AmountText(AssetAmount) string // "12.25000000 DCT"
}

// speaker is a body whose sentence depends on more than its members' values.
type speaker interface{ sentence(Namer) string }

// Sentence says in words what an operation does: "alice paid 12.25000000 DCT to
// bobby". Text that others wrote stands in it as it is; whoever shows it cleans
// it. Of an operation of a newer ledger only the number is known.
func Sentence(op Operation, n Namer) string {
	if op.Body == nil {
		return "operation " + strconv.FormatUint(uint64(op.Code), 10) + " of a newer ledger"
	}
	if s, ok := op.Body.(speaker); ok {
		return s.sentence(n)
	}
	return fill(specOf(op.Code).sentence, reflect.ValueOf(op.Body).Elem(), n)
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

// member finds a member by its JSON name, "options.issuer" by its path.
func member(v reflect.Value, path string) reflect.Value {
	for name := range strings.SplitSeq(path, ".") {
		for _, f := range fieldsOf(v.Type()) {
			if f.name == name {
				v = v.Field(f.index)
				break
			}
		}
	}
	return v
}

// word shows one member.
func word(v reflect.Value, n Namer) string {
	switch x := v.Interface().(type) {
	case AccountID:
		return n.AccountName(x)
	case AssetID:
		return n.AssetName(x)
	case AssetAmount:
		return n.AmountText(x)
	case ObjectID:
		return objectWord(x, n)
	case []AccountID:
		return accountWords(x, n)
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

func (op *AccountUpdateOp) sentence(n Namer) string {
	var what []string
	if op.Owner != nil {
		what = append(what, "owner authority")
	}
	if op.Active != nil {
		what = append(what, "active authority")
	}
	if op.NewOptions != nil {
		what = append(what, "options")
	}
	return n.AccountName(op.Account) + " changed its " + strings.Join(what, ", ")
}

func (op *ProposalCreateOp) sentence(n Namer) string {
	what := make([]string, len(op.ProposedOps))
	for i, p := range op.ProposedOps {
		what[i] = Sentence(p.Op, n)
	}
	return n.AccountName(op.FeePayingAccount) + " proposed: " + strings.Join(what, "; ")
}

func (op *ProposalUpdateOp) sentence(n Namer) string {
	added := len(op.ActiveApprovalsToAdd) + len(op.OwnerApprovalsToAdd) + len(op.KeyApprovalsToAdd)
	removed := len(op.ActiveApprovalsToRemove) + len(op.OwnerApprovalsToRemove) + len(op.KeyApprovalsToRemove)
	verb := "changed approvals of"
	switch {
	case removed == 0:
		verb = "approved"
	case added == 0:
		verb = "withdrew approval of"
	}
	return fmt.Sprintf("%s %s the proposal %s", n.AccountName(op.FeePayingAccount), verb, op.Proposal)
}

func (op *CustomOp) sentence(n Namer) string {
	who := n.AccountName(op.Payer)
	if m, err := ReadMessage(op.Data); op.ID == MessageID && err == nil {
		return who + " sent a message to " + accountWords(m.receivers(), n)
	}
	return fmt.Sprintf("%s wrote custom data of kind %d", who, op.ID)
}

func (op *LeaveRatingAndCommentOp) sentence(n Namer) string {
	text := n.AccountName(op.Consumer)
	switch {
	case op.Rating != 0 && op.Comment != "":
		text += fmt.Sprintf(" rated %s with %d and commented", op.URI, op.Rating)
	case op.Rating != 0:
		text += fmt.Sprintf(" rated %s with %d", op.URI, op.Rating)
	default:
		text += " commented on " + op.URI
	}
	return text
}
