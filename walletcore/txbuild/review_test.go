package txbuild

import (
	"math"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// A payment counts as made before only if it is the same in everything that it does: what differs in one of it is another one.
func TestSameReviewsAreTheSameInEverything(t *testing.T) {
	account := func(id ledger.AccountID) ledgerview.AccountRef {
		return ledgerview.AccountRef{ID: id, Name: "somebody"}
	}
	move := Move{From: ledger.AccountID(16).Object(), To: ledger.AccountID(17).Object(), Asset: ledgerview.AssetRef{ID: 1}, Amount: 5}
	pays := Review{Operation: "transfer (0)", From: account(16), To: account(17), ToObject: ledger.AccountID(17).Object(), Asset: ledgerview.AssetRef{ID: 1},
		Amount: 5, Moves: []Move{move, move}, Sentences: []string{"a paid b"}}
	says := Review{Operation: "custom (35)", From: account(16), Sentences: []string{"a wrote to b"},
		Messages: []MessageText{{To: 17, Text: "hello", State: vault.MemoOpen}}}
	moves := func(r *Review, change func(*Move)) {
		r.Moves = slices.Clone(r.Moves)
		change(&r.Moves[1])
	}
	message := func(r *Review, change func(*MessageText)) {
		r.Messages = slices.Clone(r.Messages)
		change(&r.Messages[0])
	}
	for name, c := range map[string]struct {
		of     Review
		change func(*Review)
		same   bool
	}{
		"nothing":                    {pays, func(*Review) {}, true},
		"the operation":              {pays, func(r *Review) { r.Operation = "transfer (39)" }, false},
		"the payer":                  {pays, func(r *Review) { r.From.ID++ }, false},
		"the recipient":              {pays, func(r *Review) { r.To.ID++ }, false},
		"the recipient's object":     {pays, func(r *Review) { r.ToObject++ }, false},
		"the asset":                  {pays, func(r *Review) { r.Asset.ID++ }, false},
		"the amount":                 {pays, func(r *Review) { r.Amount++ }, false},
		"a move's payer":             {pays, func(r *Review) { moves(r, func(m *Move) { m.From++ }) }, false},
		"a move's recipient":         {pays, func(r *Review) { moves(r, func(m *Move) { m.To++ }) }, false},
		"a move's asset":             {pays, func(r *Review) { moves(r, func(m *Move) { m.Asset.ID++ }) }, false},
		"a move's amount":            {pays, func(r *Review) { moves(r, func(m *Move) { m.Amount++ }) }, false},
		"the number of moves":        {pays, func(r *Review) { r.Moves = r.Moves[:1] }, false},
		"no moves were journalled":   {pays, func(r *Review) { r.Moves = nil }, true},
		"names and wording":          {pays, func(r *Review) { r.To.Name, r.Sentences = "b", []string{"a pays b"} }, true},
		"nothing of a message":       {says, func(*Review) {}, true},
		"a message's text":           {says, func(r *Review) { message(r, func(m *MessageText) { m.Text = "goodbye" }) }, false},
		"a message's recipient":      {says, func(r *Review) { message(r, func(m *MessageText) { m.To++ }) }, false},
		"a message is not read":      {says, func(r *Review) { message(r, func(m *MessageText) { m.Text, m.State = "", vault.MemoLocked }) }, true},
		"a plain text":               {says, func(r *Review) { message(r, func(m *MessageText) { m.Text, m.State = "x", vault.MemoPlain }) }, false},
		"the number of messages":     {says, func(r *Review) { r.Messages = nil }, false},
		"what is done":               {says, func(r *Review) { r.Sentences = []string{"a wrote to c"} }, false},
		"what is done was not kept":  {says, func(r *Review) { r.Sentences = nil }, true},
		"another sentence and moves": {says, func(r *Review) { r.Sentences, r.Moves = []string{"a paid c"}, []Move{move} }, true},
	} {
		other := c.of
		c.change(&other)
		if got := c.of.Same(other); got != c.same {
			t.Errorf("where %s differs: the same %v", name, got)
		}
		if got := other.Same(c.of); got != c.same {
			t.Errorf("where %s differs, the other way round: the same %v", name, got)
		}
	}
}

// Of several operations a person sees first what cannot be taken back: an account that is lost, then new keys, approvals, and large
// payments; a small payment comes last, behind what pays nothing.
func TestTheGravestComesFirst(t *testing.T) {
	inOrder := []Review{
		{Control: []Control{{Here: true}, {}}},
		{Control: []Control{{Here: true}}, Amount: 1},
		{Unread: []ledger.ProposalID{1}},
		{Approves: new(Review)},
		{Amount: math.MaxInt64},
		{Amount: dust + 1},
		{Amount: dust},
		{},
		{Amount: dust - 1},
		{Amount: 1},
	}
	for n := range inOrder {
		turned := append(slices.Clone(inOrder[n:]), inOrder[:n]...)
		order := Gravest(turned)
		for i := 1; i < len(order); i++ {
			if a, b := turned[order[i-1]].gravity(), turned[order[i]].gravity(); a < b {
				t.Errorf("from %d: %d is before %d", n, order[i-1], order[i])
			}
		}
	}
	for i := 1; i < len(inOrder); i++ {
		equal := i == 3 || i == 7 // the two kinds of approvals, and the payment that is as grave as nothing
		if a, b := inOrder[i-1].gravity(), inOrder[i].gravity(); a < b || a == b != equal {
			t.Errorf("%d weighs %v, %d weighs %v", i-1, a, i, b)
		}
	}
}

// What is spent of the asset that is paid includes the fee only where the fee is of that asset, and never overflows.
func TestSpentIncludesTheFee(t *testing.T) {
	for _, c := range []struct {
		r    Review
		want int64
	}{
		{Review{Amount: 5, Fee: 2}, 7},
		{Review{Amount: 5, Fee: 2, FeeAsset: ledgerview.AssetRef{ID: 1}}, 5},
		{Review{Amount: math.MaxInt64, Fee: 2}, math.MaxInt64},
	} {
		if got := c.r.Spent(); got != c.want {
			t.Errorf("%+v spends %d, want %d", c.r, got, c.want)
		}
	}
	for _, c := range []struct {
		r    Review
		pays bool
	}{{Review{Amount: 1, ToObject: 1}, true}, {Review{Amount: 1}, false}, {Review{ToObject: 1}, false}} {
		if c.r.Pays() != c.pays {
			t.Errorf("%+v pays: %v", c.r, c.r.Pays())
		}
	}
}

// What pays nobody, such as a publication whose fee the ledger holds, is the same only if it says the same, whatever the amounts.
func TestWhatPaysNobodyIsTheSameByItsWords(t *testing.T) {
	publishes := func(what string, held int64) Review {
		return Review{Operation: "content submit (20)", Moves: []Move{{From: ledger.AccountID(16).Object(), Amount: held}}, Sentences: []string{"alice offered the content " + what}}
	}
	for _, c := range []struct {
		with Review
		same bool
	}{{publishes("a", 5), true}, {publishes("b", 5), false}, {publishes("a", 6), false}} {
		if got := publishes("a", 5).Same(c.with); got != c.same {
			t.Errorf("it is the same as %+v: %v", c.with, got)
		}
	}
}

// What was sent has its facts alone, without sentences: content that is offered or bought is another one by its address.
func TestOtherContentIsNoRepeat(t *testing.T) {
	f := &Factory{}
	for name, of := range map[string]func(uri string) ledger.Operation{
		"offered": func(uri string) ledger.Operation {
			return ledger.NewOperation(&ledger.ContentSubmitOp{Author: alice, URI: uri, PublishingFee: ledger.AssetAmount{Amount: 9}})
		},
		"bought": func(uri string) ledger.Operation {
			return ledger.NewOperation(&ledger.RequestToBuyOp{Consumer: alice, URI: uri, Price: ledger.AssetAmount{Amount: 9}})
		},
	} {
		facts := func(uri string) (r Review) {
			f.addFacts(&r, of(uri), true)
			return r
		}
		if facts("ipfs:a").Same(facts("ipfs:b")) || !facts("ipfs:a").Same(facts("ipfs:a")) {
			t.Errorf("%s: not the same by its address", name)
		}
	}
}

// A review is graver than an earlier one of the same operations for each thing that it warns of and the earlier one did not; it is not
// for what was there already, or is gone.
func TestNewWarningsAreWhatIsNew(t *testing.T) {
	alice, gold := ledgerview.AccountRef{ID: 16}, ledgerview.AssetRef{ID: 1}
	goes := func(amount, of int64) []Outgoing {
		return []Outgoing{{Account: alice, Asset: gold, Amount: amount, Available: of}}
	}
	with := func(change func(*Review)) Review {
		r := Review{Bytes: "00", Outgoing: goes(5, 10)}
		change(&r)
		return r
	}
	base := with(func(*Review) {})
	repeats := with(func(r *Review) { r.Repeats = new(history.Entry) })
	for name, c := range map[string]struct{ worse, than Review }{
		"other bytes":         {with(func(r *Review) { r.Bytes = "01" }), base},
		"a repeat":            {repeats, base},
		"one more repeat":     {with(func(r *Review) { r.Repeats, r.PaidBefore = new(history.Entry), 1 }), repeats},
		"new keys":            {with(func(r *Review) { r.Changed = make([]ledgerview.Change, 1) }), base},
		"a higher fee":        {with(func(r *Review) { r.FeeLeaps = true }), base},
		"a new recipient":     {with(func(r *Review) { r.FirstTime = true }), base},
		"a similar name":      {with(func(r *Review) { r.LooksLike = make([]ledgerview.AccountRef, 1) }), base},
		"most of it":          {with(func(r *Review) { r.Outgoing = goes(6, 10) }), base},
		"most of it is left":  {with(func(r *Review) { r.Outgoing = goes(5, 9) }), base},
		"in what is approved": {with(func(r *Review) { r.Approves = &Review{FirstTime: true} }), with(func(r *Review) { r.Approves = new(Review) })},
	} {
		if !c.worse.HasNewWarnings(c.than) {
			t.Errorf("%s is not graver", name)
		}
		if name != "other bytes" && c.than.HasNewWarnings(c.worse) {
			t.Errorf("without %s it is graver", name)
		}
		if c.worse.HasNewWarnings(c.worse) {
			t.Errorf("%s is graver than itself", name)
		}
	}
	for name, r := range map[string]Review{
		"no bytes yet":    with(func(r *Review) { r.Bytes = "" }),
		"another asset":   with(func(r *Review) { r.Outgoing = goes(6, 10); r.Outgoing[0].Asset.ID++ }),
		"another account": with(func(r *Review) { r.Outgoing = goes(6, 10); r.Outgoing[0].Account.ID++ }),
	} {
		if r.HasNewWarnings(base) || name == "no bytes yet" && base.HasNewWarnings(r) {
			t.Errorf("%s is graver", name)
		}
	}
}
