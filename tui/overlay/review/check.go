package review

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
)

// changedWord is typed where a recipient has other keys than before.
const changedWord = "changed"

// guessableWord is typed where keys are made of a brain key that can be guessed.
const guessableWord = "guessable"

// confirmations lists what must be typed, the gravest first: the name of an account that the keys here would not
// suffice for any more, that others could act for, or whose memos could not be read here; that a brain key is weak; the
// amount for a large or repeated payment, or a large fee; the id of a recipient never paid before or
// easily mistaken; and that its keys are others than those that were accepted. What approved proposals would do is asked
// about as if it were signed, together with what is signed; the same is asked once.
func confirmations(env screen.Env, r build.Review) (out []check) {
	if !together(r) {
		out = append(controlChecks(r), powerChecks(env, r)...)
	}
	if r.Guessable != "" {
		out = append(out, exactly("word "+guessableWord, "anyone can guess the brain key", guessableWord))
	}
	out = append(out, costChecks(env, r)...)
	if r.Approves == nil {
		return out
	}
	for _, c := range confirmations(env, *r.Approves) {
		if !slices.ContainsFunc(out, func(b check) bool { return b.what == c.what && b.want == c.want }) {
			out = append(out, c)
		}
	}
	return out
}

// together reports whether what a review shows is judged with the proposals that it approves, as one.
func together(r build.Review) bool { return r.Approves != nil && r.Approves.Together }

// freshWhy is why a name is typed where nothing but new parties says so.
const freshWhy = "a key or an account that it did not have could act for it"

// controlChecks ask for the names of the accounts that are lost, or shared with others from then on.
func controlChecks(r build.Review) (out []check) {
	asked := map[ledger.AccountID]bool{}
	for _, c := range r.Control {
		why := ""
		switch {
		case c.Role == build.MemoRole:
			why = "memos to it could not be read here"
		case c.Role == build.WithdrawRole:
			why = "somebody could withdraw from it, unasked"
		case c.Anybody:
			why = "ANYBODY could act, without any signature"
		case !c.Here:
			why = "the keys in this wallet would not suffice any more"
		case c.Others:
			why = "others could act without the keys in this wallet"
		case c.Fresh:
			why = freshWhy
		}
		if why != "" && !asked[c.Account.ID] {
			asked[c.Account.ID] = true
			out = append(out, exactly("name of the account", why, c.Account.Name))
		}
	}
	return out
}

