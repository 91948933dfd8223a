package review

import (
	"cmp"
	"slices"
	"strconv"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// maxIDs is the maximum number of ids of a category that are typed one by one. If there are more recipients, those of the gravest are
// typed, and the number of all.
const maxIDs = 3

// recipient is an account that gets something, and why its id is typed.
type recipient struct {
	account ledgerview.AccountRef
	alike   bool  // the name is easily mistaken
	amount  int64 // of DCT; the largest int64 if it gets something else
	why     string
}

// category is the kind of a grave recipient. Each has its own maxIDs, so that many recipients of one hide none of another.
type category struct{ alike, dct bool }

func (one recipient) category() category { return category{one.alike, one.amount < 1<<63-1} }

// recipientChecks asks for the ids of new and easily mistaken recipients of rights, tokens, or amounts that are not a single payment,
// whatever else is asked. typed means that an amount is asked for already.
func recipientChecks(env screen.Env, r txbuild.Review, typed bool) (out []check) {
	asked := slices.DeleteFunc(checkedRecipients(env, r, typed), func(one recipient) bool {
		return getsPower(r, one.account.ID) // is asked for already
	})
	slices.SortStableFunc(asked, func(a, b recipient) int {
		if a.alike != b.alike {
			return map[bool]int{true: -1, false: 1}[a.alike]
		}
		return cmp.Compare(b.amount, a.amount)
	})
	of := map[category]int{}
	for _, one := range asked {
		if of[one.category()]++; of[one.category()] <= maxIDs {
			out = append(out, exactCheck("object id of "+whom(r, one.account), one.why, one.account.ID.String()))
		}
	}
	if len(asked) > len(out) {
		out = append(out, exactCheck("number of recipients that are new or easily confused", "not all of them were asked for", strconv.Itoa(len(asked))))
	}
	return out
}

// whom returns the name of a recipient if there are several: else nobody knows whose id is asked for.
func whom(r txbuild.Review, a ledgerview.AccountRef) string {
	if len(r.Gets) < 2 || a.Name == "" {
		return "the recipient"
	}
	return format.Name(a).String()
}

// checkedRecipients returns the recipients whose ids are typed.
func checkedRecipients(env screen.Env, r txbuild.Review, typed bool) (out []recipient) {
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for _, a := range r.LooksLike {
		known[a.ID] = a
	}
	small := isSmall(env, r)
	for _, a := range r.Gets {
		one := recipient{account: a, alike: len(ledgerview.LookAlikes(a.Name, known)) > 0, amount: dctGivenTo(r, a.ID)}
		fresh := slices.ContainsFunc(r.New, func(b ledgerview.AccountRef) bool { return a.ID == b.ID }) && !env.Owns(a.ID)
		switch {
		case one.alike:
			one.why = "the name is easily confused"
		case fresh && !small && r.Presumed:
			one.why = "it is not known who was paid before"
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
	if len(known) > 0 && !slices.ContainsFunc(out, func(one recipient) bool { return one.alike }) {
		return allRecipients(r) // the name that looks alike is none that the ledger has, but one that only the file states
	}
	return out
}

// allRecipients returns all accounts that get something, each as easily mistaken.
func allRecipients(r txbuild.Review) (out []recipient) {
	for _, a := range r.Gets {
		out = append(out, recipient{a, true, dctGivenTo(r, a.ID), "the name is easily confused"})
	}
	return out
}

// dctGivenTo returns how much DCT goes to an account, in its smallest unit; the largest int64 if the account gets anything else.
func dctGivenTo(r txbuild.Review, to ledger.AccountID) (total int64) {
	paid := false
	for _, m := range r.Moves {
		if m.To != to.Object() {
			continue
		}
		if m.Asset.ID != ledger.CoreAsset {
			return 1<<63 - 1
		}
		total, paid = addCapped(total, m.Amount), true
	}
	if !paid {
		return 1<<63 - 1
	}
	return total
}

// isSmall reports whether strangers get nothing but DCT and, with the fees, no more than a payment for which nothing is typed.
func isSmall(env screen.Env, r txbuild.Review) bool {
	if r.Amount != 0 && len(r.Sentences) < 2 {
		return r.Asset.ID == ledger.CoreAsset && dctOut(r) <= wholeUnits(r.Asset, smallLimit)
	}
	total := dctOut(r)
	for _, a := range r.New {
		if !env.Owns(a.ID) {
			total = addCapped(total, dctGivenTo(r, a.ID))
		}
	}
	return total <= wholeUnits(ledgerview.DCT(), smallLimit)
}

// addCapped returns a sum; the largest int64 if it does not fit.
func addCapped(a, b int64) int64 {
	if total, fits := ledger.AddAmounts(a, b); fits {
		return total
	}
	return 1<<63 - 1
}

// onePayment reports whether the review is of a single payment from a file, which is treated like one that is made here.
func onePayment(r txbuild.Review) bool {
	transfer := r.Operation == txbuild.Title(ledger.CodeTransfer) || r.Operation == txbuild.Title(ledger.CodeTransferObsolete)
	return transfer && r.Amount == 0 && len(r.Sentences) < 2 && len(r.Moves) == 1
}
