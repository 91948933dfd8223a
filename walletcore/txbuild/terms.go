package txbuild

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Term is one thing that a person approves with a review, in a form that can be kept and compared with a later one.
type Term struct{ Name, Value string }

// memoTo matches the key that a memo is encrypted to, in the JSON of a transaction.
var memoTo = regexp.MustCompile(`"memo"\s*:\s*\{[^{}]*?"to"\s*:\s*"([^"]*)"`)

// Terms returns what a person approves with a review that is signed only later, when it is built again: all that it says, except for what
// is another each time (reference block, expiration, the nonce of a memo) and the balance as long as less than half of it goes.
func (r Review) Terms() []Term {
	list := func(n int, at func(i int) string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = at(i)
		}
		return strings.Join(all, "; ")
	}
	var memoKeys []string
	for _, found := range memoTo.FindAllStringSubmatch(r.JSON, -1) {
		memoKeys = append(memoKeys, found[1])
	}
	repeats := ""
	if r.Repeats != nil {
		repeats = fmt.Sprint("one of ", r.PaidBefore)
	}
	return []Term{
		{"the operation", r.Operation},
		{"the chain", r.Chain.String()},
		{"the payer", r.From.ID.String()},
		{"the recipient", r.To.Name + " " + r.To.ID.String() + " " + r.ToObject.String()},
		{"the amount", fmt.Sprint(r.Amount, " of ", r.Asset.ID)},
		{"what goes to whom", list(len(r.Moves), func(i int) string { m := r.Moves[i]; return fmt.Sprint(m.From, m.To, m.Asset.ID, m.Amount) })},
		{"the fee", fmt.Sprint(r.Fee, " of ", r.FeeAsset.ID)},
		{"the memo", fmt.Sprint(r.MemoState, r.Memo)},
		{"the key of the memo", strings.Join(memoKeys, " ")},
		{"the keys that sign", list(len(r.SignsWith), func(i int) string { return r.SignsWith[i].String() })},
		{"who has to sign", list(len(r.Signers), func(i int) string { return fmt.Sprint(r.Signers[i].Account.ID, r.Signers[i].Role, r.Signers[i].Met) })},
		{"what else it does", list(len(r.Effects), func(i int) string { return fmt.Sprintf("%+v", r.Effects[i]) })},
		{"whether it is signed here", fmt.Sprint(r.Outcome)},
		{"whether it is a first payment", fmt.Sprint(r.FirstTime, r.Unnamed)},
		{"the names it is easily mistaken for", list(len(r.LooksLike), func(i int) string { return r.LooksLike[i].ID.String() })},
		{"what changed about the recipient", list(len(r.Changed), func(i int) string {
			return fmt.Sprint(r.Changed[i].Account.ID, r.Changed[i].Of, r.Changed[i].What, r.Changed[i].Now)
		})},
		{"whether the fee leaps", fmt.Sprint(r.FeeLeaps)},
		{"whether the same was paid lately", repeats},
		{"whether it takes more than half of the balance", fmt.Sprint(slices.ContainsFunc(r.Outgoing, Outgoing.isMost))},
	}
}

// ChangedTerm returns the name of the first term that is another now; empty if all are the same.
func ChangedTerm(approved, now []Term) string {
	for i, t := range now {
		if i >= len(approved) || approved[i] != t {
			return t.Name
		}
	}
	if len(approved) > len(now) {
		return approved[len(now)].Name
	}
	return ""
}

func (o Outgoing) isMost() bool { return o.Amount > o.Available/2 }
