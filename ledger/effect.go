package ledger

import (
	"fmt"
	"reflect"
	"strings"
)

// Effect is something that an operation changes besides moving money. Text that
// others wrote stands in it as it is.
type Effect struct {
	What string `json:"what" help:"what changes"`
	Was  string `json:"was,omitempty" help:"how it is now, as far as that is known"`
	Now  string `json:"now,omitempty" help:"how it will be"`
	Note string `json:"note,omitempty" help:"what follows from it"`

	Careful string `json:"careful,omitempty" help:"what to think of before it is signed"`

	Whom []AccountID `json:"-"` // who gets power or value by it that nothing else in a review asks about, other than the fee payer

	Paid    []AccountID `json:"-"` // who gets what the operation pays, and is not named in it
	Unnamed bool        `json:"-"` // the operation pays somebody who is not named in it, and cannot be told now

	Dear bool `json:"-"` // more is paid than is asked for it

	Approved bool `json:"-"` // it is of the proposal that an operation approves, not of the operation
}

// Before is the ledger before operations are applied. What is not known is nil, or empty.
type Before interface {
	Account(AccountID) *Account
	Asset(AssetID) *Asset
	Proposal(ProposalID) *Proposal
	Parameters() *ChainParameters
	VoteName(VoteID) string // who is voted for
	Subscription(subscriber, author AccountID) *Terms
	Content(uri string, region uint32) *Terms
}

// together is the ledger before operations that are done in one go, and what they are.
type together struct {
	Before
	ops []Operation
}

// Together is the ledger before operations that are done in one go: what Effects says of one of them then counts the others in.
func Together(before Before, ops []Operation) Before { return together{before, ops} }

// effective is a body whose sentence does not name everything that it changes.
type effective interface {
	effects(Before, Namer) []Effect
}

// Effects lists what an operation changes, beyond its sentence and what it moves. Before is that of Together where it is one of several.
func Effects(op Operation, before Before, n Namer) []Effect {
	e, has := op.Body.(effective)
	if !has {
		return nil
	}
	if _, is := before.(together); !is {
		before = Together(before, []Operation{op})
	}
	return e.effects(before, n)
}

// changeOf is one effect, unless nothing changes.
func changeOf(what, was, now string) []Effect {
	if was == now {
		return nil
	}
	return []Effect{{What: what, Was: was, Now: now}}
}

// withID is an account's name with its id, since names look alike.
func withID(id AccountID, n Namer) string {
	name := n.AccountName(id)
	if strings.Contains(name, id.String()) {
		return name
	}
	return name + " (" + id.String() + ")"
}

// allWithIDs is a list of accounts.
func allWithIDs(ids []AccountID, n Namer) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = withID(id, n)
	}
	return strings.Join(words, ", ")
}

// words names the parties: "needs 2: alice (1.2.34) weight 1, DCT6M… weight 1", or the only one.
func (a Authority) words(n Namer) string {
	parties := a.parties(n)
	if len(parties) == 1 && a.WeightThreshold > 0 && parties[0].weight >= uint64(a.WeightThreshold) {
		return parties[0].name
	}
	list := make([]string, len(parties))
	for i, p := range parties {
		list[i] = fmt.Sprintf("%s weight %d", p.name, p.weight)
	}
	return fmt.Sprintf("needs %d: %s", a.WeightThreshold, strings.Join(list, ", "))
}

// party is an account or key with its weight.
type party struct {
	name   string
	weight uint64
}

func (a Authority) parties(n Namer) []party {
	out := make([]party, 0, a.Members())
	for _, w := range a.AccountAuths {
		out = append(out, party{withID(w.Account, n), uint64(w.Weight)})
	}
	for _, w := range a.KeyAuths {
		out = append(out, party{w.Key.String(), uint64(w.Weight)})
	}
	return out
}

// memberEffects compares structs member by member, by their JSON names.
func memberEffects(was, now any) (out []Effect) {
	a, b := reflect.ValueOf(was), reflect.ValueOf(now)
	for i := range b.NumField() {
		name, _, _ := strings.Cut(b.Type().Field(i).Tag.Get("json"), ",")
		if kind := b.Field(i).Kind(); name != "" && kind >= reflect.Bool && kind <= reflect.Uint64 {
			out = append(out, changeOf(name, memberWords(name, a.Field(i)), memberWords(name, b.Field(i)))...)
		}
	}
	return out
}

// memberWords is a member's value, a length of time in words.
func memberWords(name string, v reflect.Value) string {
	if InSeconds(name) && v.CanUint() {
		return DurationWords(v.Uint())
	}
	return fmt.Sprint(v.Interface())
}
