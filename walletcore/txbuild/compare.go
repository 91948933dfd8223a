package txbuild

import (
	"context"
	"maps"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// maxPayers is the maximum number of payers whose earlier payments are read for a review.
const maxPayers = 16

// AddBalances adds to a review of operations that were built elsewhere the balances from which accounts would pay. Errors: the daemon's.
func (by *Factory) AddBalances(ctx context.Context, r *Review) error {
	return readBalances(ctx, by.View, r)
}

// readBalances reads the balances from which accounts would pay.
func readBalances(ctx context.Context, view *ledgerview.View, r *Review) error {
	assets := map[ledger.AccountID][]ledger.AssetID{}
	for _, o := range r.Outgoing {
		assets[o.Account.ID] = append(assets[o.Account.ID], o.Asset.ID)
	}
	held := map[ledger.AccountID]map[ledger.AssetID]int64{}
	for id, of := range assets {
		var err error
		if held[id], err = view.Assets.Held(ctx, id, of...); err != nil {
			return err
		}
	}
	for i := range r.Outgoing {
		o := &r.Outgoing[i]
		o.Available = held[o.Account.ID][o.Asset.ID]
		if o.Account.ID == r.From.ID && o.Asset.ID == r.Asset.ID {
			r.Available = o.Available
		}
	}
	r.checked |= checkedBalances
	return nil
}

const (
	reviewHistory = 100       // rows of history that a review is compared with
	repeatWindow  = 24 * 3600 // seconds within which the same payment counts as a repeat
)

// AssumeNewRecipients is CompareWithHistory without a daemon: every recipient counts as new, and accounts whose names the wallet does not know are compared
// under the name that called returns.
func (by *Factory) AssumeNewRecipients(r *Review, called func(ledger.AccountID) string) {
	c := comparison{r: r, given: append(r.payments(), r.Gifts...), known: by.known(), called: called}
	for _, e := range r.Effects {
		r.noteUnnamed(e)
	}
	r.Presumed = len(c.given) > 0
	c.judge(by.View)
}

// CompareWithHistory adds to a review whether the recipients got anything before, the same was done lately, or a name
// resembles another.
func (f *Factory) CompareWithHistory(ctx context.Context, r *Review) error {
	given := append(r.payments(), r.Gifts...)
	if len(given) == 0 {
		r.checked |= checkedHistory
		return nil
	}
	_, head, _ := f.View.Chain.Position()
	if _, err := f.View.Namer(ctx, &ledgerview.Mentions{Accounts: receivers(given)}); err != nil {
		return fault.Daemon("reading who gets something", err)
	}
	known := f.known()
	familiar := maps.Clone(known) // the rest of known is whoever was paid
	_, r.Contact = contact.Known(f.Contacts.List())[r.To.ID]
	c := comparison{r: r, given: given, head: head, times: map[ledger.AccountID]int{}, indexed: map[ledger.AccountID]bool{}, known: known, familiar: familiar,
		sure: map[ledger.AccountID]bool{}, claims: map[ledger.AccountID][]claim{}}
	for _, from := range payers(given) {
		rows, err := f.History.Entries(ctx, from, 0, reviewHistory)
		if err != nil {
			return err
		}
		c.countRows(from, rows)
		if len(rows) >= reviewHistory {
			paid, err := f.History.Paid(ctx, from, refs(f.View, receivers(given)))
			if err != nil {
				return err
			}
			r.PaidMore = r.PaidMore || !paid.All
			c.countOlder(from, rows, paid)
		}
		sent, err := f.sent(ctx, from)
		if err != nil {
			return err
		}
		c.countSent(from, sent, rows)
	}
	if f.Proven != nil {
		c.prove(ctx, f.Proven)
	}
	c.judge(f.View)
	r.checked |= checkedHistory
	return nil
}

// comparison compares what is given now with what was given before.
type comparison struct {
	r       *Review
	given   []Move
	head    ledger.Time
	times   map[ledger.AccountID]int  // how often an account got something
	indexed map[ledger.AccountID]bool // accounts whose count includes the index
	known   map[ledger.AccountID]ledgerview.AccountRef

	familiar map[ledger.AccountID]ledgerview.AccountRef // own accounts and contacts

	sure   map[ledger.AccountID]bool    // accounts that got something according to the wallet itself or the miners' signatures
	claims map[ledger.AccountID][]claim // payments to them that only a node reports, newest first

	called func(ledger.AccountID) string // names accounts that the wallet does not know; may be nil
}

// claim is a row of history in which a node reports a payment.
type claim struct {
	from ledger.AccountID
	row  history.Entry
}

// How many rows are checked against their blocks for a review: per recipient, and in all.
const (
	maxTries  = 3
	maxProofs = 32
)

// prove looks for one row per recipient that is proven by its block. A row without proof may be made up, to make it look as if a
// stranger had been paid before.
func (c *comparison) prove(ctx context.Context, proven func(context.Context, ledger.AccountID, history.Entry) bool) {
	left := maxProofs
	for _, to := range receivers(c.given) {
		claims := c.claims[to]
		for i := 0; i < min(len(claims), maxTries) && left > 0 && !c.sure[to]; i++ {
			left--
			c.sure[to] = proven(ctx, claims[i].from, claims[i].row)
		}
	}
}

// judge records who is new, and whose name resembles another.
func (c *comparison) judge(by *ledgerview.View) {
	r := c.r
	for _, m := range c.given {
		to := ledger.AccountID(m.To.Instance())
		if to.Object() != m.To { // content
			r.FirstTime = true
			continue
		}
		r.PaidBefore = c.times[to]
		if !c.sure[to] {
			r.PaidBefore, r.Unproven = 0, r.Unproven+c.times[to]
		}
		if !c.sure[to] && !slices.ContainsFunc(r.New, func(a ledgerview.AccountRef) bool { return a.ID == to }) {
			r.New, r.FirstTime = append(r.New, by.Accounts.Ref(to)), true
		}
		if _, is := c.familiar[to]; is && c.sure[to] { // it is the one that others look like
			continue
		}
		others := make(map[ledger.AccountID]ledgerview.AccountRef, len(c.known))
		for id, ref := range c.known {
			if id != to {
				others[id] = ref
			}
		}
		for _, alike := range ledgerview.LookAlikes(c.nameOf(by, to), others) {
			if !slices.Contains(r.LooksLike, alike) {
				r.LooksLike = append(r.LooksLike, alike)
			}
		}
	}
}

func (c *comparison) nameOf(by *ledgerview.View, id ledger.AccountID) string {
	name, known := by.Accounts.Name(id)
	if !known && c.called != nil {
		return c.called(id)
	}
	return name
}

// countRows counts how often each recipient got something in the payer's newest rows, and looks for a repeat.
func (c *comparison) countRows(from ledger.AccountID, rows []history.Entry) {
	for i, row := range rows {
		lately := row.Time+repeatWindow > c.head
		if lately && len(c.r.Gifts) > 0 && Title(row.Code) == c.r.Operation && row.Sentence == c.r.Sentence && c.r.Repeats == nil {
			c.r.Repeats = &rows[i]
		}
		if row.Direction != history.Out || row.To.Name == "" { // content has no name here, so items cannot be told apart
			continue
		}
		c.known[row.To.ID] = row.To
		c.claims[row.To.ID] = append(c.claims[row.To.ID], claim{from, row})
		c.countGift(from, row.To.ID.Object(), true, c.noteRepeat(&rows[i]))
	}
}

// countOlder counts what is in the index but not in the newest rows.
func (c *comparison) countOlder(from ledger.AccountID, rows []history.Entry, paid history.Paid) {
	for _, ref := range paid.Alike {
		c.known[ref.ID] = ref
	}
	for to, dealt := range paid.To {
		lately := uint64(0)
		for _, row := range rows {
			if row.Direction == history.Out && row.To.ID == to && row.Amount != 0 {
				lately++
			}
		}
		if dealt.Out > lately && slices.ContainsFunc(c.given, func(m Move) bool { return m.From == from.Object() && m.To == to.Object() }) {
			c.times[to] += int(dealt.Out - lately)
			c.indexed[to] = true
		}
	}
	for i, row := range paid.Rows {
		if !slices.ContainsFunc(rows, func(is history.Entry) bool { return is.ID == row.ID }) {
			c.claims[row.To.ID] = append(c.claims[row.To.ID], claim{from, row})
			c.countGift(from, row.To.ID.Object(), false, c.noteRepeat(&paid.Rows[i]))
		}
	}
}

// countSent does the same with what this wallet sent and the rows do not show, or not yet.
func (c *comparison) countSent(from ledger.AccountID, sent []Underway, rows []history.Entry) {
	for _, s := range sent {
		for _, was := range s.Review.payments() {
			if to := ledger.AccountID(was.To.Instance()); was.From == from.Object() && was.To == to.Object() {
				c.sure[to] = true
			}
		}
	}
	c.countLater(from, sent)
	for _, s := range notShown(rows, sent) {
		again := func() {
			if c.r.Repeats == nil && s.Time+repeatWindow > c.head {
				c.r.Repeats = &history.Entry{Time: s.Time, Block: s.Block, TrxInBlock: s.TrxInBlock, Sentence: s.sentence(),
					Asset: c.r.Asset, Amount: c.r.Amount}
			}
		}
		for _, was := range s.Review.payments() {
			if was.From == from.Object() {
				to := ledger.AccountID(was.To.Instance())
				inIndex := s.Block != 0 && was.To == to.Object() && c.indexed[to]
				c.countGift(from, was.To, !inIndex, func(m Move) {
					if was.Asset.ID == m.Asset.ID && was.Amount == m.Amount {
						again()
					}
				})
			}
		}
		if len(c.r.Gifts) > 0 && s.Review.Same(*c.r) {
			again()
		}
	}
}

// countLater does the same with those who are paid by what this wallet submitted, later and by the ledger: the seeders and co-authors. A row of history
// names none of them, unless there is only one.
func (c *comparison) countLater(from ledger.AccountID, sent []Underway) {
	for _, s := range sent {
		if s.Review.Operation != Title(ledger.CodeContentSubmit) {
			continue
		}
		for _, was := range s.Review.Gifts {
			if was.From == from.Object() {
				c.sure[ledger.AccountID(was.To.Instance())] = true
				c.countGift(from, was.To, len(s.Review.Gifts) > 1, func(Move) {})
			}
		}
	}
}

// notShown returns what was sent but is not in rows. A payment that is not known to be in a block is matched with a row that is not
// final and has the same content; each row matches once.
func notShown(rows []history.Entry, sent []Underway) (out []Underway) {
	used := map[int]bool{}
	shows := func(is func(history.Entry) bool) bool {
		for i, row := range rows {
			if !used[i] && is(row) {
				used[i] = true
				return true
			}
		}
		return false
	}
	var open []Underway
	for _, s := range sent {
		in := func(row history.Entry) bool { return row.Block == s.Block && row.TrxInBlock == s.TrxInBlock }
		if s.Block == 0 {
			open = append(open, s)
		} else if !shows(in) {
			out = append(out, s)
		}
	}
	for _, s := range open {
		if !shows(func(row history.Entry) bool {
			return !row.Final && Title(row.Code) == s.Review.Operation && row.To.ID == s.Review.To.ID &&
				row.Asset.ID == s.Review.Asset.ID && row.Amount == s.Review.Amount
		}) {
			out = append(out, s)
		}
	}
	return out
}

// noteRepeat returns a function that records row as a repeat of a move with the same asset and amount, if it is recent.
func (c *comparison) noteRepeat(row *history.Entry) func(Move) {
	return func(m Move) {
		if row.Asset.ID == m.Asset.ID && row.Amount == m.Amount && c.r.Repeats == nil && row.Time+repeatWindow > c.head {
			c.r.Repeats = row
		}
	}
}

// countGift counts, if counts is true, that an account gave something to another before, and calls with for each move that would do
// so again.
func (c *comparison) countGift(from ledger.AccountID, to ledger.ObjectID, counts bool, with func(Move)) {
	counted := !counts
	for _, m := range c.given {
		if m.To != to || m.From != from.Object() {
			continue
		}
		if id := ledger.AccountID(to.Instance()); !counted && id.Object() == to {
			c.times[id]++
			counted = true
		}
		with(m)
	}
}

// payments returns the moves from an account to another party.
func (r *Review) payments() (out []Move) {
	for _, m := range r.Moves {
		if from := ledger.AccountID(m.From.Instance()); m.To != 0 && m.From != 0 && from.Object() == m.From {
			out = append(out, m)
		}
	}
	return out
}

// refs returns references to accounts, with their names where known.
func refs(view *ledgerview.View, ids []ledger.AccountID) []ledgerview.AccountRef {
	out := make([]ledgerview.AccountRef, len(ids))
	for i, id := range ids {
		out[i] = view.Accounts.Ref(id)
	}
	return out
}

// receivers returns the accounts that get something, each once.
func receivers(given []Move) (out []ledger.AccountID) {
	for _, m := range given {
		if to := ledger.AccountID(m.To.Instance()); to.Object() == m.To && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// payers returns the accounts that pay, each once and at most maxPayers.
func payers(paid []Move) (out []ledger.AccountID) {
	for _, m := range paid {
		if from := ledger.AccountID(m.From.Instance()); len(out) < maxPayers && !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	return out
}
