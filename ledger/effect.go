package ledger

import (
	"fmt"
	"reflect"
	"strings"
)

// Effect is something that an operation changes besides moving money. Text that
// others wrote is included unescaped.
type Effect struct {
	What string `json:"what" help:"what changes"`
	Was  string `json:"was,omitempty" help:"how it is now, if known"`
	Now  string `json:"now,omitempty" help:"how it will be"`
	Note string `json:"note,omitempty" help:"what follows from it"`

	Careful string `json:"careful,omitempty" help:"what to consider before signing"`

	// Whom are the accounts, other than the fee payer, that gain power or value and that nothing else in a review asks about.
	Whom []AccountID `json:"-"`

	Paid    []AccountID `json:"-"` // accounts that the operation pays without naming them
	Unnamed bool        `json:"-"` // the operation pays an account that it does not name and that is not known now

	Overpaid bool `json:"-"` // more is paid than is asked

	Approved bool `json:"-"` // it is an effect of the proposal that the operation approves, not of the operation itself
}

// Before is the ledger before operations are applied. What is not known is nil or empty.
type Before interface {
	Account(AccountID) *Account
	Asset(AssetID) *Asset
	Proposal(ProposalID) *Proposal
	Parameters() *ChainParameters
	VoteName(VoteID) string // whom the vote is for
	Subscription(subscriber, author AccountID) *Terms
	Content(uri string, region uint32) *Terms
}

// together is the ledger before operations that are applied in one transaction, and those operations.
type together struct {
	Before
	ops []Operation
}

// Together returns the ledger before operations that are applied in one transaction. With it, Effects of one of them
// takes the others into account.
func Together(before Before, ops []Operation) Before { return together{before, ops} }

// bodyWithEffects is a body whose sentence does not name everything that it changes: who can take an amount out again, who may
// issue, vote or publish afterwards, and what is lost for ever or for a long time.
type bodyWithEffects interface {
	effects(Before, Namer) []Effect
}

// Effects lists what an operation changes beyond its sentence and what it moves. If the operation is one of several,
// before must come from Together.
func Effects(op Operation, before Before, n Namer) []Effect {
	body, ok := op.Body.(bodyWithEffects)
	if !ok {
		return nil
	}
	if _, ok := before.(together); !ok {
		before = Together(before, []Operation{op})
	}
	return body.effects(before, n)
}

// changeOf returns one effect, or none if nothing changes.
func changeOf(what, was, now string) []Effect {
	if was == now {
		return nil
	}
	return []Effect{{What: what, Was: was, Now: now}}
}

// withID returns an account's name with its id, since names can look alike.
func withID(id AccountID, n Namer) string {
	name := n.AccountName(id)
	if strings.Contains(name, id.String()) {
		return name
	}
	return name + " (" + id.String() + ")"
}

// allWithIDs returns a list of accounts by name and id.
func allWithIDs(ids []AccountID, n Namer) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = withID(id, n)
	}
	return strings.Join(words, ", ")
}

// words names the parties: "needs 2: alice (1.2.34) weight 1, DCT6M… weight 1". A single party that suffices is named
// without its weight.
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

// memberEffects compares the booleans and numbers of two structs of one type, naming them by their JSON names.
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

// memberWords returns a member's value, a duration in words.
func memberWords(name string, v reflect.Value) string {
	if InSeconds(name) && v.CanUint() {
		return DurationWords(v.Uint())
	}
	return fmt.Sprint(v.Interface())
}

// Terms are the terms of a subscription or of content.
type Terms struct {
	Price  AssetAmount // in the asset that is paid
	Days   uint32      // how long it lasts; 0 means for ever
	Until  Time        // when it ends if it is paid now
	Closed bool        // it is not on offer
	By     []AccountID // of content: who receives the price

	Package string // of content: what is bought
}

// notKnown takes the place of a present value that is not known; an absent value is never shown as notKnown.
const notKnown = "not known here"

// words returns the price and the period it pays for.
func (a *Terms) words(n Namer) string {
	switch {
	case a == nil:
		return notKnown
	case a.Closed:
		return "nothing: it is not on offer"
	case a.Days == 0:
		return n.AmountText(a.Price)
	}
	return n.AmountText(a.Price) + " for " + DurationWords(uint64(a.Days)*86400) + " (until " + a.Until.Words() + ")"
}

// excess returns how much more than the price is paid.
func (a *Terms) excess(paid int64, n Namer) string {
	price := a.Price.Amount
	if price <= 0 || paid/price < 2 {
		return n.AmountText(AssetAmount{Amount: paid - max(price, 0), AssetID: a.Price.AssetID}) + " more than that"
	}
	if paid%price != 0 {
		return fmt.Sprintf("more than %d times that", paid/price)
	}
	return fmt.Sprintf("%d times that", paid/price)
}

// termsEffect returns the price that a seller asks, and warns if more is paid: the ledger takes all that is offered.
func termsEffect(a *Terms, who string, paid AssetAmount, n Namer) []Effect {
	e := Effect{What: "what " + who + " asks", Now: a.words(n)}
	if a != nil && !a.Closed && a.Price.AssetID == paid.AssetID && paid.Amount > a.Price.Amount {
		e.Overpaid = true
		e.Careful = who + " asks " + e.Now + "; " + a.excess(paid.Amount, n) + " is paid, and the ledger takes all of it"
	}
	return []Effect{e}
}
