package review

import (
	"cmp"
	"slices"
	"strconv"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
)

// mostIDs is how many ids of a sort are typed one by one; of more recipients the gravest are, and the number of all.
const mostIDs = 3

// receiver is one who gets something, and why the id is typed.
type receiver struct {
	account ledgerview.AccountRef
	alike   bool  // the name is easily mistaken
	amount  int64 // of DCT; the most there can be where something else is given
	why     string
}

// sort is what makes a recipient grave; many of one sort hide none of another.
type sort struct{ alike, dct bool }

func (one receiver) sort() sort { return sort{one.alike, one.amount < 1<<63-1} }

// receiverChecks ask for the ids of those who get rights, tokens, or an amount in another way than by a single payment, where
// they are new or easily mistaken, whatever stands beside it; typed says that an amount is asked for already.
func receiverChecks(env screen.Env, r build.Review, typed bool) (out []check) {
	asked := slices.DeleteFunc(receivers(env, r, typed), func(one receiver) bool {
		return power(r, one.account.ID) // is asked for already
	})
	slices.SortStableFunc(asked, func(a, b receiver) int {
		if a.alike != b.alike {
			return map[bool]int{true: -1, false: 1}[a.alike]
		}
		return cmp.Compare(b.amount, a.amount)
	})
	of := map[sort]int{}
	for _, one := range asked {
		if of[one.sort()]++; of[one.sort()] <= mostIDs {
			out = append(out, exactly("object id of the recipient", one.why, one.account.ID.String()))
		}
	}
	if len(asked) > len(out) {
		out = append(out, exactly("number of recipients", "there are more of them", strconv.Itoa(len(asked))))
	}
	return out
}

// receivers are those whose ids are typed.
func receivers(env screen.Env, r build.Review, typed bool) (out []receiver) {
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, a := range r.LooksLike {
		known[a.ID] = a
	}
	small := isSmall(env, r)
	for _, a := range r.Gets {
		one := receiver{account: a, alike: len(ledgerview.LookAlikes(a.Name, known)) > 0, amount: given(r, a.ID)}
		fresh := slices.ContainsFunc(r.New, func(b ledgerview.AccountRef) bool { return a.ID == b.ID }) && !env.Owns(a.ID)
		switch {
		case one.alike:
			one.why = "the name is easily confused"
		case fresh && !small && r.Presumed:
			one.why = "who was paid before is not known"
		case fresh && !small && r.PaidMore:
			one.why = "this account was not paid lately"
		case fresh && !small:
			one.why = "this account was never paid before"
		case r.Repeats != nil && !typed:
			one.why = "the same was done within 24 h"
		default:
			continue
		}
		out = append(out, one)
	}
	if len(known) > 0 && !slices.ContainsFunc(out, func(one receiver) bool { return one.alike }) {
		return everyone(r) // only a name that the file alone says is alike
	}
	return out
}

// everyone are all who get something.
func everyone(r build.Review) (out []receiver) {
	for _, a := range r.Gets {
		out = append(out, receiver{a, true, given(r, a.ID), "the name is easily confused"})
	}
	return out
}

// given is how much DCT goes to an account; the most there can be where it gets another thing.
func given(r build.Review, to ledger.AccountID) (total int64) {
	paid := false
	for _, m := range r.Moves {
		if m.To != to.Object() {
			continue
		}
		if m.Asset.ID != ledger.CoreAsset {
			return 1<<63 - 1
		}
		total, paid = added(total, m.Amount), true
	}
	if !paid {
		return 1<<63 - 1
	}
	return total
}

// isSmall reports whether all that strangers get is DCT, and with the fees no more than a payment of which nothing is typed.
func isSmall(env screen.Env, r build.Review) bool {
	if r.Amount != 0 && len(r.Sentences) < 2 {
		return r.Asset.ID == ledger.CoreAsset && dctOut(r) <= whole(r.Asset, smallLimit)
	}
	total := dctOut(r)
	for _, a := range r.New {
		if !env.Owns(a.ID) {
			total = added(total, given(r, a.ID))
		}
	}
	return total <= whole(ledgerview.DCT(), smallLimit)
}

// added is a sum, and the most there can be where it does not fit.
func added(a, b int64) int64 {
	if total, fits := ledger.AddAmounts(a, b); fits {
		return total
	}
	return 1<<63 - 1
}

// onePayment reports whether it is a single payment from a file, which is asked about as one that is made here.
func onePayment(r build.Review) bool {
	transfer := r.Operation == build.Title(ledger.CodeTransfer) || r.Operation == build.Title(ledger.CodeTransferObsolete)
	return transfer && r.Amount == 0 && len(r.Sentences) < 2 && len(r.Moves) == 1
}
