package build

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// most is of how many payers a review reads what they paid before.
const most = 16

// Balances adds to a review of operations that were built elsewhere what accounts have of what they would lose. Errors: the daemon's.
func Balances(ctx context.Context, by *Factory, r *Review) error {
	return readBalances(ctx, by.View, r)
}

// readBalances reads what accounts have of what they would lose.
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
	return nil
}

const (
	reviewHistory = 100       // rows of history a review compares with
	repeatWindow  = 24 * 3600 // seconds within which the same payment is called a repeat
)

// Compare adds to a review of operations that were built elsewhere whether those who get something got anything before, the same
// was done lately, or a name resembles another. Errors: those of reading the history.
func Compare(ctx context.Context, by *Factory, r *Review) error { return by.compareWithHistory(ctx, r) }

// Presume is Compare where nobody can be asked: all who get something count as if they never got anything, and names that the
// wallet does not know resemble others as called has them.
func Presume(by *Factory, r *Review, called func(ledger.AccountID) string) {
	c := comparison{r: r, given: append(r.paid(), r.Gifts...), known: by.known(), called: called}
	for _, e := range r.Effects {
		r.unnamed(e)
	}
	r.Presumed = len(c.given) > 0
	c.judge(by.View)
}

// compareWithHistory finds whether those who get something got anything before, the same was done lately, or a name
// resembles another.
func (f *Factory) compareWithHistory(ctx context.Context, r *Review) error {
	given := append(r.paid(), r.Gifts...)
	if len(given) == 0 {
		return nil
	}
	_, head, _ := f.View.Chain.Position()
	if _, err := f.View.Namer(ctx, &ledgerview.Mentions{Accounts: receivers(given)}); err != nil {
		return fault.Daemon("reading who gets something", err)
	}
	known := f.known()
	_, r.Contact = contact.Known(f.Contacts.List())[r.To.ID]
	c := comparison{r: r, given: given, head: head, times: map[ledger.AccountID]int{}, indexed: map[ledger.AccountID]bool{}, known: known,
		sure: map[ledger.AccountID]bool{}, claims: map[ledger.AccountID][]claim{}}
	for _, from := range payers(given) {
		rows, err := f.History.Entries(ctx, from, 0, reviewHistory)
		if err != nil {
			return err
		}
		c.rows(from, rows)
		if len(rows) >= reviewHistory {
			paid, err := f.History.Paid(ctx, from, refs(f.View, receivers(given)))
			if err != nil {
				return err
			}
			r.PaidMore = r.PaidMore || !paid.All
			c.older(from, rows, paid)
		}
		sent, err := f.sent(ctx, from)
		if err != nil {
			return err
		}
		c.sent(from, sent, rows)
	}
	if f.Proven != nil {
		c.prove(ctx, f.Proven)
	}
	c.judge(f.View)
	return nil
}

// comparison compares what is given with what was given before.
type comparison struct {
	r       *Review
	given   []Move
	head    ledger.Time
	times   map[ledger.AccountID]int  // how often an account got something
	indexed map[ledger.AccountID]bool // of whom older rows are counted, too
	known   map[ledger.AccountID]ledgerview.AccountRef

	sure   map[ledger.AccountID]bool    // who got something by the wallet's own word, or by the miners' signatures
	claims map[ledger.AccountID][]claim // what a node alone says that they got, newest first

	called func(ledger.AccountID) string // what somebody is called whom the wallet does not know; may be nil
}

// claim is a row in which a node says that somebody was paid.
type claim struct {
	from ledger.AccountID
	row  history.Entry
}

// What is read of blocks for a review: rows of one recipient, and all rows.
const (
	mostTried  = 3
	mostProven = 32
)

// prove looks for one row of each recipient that its block shows. A row that nothing shows may be made up, so that a stranger
// seems to have been paid.
func (c *comparison) prove(ctx context.Context, proven func(context.Context, ledger.AccountID, history.Entry) bool) {
	left := mostProven
	for _, to := range receivers(c.given) {
		claims := c.claims[to]
		for i := 0; i < min(len(claims), mostTried) && left > 0 && !c.sure[to]; i++ {
			left--
			c.sure[to] = proven(ctx, claims[i].from, claims[i].row)
		}
	}
}