// powerChecks ask for the ids of those who get power over what is the payer's now: they are typed although they were paid
// before.
func powerChecks(env screen.Env, r build.Review) (out []check) {
	var ids []ledger.AccountID
	for _, e := range r.Effects {
		for _, id := range e.Whom {
			if !(e.Approved && r.Approves != nil) && !env.Owns(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) > mostIDs {
		return []check{exactly("number of accounts", "they get power by it", strconv.Itoa(len(ids)))}
	}
	for _, id := range ids {
		out = append(out, exactly("object id of the account", "it gets power by it", id.String()))
	}
	return out
}

// costChecks ask about what operations take.
func costChecks(env screen.Env, r build.Review) []check {
	var out []check
	switch {
	case together(r):
	case r.Amount != 0:
		out = append(paymentChecks(env, r), lossChecks(r, "", r.Asset.ID)...)
	case len(r.Moves) > 0:
		out = batchChecks(env, r)
	case dctOut(r) > whole(r.FeeAsset, largeLimit):
		out = append(out, amountCheck("fee", "a large fee", r.FeeAsset, r.Fee))
	}
	if !r.Pays() && !together(r) {
		out = append(out, receiverChecks(env, r, len(out) > 0)...)
	}
	out = append(out, proposedChecks(r)...)
	slices.SortStableFunc(out, func(a, b check) int { return cmp.Compare(a.rank(), b.rank()) })
	if len(r.Changed) > 0 {
		out = append(out, exactly("word "+changedWord, "the recipient's keys changed", changedWord))
	}
	return out
}

// proposedChecks ask for the amounts of what is proposed that are more than is asked: whoever approves is asked as well, and may
// trust the proposal.
func proposedChecks(r build.Review) (out []check) {
	if r.Proposes == nil {
		return nil
	}
	each := r.Proposes.Each
	if len(each) == 0 {
		each = []build.Review{*r.Proposes}
	}
	for _, one := range each {
		if dear(one) && one.Amount != 0 {
			out = append(out, amountCheck("amount that is proposed", dearWhy, one.Asset, one.Amount))
		}
	}
	return out
}

func paymentChecks(env screen.Env, r build.Review) []check {
	var out []check
	why := amountWhy(r)
	if why == "" && underway(env, r) {
		why = "the same payment was sent just now"
	}
	if why != "" {
		out = append(out, amountCheck("amount", why, r.Asset, r.Amount))
	}
	if why := recipientWhy(env, r); r.Pays() && why != "" {
		id := format.RecipientID(r)
		out = append(out, exactly("object id of the recipient", why, id))
	}
	return out
}

// batchChecks are those of operations that no single payment stands for: what they take of an asset
// is typed when it is large, sent just now, or goes to somebody new or easily mistaken.
func batchChecks(env screen.Env, r build.Review) (out []check) {
	why := ""
	switch {
	case r.Repeats != nil && r.Repeats.Name == "":
		why = "the same was sent just now"
	case r.Repeats != nil:
		why = "the same payment was made within 24 h"
	case underway(env, r):
		why = "the same was sent just now"
	case len(r.Twins()) > 0:
		why = "the same is paid more than once in it"
	case len(r.LooksLike) > 0:
		why = "a recipient's name is easily mistaken"
	case dear(r):
		why = dearWhy
	case r.Unnamed:
		why = unnamedWhy
	case r.FirstTime && !(onePayment(r) && len(r.New) > 0): // of one payment the id is asked for
		why = firstWhy
		if r.Presumed {
			why = presumedWhy
		}
	}
	return lossChecks(r, why, none)
}

// Why amounts are typed that somebody new gets.
const (
	firstWhy    = "somebody is paid for the first time"
	presumedWhy = "who was paid before is not known"
)

// none is no asset.
const none = ^ledger.AssetID(0)

// lossChecks ask for each amount that an account loses, apart from others, where it is large or why says so; one asset of the
// payer's may be asked for otherwise.
func lossChecks(r build.Review, why string, but ledger.AssetID) (out []check) {
	for _, o := range r.Outgoing {
		if o.Asset.ID == but && o.Account.ID == r.From.ID {
			continue
		}
		var reasons []string // the gravest first
		switch {
		case o.Asset.ID == ledger.CoreAsset && o.Amount > whole(o.Asset, largeLimit):
			reasons = append(reasons, "a large payment")
		case o.Available > 0 && o.Amount > o.Available/2:
			reasons = append(reasons, "more than half of what there is")
		}
		if why != "" {
			reasons = append(reasons, why)
		}
		if len(reasons) > 0 && o.Amount != o.Fee {
			total := totalCheck(r, o, strings.Join(reasons, ", and "))
			total.slight = len(reasons) == 1 && (why == firstWhy || why == presumedWhy) && o.Asset.ID == ledger.CoreAsset &&
				o.Amount <= whole(o.Asset, smallLimit)
			out = append(out, total)
		}
	}
	return out
}

// totalCheck asks for what an account loses; of whom is said where it is not the payer alone that loses something.
func totalCheck(r build.Review, o build.Outgoing, why string) check {
	others := slices.ContainsFunc(r.Outgoing, func(b build.Outgoing) bool { return b.Account.ID != r.From.ID })
	if !others {
		return amountCheck("total in "+o.Asset.Symbol, why, o.Asset, o.Amount)
	}
	c := amountCheck("total in "+o.Asset.Symbol+" from "+format.Account(o.Account).String(), why, o.Asset, o.Amount)
	c.brief = "total, " + o.Account.ID.String()
	return c
}

// amountWhy is why the amount must be typed. What is paid counts with its fee.
func amountWhy(r build.Review) string {
	switch {
	case r.Repeats != nil && r.Repeats.Name == "":
		return "the same payment was sent just now"
	case r.Repeats != nil:
		return "the same payment was made within 24 h"
	case dctOut(r) > whole(coreOf(r), largeLimit):
		return "a large payment"
	case r.Available > 0 && r.Spent() > r.Available/2:
		return "more than half of the balance"
	case dear(r):
		return dearWhy
	case r.Unnamed:
		return unnamedWhy
	}
	return ""
}

// unnamedWhy is why the amount is typed where nobody can tell who gets it.
const unnamedWhy = "who gets it is not known here"

func recipientWhy(env screen.Env, r build.Review) string {
	own := env.Owns(r.To.ID)
	account := r.To.Name != "" || r.ToObject == 0
	switch {
	case len(r.LooksLike) > 0:
		return "the name is easily confused"
	case account && own, !r.FirstTime:
		return ""
	case r.Asset.ID != ledger.CoreAsset || dctOut(r) > whole(r.Asset, smallLimit):
		if r.PaidMore && r.FirstTime {
			return "this account was not paid lately"
		}
		return "a first payment to this account"
	}
	return ""
}

// coreOf is DCT, with the digits that the review gives it.
func coreOf(r build.Review) ledgerview.AssetRef {
	if r.Asset.ID == ledger.CoreAsset {
		return r.Asset
	}
	return r.FeeAsset
}

// underway reports whether the same payment is on its way but not yet in a block, so
// that the history cannot show it as a repetition.
func underway(env screen.Env, r build.Review) bool {
	for _, p := range env.Payments {
		if p.State <= payment.InBlock && (p.Review.Same(r) || p.Review.Approves != nil && p.Review.Approves.Same(r)) {
			return true
		}
	}
	return false
}
