package review

import (
	"fmt"
	"slices"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// effect shows what an operation other than a payment does.
func (s *sheet) effect(env screen.Env, v txbuild.Review) {
	label := "If signed"
	if s.other || s.approved {
		label = "Would do"
	}
	for i, text := range sentences(v) {
		s.put([]string{label, ""}[min(i, 1)], canvas.Text(format.Clean(text)))
	}
	if !judgedTogether(v) {
		s.recipients(env, v)
	}
	s.memos(v)
	if v.MemoState != vault.MemoNone {
		for i, l := range memoLines(v, s.w-12) {
			s.put([]string{"Text", ""}[min(i, 1)], l)
		}
	}
	s.effects(v)
	if !s.summed {
		s.fees(v)
		if !judgedTogether(v) {
			s.outgoing(v)
		}
	}
	s.missingSigners(v)
}

// fees shows who pays how much for fees, one row for each payer.
func (s *sheet) fees(v txbuild.Review) {
	fees := v.Fees()
	for i, fee := range fees {
		amount := canvas.Join(format.Money{}.Amount(fee.Asset, fee.Fee), canvas.In(theme.Muted, "  "+fee.Asset.ID.String()))
		if len(fees) > 1 {
			amount = canvas.Join(amount, canvas.Text(" from "), format.Account(fee.Account))
		}
		s.put([]string{"Fee", ""}[min(i, 1)], amount)
	}
	if len(fees) == 1 {
		s.put("Paid by", format.Account(fees[0].Account))
	}
}

// sentences returns the sentences of the operations, worded as not done yet if there are such ones.
func sentences(v txbuild.Review) []string {
	switch {
	case len(v.Intents) > 0:
		return v.Intents
	case len(v.Sentences) > 0:
		return v.Sentences
	}
	return []string{v.Sentence}
}

// memos shows the memos of several operations, each with the number of its operation.
func (s *sheet) memos(v txbuild.Review) {
	for _, one := range v.Memos {
		label := fmt.Sprintf("Memo %d", one.Of+1)
		for i, l := range textLines(one.State, "its recipient", one.Text, s.w-12) {
			s.put([]string{label, ""}[min(i, 1)], l)
		}
	}
}

// proposed shows who is paid by what new proposals would do, and its memos.
func (s *sheet) proposed(env screen.Env, v txbuild.Review) {
	if v.Proposes == nil {
		return
	}
	does := *v.Proposes
	if does.Pays() {
		s.recipient(env, does)
		s.singleMemo(does)
		return
	}
	s.recipients(env, does)
	s.memos(does)
}

// outgoing shows what accounts lose. If they lose nothing but fees, it shows nothing.
func (s *sheet) outgoing(v txbuild.Review) {
	if !slices.ContainsFunc(v.Outgoing, func(o txbuild.Outgoing) bool { return o.Amount != o.Fee }) {
		return
	}
	for _, o := range v.Outgoing {
		if o.Amount == 0 {
			continue
		}
		for _, besides := range s.besides {
			if besides.Account.ID == o.Account.ID && besides.Asset.ID == o.Asset.ID {
				o.Amount, o.Fee = o.Amount+besides.Amount, o.Fee+besides.Fee
			}
		}
		fees := ""
		switch {
		case o.Amount == o.Fee:
			fees = "  for fees"
		case o.Fee > 0:
			fees = "  fees included"
		}
		takes := canvas.Join(format.Money{}.Amount(o.Asset, o.Amount), canvas.Text(" from "), format.Account(o.Account),
			canvas.In(theme.Muted, fees))
		if o.Available > 0 { // otherwise it is not known
			takes = canvas.Join(takes, canvas.In(theme.Muted, ", of "), format.Money{}.Amount(o.Asset, o.Available))
		}
		s.put("Takes", takes)
	}
}

// contents lists all values in operations that are no payment: a key in them may matter more than any amount.
func (s *sheet) contents(v txbuild.Review) {
	if v.Pays() {
		return
	}
	read := v.MemoState == vault.MemoOpen || v.MemoState == vault.MemoPlain
	message := read && v.Operation == txbuild.Title(ledger.CodeCustom)
	label := "Holds"
	for _, m := range members(v.JSON, len(v.Effects) > 0) {
		if message && slices.Contains([]string{"payer", "id", "data"}, m.path) {
			continue // shown above, in words
		}
		s.put(
			label,
			canvas.Join(canvas.In(theme.Muted, format.Clean(m.path)+"  "), canvas.Text(format.Clean(m.value))),
		)
		label = ""
	}
}

// maxNamed is the maximum number of new recipients that are named.
const maxNamed = 5

// recipients warns of new and easily mistaken recipients, unless the review is of a single payment, which shows its recipient.
func (s *sheet) recipients(env screen.Env, v txbuild.Review) {
	if v.Pays() {
		return
	}
	never := " never paid before: "
	if v.Presumed {
		never = " not known here whether paid before: "
	}
	if v.FirstTime && len(v.New) == 0 {
		s.put("", canvas.Bold(theme.Warn, theme.SignCareful+" somebody is paid for the first time"))
	}
	strangers := slices.DeleteFunc(slices.Clone(v.New), func(a ledgerview.AccountRef) bool { return env.Owns(a.ID) })
	for i, a := range strangers {
		if i == maxNamed {
			s.put("", canvas.Bold(theme.Warn, theme.SignCareful+never+format.Many(len(strangers)-i, "other")))
			break
		}
		s.put("", canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+never), format.Account(a)))
	}
	s.unproven(v)
	for _, a := range v.LooksLike {
		s.put("", canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" a recipient's name looks like "), format.Account(a)))
	}
}
