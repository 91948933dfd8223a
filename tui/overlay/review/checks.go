package review

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// changedWord is typed if something is not as it was last accepted: a recipient's keys, who issues a token, a parameter of the chain.
const changedWord = "changed"

// guessableWord is typed if keys are derived from a brain key that can be guessed.
const guessableWord = "guessable"

// confirmations returns what must be typed, the gravest first: the name of an account for which the keys here would no longer suffice,
// for which others could act, or whose memos could not be read here; a word if a brain key is weak; the amount of a large or repeated
// payment, or a large fee; the id of a recipient that was never paid before or is easily mistaken; the fee if it is more than ten times
// the accepted one; and a word if the keys of a recipient, or something else, are not what was accepted. Approved proposals count as if their operations were signed here, together with what is
// signed; nothing is asked twice.
func confirmations(env screen.Env, r txbuild.Review) (out []check) {
	if !judgedTogether(r) {
		out = append(controlChecks(r), powerChecks(env, r)...)
	}
	if r.Guessable != "" {
		out = append(out, exactCheck("word "+guessableWord, "anyone can guess the phrase", guessableWord))
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

// judgedTogether reports whether the review of the approved proposals includes the rest of the transaction, so that r is not judged alone.
func judgedTogether(r txbuild.Review) bool { return r.Approves != nil && r.Approves.Together }

// newSignerWhy is the reason for typing a name if the only one is a signer that the authority did not have before.
// newCosignerWhy is the same where that signer cannot act alone.
const (
	newSignerWhy   = "a key or an account that it did not have could act for it"
	newCosignerWhy = "a key or an account that it did not have could act for it together with others"
)

// controlChecks asks for the names of the accounts over which this wallet loses control, or which others could use as well.
func controlChecks(r txbuild.Review) (out []check) {
	asked := map[ledger.AccountID]bool{}
	for _, c := range r.Control {
		why := ""
		switch {
		case c.Role == txbuild.MemoRole:
			why = "memos to it could not be read here"
		case c.Role == txbuild.WithdrawRole:
			why = "somebody could withdraw from it without asking"
		case c.Anybody:
			why = "ANYBODY could act, without any signature"
		case !c.Here:
			why = "the keys in this wallet would no longer suffice"
		case c.Others:
			why = "others could act without the keys in this wallet"
		case c.Fresh:
			why = newSignerWhy
			if !c.FreshAlone {
				why = newCosignerWhy
			}
		}
		if why != "" && !asked[c.Account.ID] {
			asked[c.Account.ID] = true
			out = append(out, exactCheck("name of the account", why, c.Account.Name))
		}
	}
	return out
}

// powerChecks asks for the ids of the accounts that gain power over something of the payer, even if they were paid before.
func powerChecks(env screen.Env, r txbuild.Review) (out []check) {
	var ids []ledger.AccountID
	for _, e := range r.Effects {
		for _, id := range e.Whom {
			if !(e.Approved && r.Approves != nil) && !env.Owns(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) > maxIDs {
		return []check{exactCheck("number of accounts", "this gives them power", strconv.Itoa(len(ids)))}
	}
	for _, id := range ids {
		out = append(out, exactCheck("object id of the account", "this gives it power", id.String()))
	}
	return out
}

// costChecks asks about what operations cost, who gets it, and recipients whose keys changed.
func costChecks(env screen.Env, r txbuild.Review) []check {
	var out []check
	switch {
	case judgedTogether(r):
	case r.Amount != 0:
		out = append(paymentChecks(env, r), lossChecks(r, "", r.Asset.ID)...)
	case len(r.Moves) > 0:
		out = batchChecks(env, r)
	case dctOut(r) > wholeUnits(r.FeeAsset, largeLimit):
		out = append(out, amountCheck("fee", "a large fee", r.FeeAsset, r.Fee))
	}
	if !r.Pays() && !judgedTogether(r) {
		out = append(out, recipientChecks(env, r, len(out) > 0)...)
	}
	out = append(out, proposedChecks(r)...)
	slices.SortStableFunc(out, func(a, b check) int { return cmp.Compare(a.rank(), b.rank()) })
	if r.FeeLeaps && !slices.ContainsFunc(out, func(c check) bool { return c.what == "fee" }) {
		out = append(out, amountCheck("fee", "it is more than ten times the fee that was last accepted", r.FeeAsset, r.Fee))
	}
	if len(r.Changed) > 0 {
		out = append(out, exactCheck("word "+changedWord, changedWhy(r), changedWord))
	}
	return out
}

// changedWhy returns why the word is typed: what changed first, unless that is the keys of an account.
func changedWhy(r txbuild.Review) string {
	switch c := r.Changed[0]; {
	case c.Undoes != "":
		return "it undoes " + format.Clean(c.Undoes)
	case c.Of != "":
		return "the " + c.What + " of " + format.Clean(c.Of) + " is not what was accepted"
	}
	return "the recipient's keys changed"
}

// proposedChecks asks for the proposed amounts that are more than is asked. Those who approve are asked, too, but may trust the
// proposal.
func proposedChecks(r txbuild.Review) (out []check) {
	if r.Proposes == nil {
		return nil
	}
	each := r.Proposes.Each
	if len(each) == 0 {
		each = []txbuild.Review{*r.Proposes}
	}
	for _, one := range each {
		if overpays(one) && one.Amount != 0 {
			out = append(out, amountCheck("amount that is proposed", overpaidWhy, one.Asset, one.Amount))
		}
	}
	return out
}

func paymentChecks(env screen.Env, r txbuild.Review) []check {
	var out []check
	why := amountWhy(env, r)
	if why == "" && isUnderway(env, r) {
		why = "the same payment was sent just now"
	}
	if why != "" {
		out = append(out, amountCheck("amount", why, r.Asset, r.Amount))
	}
	if why := recipientWhy(env, r); r.Pays() && why != "" {
		id := format.RecipientID(r)
		out = append(out, exactCheck("object id of the recipient", why, id))
	}
	return out
}

// batchChecks returns the checks of operations that are more than a single payment: the total of an asset is typed if it is large, was
// sent just now, or goes to somebody new or easily mistaken.
func batchChecks(env screen.Env, r txbuild.Review) (out []check) {
	why := ""
	switch {
	case r.Repeats != nil && r.Repeats.Name == "":
		why = "the same was sent just now"
	case r.Repeats != nil:
		why = "the same payment was made within 24 h"
	case isUnderway(env, r):
		why = "the same was sent just now"
	case len(r.Twins()) > 0:
		why = "the same payment is made more than once"
	case len(r.LooksLike) > 0:
		why = "a recipient's name is easily mistaken"
	case overpays(r):
		why = overpaidWhy
	case r.Unnamed:
		why = unnamedWhy
	case r.FirstTime && !(onePayment(r) && len(r.New) > 0): // for one payment, the id is asked for
		why = firstWhy
		if r.Presumed {
			why = presumedWhy
		}
	}
	return lossChecks(r, why, noAsset)
}

// Why an amount is typed that goes to somebody new.
const (
	firstWhy    = "somebody is paid for the first time"
	presumedWhy = "it is not known who was paid before"
)

// noAsset is the id of no asset.
const noAsset = ^ledger.AssetID(0)

// lossChecks asks for each amount that an account loses if it is large, or for the reason why unless that is empty. It leaves out the
// payer's loss of the asset except, which is asked about elsewhere.
func lossChecks(r txbuild.Review, why string, except ledger.AssetID) (out []check) {
	for _, o := range r.Outgoing {
		if o.Asset.ID == except && o.Account.ID == r.From.ID {
			continue
		}
		var reasons []string // the gravest first
		switch {
		case o.Asset.ID == ledger.CoreAsset && o.Amount > wholeUnits(o.Asset, largeLimit):
			reasons = append(reasons, "a large payment")
		case o.Available > 0 && o.Amount > o.Available/2:
			reasons = append(reasons, "more than half of the balance")
		}
		if why != "" {
			reasons = append(reasons, why)
		}
		if len(reasons) > 0 && o.Amount != o.Fee {
			total := totalCheck(r, o, strings.Join(reasons, ", and "))
			total.slight = len(reasons) == 1 && (why == firstWhy || why == presumedWhy) && o.Asset.ID == ledger.CoreAsset &&
				o.Amount <= wholeUnits(o.Asset, smallLimit)
			out = append(out, total)
		}
	}
	return out
}

// totalCheck asks for what an account loses, and names the account if others than the payer lose something.
func totalCheck(r txbuild.Review, o txbuild.Outgoing, why string) check {
	others := slices.ContainsFunc(r.Outgoing, func(b txbuild.Outgoing) bool { return b.Account.ID != r.From.ID })
	if !others {
		return amountCheck("total in "+o.Asset.Symbol, why, o.Asset, o.Amount)
	}
	c := amountCheck("total in "+o.Asset.Symbol+" from "+format.Account(o.Account).String(), why, o.Asset, o.Amount)
	c.brief = "total, " + o.Account.ID.String()
	return c
}

// amountWhy returns why the amount of a payment must be typed; empty if it need not be. The fee counts as part of what is paid.
func amountWhy(env screen.Env, r txbuild.Review) string {
	switch {
	case r.Repeats != nil && r.Repeats.Name == "":
		return "the same payment was sent just now"
	case r.Repeats != nil:
		return "the same payment was made within 24 h"
	case dctOut(r) > wholeUnits(coreOf(r), largeLimit):
		return "a large payment"
	case r.Available > 0 && r.Spent() > r.Available/2:
		return "more than half of the balance" + whose(env, " of ", r.From)
	case overpays(r):
		return overpaidWhy
	case r.Unnamed:
		return unnamedWhy
	}
	return ""
}

// unnamedWhy is the reason for typing the amount if it cannot be determined who gets it.
const unnamedWhy = "who gets it is not known here"

// recipientWhy returns why the recipient's id must be typed; empty if it need not be.
func recipientWhy(env screen.Env, r txbuild.Review) string {
	own := env.Owns(r.To.ID)
	account := r.To.Name != "" || r.ToObject == 0
	switch {
	case len(r.LooksLike) > 0:
		return "the name is easily confused"
	case account && own, !r.FirstTime:
		return ""
	case r.Asset.ID != ledger.CoreAsset || dctOut(r) > wholeUnits(r.Asset, smallLimit):
		if r.PaidMore && r.FirstTime {
			return "this account was not paid lately" + whose(env, " by ", r.From)
		}
		return "a first payment" + whose(env, " by ", r.From) + " to this account"
	}
	return ""
}

// coreOf returns DCT with the precision that the review has for it.
func coreOf(r txbuild.Review) ledgerview.AssetRef {
	if r.Asset.ID == ledger.CoreAsset {
		return r.Asset
	}
	return r.FeeAsset
}

// isUnderway reports whether this wallet has sent the same payment and it is not final yet: the history need not show it, and so it
// need not count as a repetition.
func isUnderway(env screen.Env, r txbuild.Review) bool {
	for _, p := range env.Payments {
		if p.State <= payment.InBlock && (p.Review.Same(r) || p.Review.Approves != nil && p.Review.Approves.Same(r)) {
			return true
		}
	}
	return false
}
