package review

import (
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// repeats warns of an earlier payment that this one repeats.
func (s *sheet) repeats(env screen.Env, v txbuild.Review) {
	if v.Repeats != nil {
		where := v.Repeats.ID.String()
		if v.Repeats.Name == "" { // the history does not show it yet
			where = "on its way"
			if v.Repeats.Block != 0 {
				where = "in block " + format.Block(v.Repeats.Block)
			}
		}
		age := format.Age(env.Now.Sub(v.Repeats.Time.Time()))
		same := canvas.Bold(theme.Warn, fmt.Sprintf("%s same as %s ago (%s)", theme.SignCareful, age, where))
		if len(v.Sentences) > 1 && v.Repeats.Sentence != "" { // one of several operations repeats it
			same = canvas.Join(same, canvas.Text(": "+format.Clean(v.Repeats.Sentence)))
		}
		s.put("Repeats", same)
	}
}

// sheet gathers rows with a label before them.
type sheet struct {
	w        int
	dense    density            // how much air is between the rows
	tight    bool               // some rows are shorter or left out, too
	part     bool               // of a larger review, or of another's operation: what it adds up to is not here
	spoken   bool               // each row is a sentence, not a line of a screen
	approved bool               // it is what an approved proposal would do
	summed   bool               // what the operations come to stands before them
	other    bool               // somebody else pays: their balance and whom they paid before are not known
	besides  []txbuild.Outgoing // what the transaction takes besides: the fee of the approval of what is shown
	rows     []Row
}

// density is the amount of air between rows, less with each value.
type density int

const (
	airy   density = iota // under the first sentence, and between groups of rows
	groups                // between groups
	solid                 // nowhere
)

func (s *sheet) gap() {
	if s.part || s.dense == solid || s.dense == groups && len(s.rows) == 0 {
		return
	}
	s.rows = append(s.rows, Row{})
}

func (s *sheet) put(label string, l canvas.Line) { s.rows = append(s.rows, Row{label, l}) }

// add adds rows of the prompt, set apart from those of the operation.
func (s *sheet) add(rows []Row) {
	if len(rows) > 0 {
		s.gap()
	}
	s.rows = append(s.rows, rows...)
}

// lines returns the rows as lines of at most w cells; an empty row is an empty line.
func (s *sheet) lines() (out []canvas.Line) {
	for _, r := range s.rows {
		if r.Label == "" && r.Line == nil {
			out = append(out, nil)
			continue
		}
		label := r.Label
		for _, l := range r.Line.Wrap(max(s.w-12, 2)) {
			out = append(out, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-12s", label)), l))
			label = ""
		}
	}
	return out
}

// payment shows who is paid, how much, and what is unusual about that; then who pays, and what else it costs and changes.
func (s *sheet) payment(env screen.Env, v txbuild.Review) {
	s.recipient(env, v)
	col, total, same := sums(v)
	money := format.Money{}
	s.put("Amount", canvas.Join(money.Aligned(col, "", theme.Text, v.Asset, v.Amount).Bold(), canvas.In(theme.Muted, "  "+v.Asset.ID.String())))
	if !s.part && !s.approved {
		s.recipientChanges(env, v)
		s.repeats(env, v)
	}
	s.gap()
	s.put("From", format.Account(v.From))
	s.put("Fee", canvas.Join(money.Aligned(col, "", theme.Text, v.FeeAsset, v.Fee), canvas.In(theme.Muted, "  "+v.FeeAsset.ID.String())))
	if same && !s.part {
		s.put("Total out", money.Aligned(col, "", theme.Text, v.Asset, total))
	}
	s.singleMemo(v)
	s.effects(v)
	switch {
	case s.other:
	case v.Spent() > v.Available:
		s.put("", canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" more than "+has(env, v.From)+": "), money.Amount(v.Asset, v.Available)))
	case same && !s.part:
		left := v.Available - total
		for _, o := range s.besides {
			if o.Account.ID == v.From.ID && o.Asset.ID == v.Asset.ID {
				left -= o.Amount
			}
		}
		s.put("After this", canvas.Join(money.Amount(v.Asset, left), canvas.In(theme.Muted, " available"+whose(env, " to ", v.From))))
	}
	s.missingSigners(v)
}