// judge notes who is new, and whose name resembles another.
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

// rows counts in the history of one who gives how often each of those got something, and finds the same deed.
func (c *comparison) rows(from ledger.AccountID, rows []history.Entry) {
	for i, row := range rows {
		lately := row.Time+repeatWindow > c.head
		if lately && len(c.r.Gifts) > 0 && Title(row.Code) == c.r.Operation && row.Sentence == c.r.Sentence && c.r.Repeats == nil {
			c.r.Repeats = &rows[i]
		}
		if row.Direction != history.Out || row.To.Name == "" { // content has no name here, so one cannot be told from another
			continue
		}
		c.known[row.To.ID] = row.To
		c.claims[row.To.ID] = append(c.claims[row.To.ID], claim{from, row})
		c.past(from, row.To.ID.Object(), true, c.repeats(&rows[i]))
	}
}

// older counts what the index has and the newest rows have not.
func (c *comparison) older(from ledger.AccountID, rows []history.Entry, paid history.Paid) {
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
			c.past(from, row.To.ID.Object(), false, c.repeats(&paid.Rows[i]))
		}
	}
}

// sent does the same with what this wallet sent and rows do not show: not yet, or never.
func (c *comparison) sent(from ledger.AccountID, sent []Underway, rows []history.Entry) {
	for _, s := range sent {
		for _, was := range s.Review.paid() {
			if to := ledger.AccountID(was.To.Instance()); was.From == from.Object() && was.To == to.Object() {
				c.sure[to] = true
			}
		}
	}
	for _, s := range notIn(rows, sent) {
		again := func() {
			if c.r.Repeats == nil && s.Time+repeatWindow > c.head {
				c.r.Repeats = &history.Entry{Time: s.Time, Block: s.Block, TrxInBlock: s.TrxInBlock, Sentence: s.sentence(),
					Asset: c.r.Asset, Amount: c.r.Amount}
			}
		}
		for _, was := range s.Review.paid() {
			if was.From == from.Object() {
				to := ledger.AccountID(was.To.Instance())
				inIndex := s.Block != 0 && was.To == to.Object() && c.indexed[to]
				c.past(from, was.To, !inIndex, func(m Move) {
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

// notIn leaves out what rows show. Of what is not known to be in a block, a row that is not final and says the same counts
// as the same, once.
func notIn(rows []history.Entry, sent []Underway) (out []Underway) {
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

// repeats returns what notes a move that a row of the same day did before.
func (c *comparison) repeats(row *history.Entry) func(Move) {
	return func(m Move) {
		if row.Asset.ID == m.Asset.ID && row.Amount == m.Amount && c.r.Repeats == nil && row.Time+repeatWindow > c.head {
			c.r.Repeats = row
		}
	}
}

// past notes that one gave something to somebody before, if that is not counted yet, and calls with for each of those moves that
// are to do it again.
func (c *comparison) past(from ledger.AccountID, to ledger.ObjectID, counts bool, with func(Move)) {
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

// paid are the moves from an account to somebody.
func (r *Review) paid() (out []Move) {
	for _, m := range r.Moves {
		if from := ledger.AccountID(m.From.Instance()); m.To != 0 && m.From != 0 && from.Object() == m.From {
			out = append(out, m)
		}
	}
	return out
}

// refs returns accounts with the names that are known.
func refs(view *ledgerview.View, ids []ledger.AccountID) []ledgerview.AccountRef {
	out := make([]ledgerview.AccountRef, len(ids))
	for i, id := range ids {
		out[i] = view.Accounts.Ref(id)
	}
	return out
}

// receivers are the accounts that get something, each once.
func receivers(given []Move) (out []ledger.AccountID) {
	for _, m := range given {
		if to := ledger.AccountID(m.To.Instance()); to.Object() == m.To && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// payers are the accounts that pay, no more than most.
func payers(paid []Move) (out []ledger.AccountID) {
	for _, m := range paid {
		if from := ledger.AccountID(m.From.Instance()); len(out) < most && !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	return out
}
