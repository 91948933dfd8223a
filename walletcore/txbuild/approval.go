package txbuild

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

// Approval is the approved content of a request that another call makes: the answer to its dry run.
type Approval struct {
	Operations []ledger.Operation `json:"operations"`
	Effects    []ledger.Effect    `json:"effects"`
}

// CheckApproval refuses operations of a request that are not what was approved, or have other effects. Parts of a content key do not count:
// each dry run makes a key of its own. Errors: fault.StateChanged, the daemon's.
func (f *Factory) CheckApproval(ctx context.Context, r Request, approved *Approval, ops []ledger.Operation) error {
	if approved == nil {
		return nil
	}
	now, err := f.Explain(ctx, ops...)
	if err != nil {
		return err
	}
	now.Effects = append(now.Effects, r.here...)
	same, err := sameTerms(approved.Operations, ops)
	if err != nil {
		return unpackable(r.Op, err)
	}
	if same && slices.EqualFunc(approved.Effects, now.Effects, sameEffect) {
		return nil
	}
	why := effectDifference(approved.Effects, now.Effects)
	if why == "" && sameKinds(approved.Operations, ops) {
		if was, err := f.Explain(ctx, approved.Operations...); err == nil {
			why = difference("it", was.Intent(), now.Intent()) + difference("the fee", was.FeeAsset.Format(was.Fee), now.FeeAsset.Format(now.Fee))
		}
	}
	return &fault.Error{Code: fault.StateChanged, Op: r.Op, Message: "this is not what was approved" + why, Hint: "nothing was signed; look at it anew"}
}

// sameTerms compares operations without the parts of content keys.
func sameTerms(a, b []ledger.Operation) (bool, error) {
	if !sameKinds(a, b) {
		return false, nil
	}
	left, err := packOperations(withoutKeyParts(a))
	if err != nil {
		return false, err
	}
	right, err := packOperations(withoutKeyParts(b))
	return bytes.Equal(left, right), err
}

// sameKinds reports whether two lists have operations of the same kinds.
func sameKinds(a, b []ledger.Operation) bool {
	return slices.EqualFunc(a, b, func(a, b ledger.Operation) bool { return a.Code == b.Code })
}

func withoutKeyParts(ops []ledger.Operation) []ledger.Operation {
	out := slices.Clone(ops)
	for i, op := range out {
		if submit, is := op.Body.(*ledger.ContentSubmitOp); is {
			bare := *submit
			bare.KeyParts = nil
			out[i].Body = &bare
		}
	}
	return out
}

func sameEffect(a, b ledger.Effect) bool {
	return a.What == b.What && a.Was == b.Was && a.Now == b.Now && a.Note == b.Note && a.Careful == b.Careful
}

// effectDifference returns, in words, the first effect that is not as it was.
func effectDifference(was, now []ledger.Effect) string {
	named := func(list []ledger.Effect, what string) (e ledger.Effect) {
		if i := slices.IndexFunc(list, func(e ledger.Effect) bool { return e.What == what }); i >= 0 {
			e = list[i]
		}
		return e
	}
	for _, e := range slices.Concat(now, was) {
		if why := difference(e.What, named(was, e.What).Now, named(now, e.What).Now); why != "" {
			return why
		}
	}
	return ""
}

// difference returns, in words, what is not as it was, "" if it is.
func difference(what, was, now string) string {
	if was == now {
		return ""
	}
	nothing := func(text string) string {
		if text == "" {
			return "nothing"
		}
		return printable.Text(text)
	}
	return fmt.Sprintf(": %s is %s now, and %s was approved", printable.Text(what), nothing(now), nothing(was))
}