// recipient shows who is paid by the single payment of a review, and what is unusual about that.
func (s *sheet) recipient(env screen.Env, v txbuild.Review) {
	past := paidBefore(env, v)
	if s.other {
		past = yours(env, v)
	}
	to := canvas.Join(format.Recipient(v).Bold(), canvas.Text("   "), past)
	s.put("To", to)
	s.unproven(v)
	for _, a := range v.LooksLike {
		s.put("", canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" looks like "), format.Account(a)))
	}
}

// singleMemo shows the memo of the single payment of a review.
func (s *sheet) singleMemo(v txbuild.Review) {
	for i, l := range s.memo(v) {
		s.put([]string{"Memo", ""}[min(i, 1)], l)
	}
}

// effects shows what changes besides what is paid.
func (s *sheet) effects(v txbuild.Review) {
	for _, e := range v.Effects {
		if e.Approved && v.Approves != nil {
			continue // shown with the proposal
		}
		if e.Now == "" && e.Was == "" && e.Careful != "" {
			continue // shown as a warning
		}
		s.put("Changes", canvas.Text(format.Clean(e.What)))
		if e.Was != "" {
			s.put("  was", canvas.Text(format.Clean(e.Was)))
		}
		if e.Now != "" {
			s.put("  then", canvas.Bold(theme.Warn, format.Clean(e.Now)))
		}
		if e.Note != "" {
			s.put("", canvas.In(theme.Warn, format.Clean(e.Note)))
		}
	}
}

// recipientChanges shows in full what changed since the recipient was last accepted: a daemon that lies looks the same as an owner who
// has new keys.
func (s *sheet) recipientChanges(env screen.Env, v txbuild.Review) {
	for _, c := range v.Changed {
		whose := format.Account(c.Account)
		if c.Of != "" {
			whose = canvas.Text(format.Clean(c.Of))
		}
		if c.Undoes != "" {
			s.put("Undoes", canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" "+c.What+" of "), whose,
				canvas.In(theme.Muted, ", set by "+format.Clean(c.Undoes)+" since this was made")))
			s.put("  now", canvas.Text(format.Clean(c.Was)))
			s.put("  then", canvas.Bold(theme.Warn, format.Clean(c.Now)))
			continue
		}
		s.put("Changed", canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" "+c.What+" of "), whose,
			canvas.In(theme.Muted, ", accepted "+env.Times().Stamp(ledger.TimeOf(c.Since)))))
		s.put("  was", canvas.Text(format.Clean(c.Was)))
		s.put("  now", canvas.Bold(theme.Warn, format.Clean(c.Now)))
	}
	if i := slices.IndexFunc(v.Changed, func(c ledgerview.Change) bool { return c.Undoes == "" }); i >= 0 {
		check := "Check in another way whether this is true; the node may be lying."
		if c := v.Changed[i]; c.Of == "" {
			check = "Ask " + format.Clean(c.Account.Name) + " another way whether this is true; the node may be lying."
		}
		s.put("", canvas.In(theme.Warn, check))
	}
}

// signing lists the keys that sign: beside the name of their authority, or under it if there is no room or the rows are spoken.
func (s *sheet) signing(v txbuild.Review) {
	label, last := "Signs with", ""
	if v.Outcome == txbuild.Writes {
		label = "May sign"
	}
	for _, k := range v.SignsWith {
		whose, key := keyOf(v, k), format.Key(k)
		text := whose.String()
		if text != last && text != "" {
			if beside := canvas.Join(whose, canvas.Text("   "), key); !s.spoken && beside.Width() <= s.w-12 {
				key = beside
			} else {
				s.put(label, whose.As(theme.Muted))
				label = ""
			}
		}
		s.put(label, key.As(theme.Muted))
		label, last = "", text
	}
}

