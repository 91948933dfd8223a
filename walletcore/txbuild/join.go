package txbuild

import (
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Join returns the review of several transactions of one payer that are approved together, such as those of a payout. What each holds stays
// in its order; what it loses is added up, against the balance before the first.
func Join(all []Review) Review {
	if len(all) == 1 {
		return all[0]
	}
	out := Review{From: all[0].From, Asset: all[0].FeeAsset, FeeAsset: all[0].FeeAsset, Chain: all[0].Chain, checked: all[0].checked}
	var raw, readable []string
	for _, r := range all {
		done := len(out.sentencesOfAll())
		out.Sentences = append(out.Sentences, r.sentencesOfAll()...)
		if len(r.Intents) > 0 {
			out.Intents = append(out.Intents, r.Intents...)
		}
		out.Fee = sum(out.Fee, r.Fee)
		out.Moves, out.Effects, out.Gifts = append(out.Moves, r.Moves...), append(out.Effects, r.Effects...), append(out.Gifts, r.Gifts...)
		out.Contents = append(out.Contents, r.Contents...)
		out.Memos = append(out.Memos, r.memosFrom(done)...)
		out.Gets, out.New, out.LooksLike = joinRefs(out.Gets, r.Gets), joinRefs(out.New, r.New), joinRefs(out.LooksLike, r.LooksLike)
		out.FirstTime, out.Unnamed, out.Presumed = out.FirstTime || r.FirstTime, out.Unnamed || r.Unnamed, out.Presumed || r.Presumed
		out.PaidMore, out.FeeLeaps, out.Unproven = out.PaidMore || r.PaidMore, out.FeeLeaps || r.FeeLeaps, out.Unproven+r.Unproven
		if out.Repeats == nil {
			out.Repeats = r.Repeats
		}
		for _, c := range r.Changed {
			if !slices.Contains(out.Changed, c) {
				out.Changed = append(out.Changed, c)
			}
		}
		for _, o := range r.Outgoing {
			out.addLoss(o)
		}
		out.SignsWith, out.SignsAs, out.Signers = r.SignsWith, r.SignsAs, r.Signers // the same, or they would not be of one payer
		out.checked &= r.checked
		raw, readable = append(raw, r.Bytes), append(readable, r.JSON)
	}
	if len(out.Intents) != len(out.Sentences) {
		out.Intents = nil
	}
	out.Operation = fmt.Sprintf("%d operations in %d transactions", len(out.Sentences), len(all))
	out.Sentence = strings.Join(out.Sentences, "; ")
	out.Bytes, out.JSON = strings.Join(raw, "\n"), strings.Join(readable, "\n")
	return out
}

// sentencesOfAll returns a sentence for each operation.
func (r Review) sentencesOfAll() []string {
	if len(r.Sentences) == 0 && r.Sentence != "" {
		return []string{r.Sentence}
	}
	return r.Sentences
}

// memosFrom returns the memos of the operations, numbered from a number on; also that of a single one.
func (r Review) memosFrom(first int) (out []Text) {
	if len(r.Memos) == 0 && r.MemoState != 0 {
		return []Text{{Of: first, Text: r.Memo, State: r.MemoState}}
	}
	for _, m := range r.Memos {
		m.Of += first
		out = append(out, m)
	}
	return out
}

// addLoss adds what an account loses of an asset.
func (r *Review) addLoss(o Outgoing) {
	for i, is := range r.Outgoing {
		if is.Account.ID == o.Account.ID && is.Asset.ID == o.Asset.ID {
			r.Outgoing[i].Amount, r.Outgoing[i].Fee = sum(is.Amount, o.Amount), sum(is.Fee, o.Fee)
			return
		}
	}
	r.Outgoing = append(r.Outgoing, o)
}

// joinRefs returns the accounts of both lists, each once.
func joinRefs(a, b []ledgerview.AccountRef) []ledgerview.AccountRef {
	seen := map[ledger.AccountID]bool{}
	for _, ref := range a {
		seen[ref.ID] = true
	}
	for _, ref := range b {
		if !seen[ref.ID] {
			a, seen[ref.ID] = append(a, ref), true
		}
	}
	return a
}