// keyOf returns whose authority a key belongs to; nil if that is not known.
func keyOf(v txbuild.Review, key ledger.PublicKey) canvas.Line {
	at := slices.IndexFunc(v.SignsAs, func(p txbuild.AuthorityKey) bool { return p.Key == key })
	if at < 0 {
		return nil
	}
	p := v.SignsAs[at]
	whose := canvas.Join(canvas.Text(p.Role+" key of "), format.Account(p.Account))
	if p.For.ID == p.Account.ID {
		return whose
	}
	return canvas.Join(whose, canvas.Text(", who acts for "), format.Account(p.For))
}

// sums returns the column for amount and fee, and their total if both are in the same asset.
func sums(v txbuild.Review) (col format.Column, total int64, same bool) {
	col = col.Fit("", v.Asset, v.Amount).Fit("", v.FeeAsset, v.Fee)
	if v.Asset.ID != v.FeeAsset.ID {
		return col, 0, false
	}
	total = v.Amount + v.Fee
	return col.Fit("", v.Asset, total), total, true
}

// unproven warns of earlier payments for which a node's list is the only evidence.
func (s *sheet) unproven(v txbuild.Review) {
	if v.Unproven == 0 || s.other {
		return
	}
	lists := fmt.Sprintf("the node lists %d earlier ones", v.Unproven)
	if v.Unproven == 1 {
		lists = "the node lists an earlier one"
	}
	s.put("", canvas.In(theme.Warn, lists+"; neither this wallet's journal nor a block shows it"))
}

// yours marks a recipient that is an own account.
func yours(env screen.Env, v txbuild.Review) canvas.Line {
	if v.To.Name != "" && env.Owns(v.To.ID) {
		return canvas.In(theme.OK, theme.SignDone+" yours")
	}
	return nil
}

// paidBefore returns what the recipient is to this wallet: an own account, a content object, a contact, and how often it was paid.
func paidBefore(env screen.Env, v txbuild.Review) canvas.Line {
	switch {
	case v.To.Name == "" && v.ToObject != 0:
		return canvas.In(theme.Muted, "a content object")
	case env.Owns(v.To.ID):
		return yours(env, v)
	case v.FirstTime:
		first := canvas.Bold(theme.Warn, theme.SignCareful+" FIRST PAYMENT"+whose(env, " by ", v.From)+" to this account")
		if v.PaidMore {
			first = canvas.Bold(theme.Warn, theme.SignCareful+" NOT PAID LATELY"+whose(env, " by ", v.From)+": older payments were not searched")
		}
		if v.Contact {
			return canvas.Join(canvas.In(theme.OK, theme.SignDone+" contact · "), first)
		}
		return first
	}
	past := fmt.Sprintf("paid %d times", v.PaidBefore)
	if v.PaidBefore == 1 {
		past = "paid once before"
	}
	if v.PaidMore {
		past = strings.Replace(past, "paid ", "paid at least ", 1)
	}
	if v.Contact {
		past = "contact · " + past
	}
	return canvas.In(theme.OK, theme.SignDone+" "+past+whose(env, " by ", v.From))
}

// whose returns which account a fact is about, behind a word such as " of "; empty if it is the account in focus, or none is.
func whose(env screen.Env, word string, from ledgerview.AccountRef) string {
	if from.ID == env.Account.ID || from == (ledgerview.AccountRef{}) || env.Account == (ledgerview.AccountRef{}) {
		return ""
	}
	return word + format.Account(from).String()
}

// has returns "you have", or "… has" for another account than the one in focus.
func has(env screen.Env, from ledgerview.AccountRef) string {
	if other := whose(env, "", from); other != "" {
		return other + " has"
	}
	return "you have"
}

// missingSigners names the authorities that the available keys do not satisfy.
func (s *sheet) missingSigners(v txbuild.Review) {
	for _, needed := range v.Signers {
		if !needed.Met && needed.Keys == nil {
			whose := canvas.Bold(theme.Warn, theme.SignCareful+" the "+needed.Role+" authority of ")
			s.put("Missing", canvas.Join(whose, format.Account(needed.Account)))
		}
	}
}
