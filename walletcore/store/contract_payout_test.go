package store_test

import (
	databasesql "database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"billfold/walletcore/store"
)

func payouts() []behaviour {
	return []behaviour{
		{"a row of a payout is paid by one plan", onePlanOfARow},
		{"rows count as long as their payment may happen", rowsOfOpenPayments},
		{"a row is paid once under a label", rowsOfALabel},
		{"the first payment of a plan is refused if another plan paid since it was compared", rowsSinceTheyWereCompared},
		{"a payment that is another wallet's frees its key", disowned},
	}
}

var errRepeats = errors.New("another plan pays it")

// rowsOf returns rows of a plan's transaction.
func rowsOf(plan string, number int, after int64, rows ...string) store.PayoutRows {
	return store.PayoutRows{Payer: 16, Plan: plan, Key: fmt.Sprintf("payout/%s/%d/1", plan, number), Fingerprints: rows, After: after,
		Label: labelled(""), Repeats: func(string, int) error { return errRepeats }, Moved: func() error { return errMoved }}
}

var errMoved = errors.New("another plan was paid since")

func labelled(label string) databasesql.NullString {
	return databasesql.NullString{String: label, Valid: true}
}

// pay adds a payment of a payout.
func pay(t *testing.T, s *store.Store, n uint32, r store.PayoutRows) (store.Entry, error) {
	e := entry(n)
	e.Key = r.Key
	return e, s.Journal.Add(t.Context(), e, r.Change())
}

// Many programs pay plans that have rows in common, each in another order: each row is paid once.
func onePlanOfARow(t *testing.T, p place) {
	const rows, callers, perBatch = 60, 3, 20
	all := openAll(t, p)
	var mu sync.Mutex
	paid := map[string][]string{}
	atOnce(all, callers, func(program, caller int, s *store.Store) {
		plan := fmt.Sprintf("plan-%d-%d", program, caller)
		order := rand.Perm(rows)
		for batch := range rows / perBatch {
			r := rowsOf(plan, batch, 0)
			for _, n := range order[batch*perBatch : (batch+1)*perBatch] {
				r.Fingerprints = append(r.Fingerprints, fmt.Sprintf("row %d", n))
			}
			switch _, err := pay(t, s, uint32(1+program*100+caller*10+batch), r); {
			case err == nil:
				mu.Lock()
				for _, row := range r.Fingerprints {
					paid[row] = append(paid[row], plan)
				}
				mu.Unlock()
			case !errors.Is(err, errRepeats):
				t.Error(err)
			}
		}
	})
	if len(paid) == 0 {
		t.Error("nobody paid")
	}
	for row, plans := range paid {
		if len(plans) > 1 {
			t.Errorf("%s is paid by %v", row, plans)
		}
	}
}

func rowsOfOpenPayments(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	first, err := pay(t, s, 1, rowsOf("a", 1, 0, "x", "y", "y"))
	must(t, err)
	_, err = pay(t, s, 2, rowsOf("a", 2, 0, "x")) // a plan may have a row twice
	must(t, err)
	if _, err := pay(t, s, 3, rowsOf("b", 1, 0, "y", "z")); !errors.Is(err, errRepeats) {
		t.Errorf("a row of another plan: %v", err)
	}
	if _, err := s.Journal.Get(ctx, entry(3).ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a refused payment is there: %v", err)
	}
	paid, err := s.Journal.PaidElsewhere(ctx, rowsOf("b", 1, 0, "x", "y", "z"))
	if err != nil || !slices.Equal(named(paid), []string{"x of a", "y of a"}) || paid.Position != 4 || !paid.Rows[0].Counts {
		t.Errorf("told are %+v (%v)", paid, err)
	}
	insists := rowsOf("b", 1, paid.Position, "y", "z") // as a person wants it who has seen that
	if insists.Again = true; err == nil {
		_, err = pay(t, s, 4, insists)
	}
	must(t, err)
	if _, err := pay(t, s, 5, rowsOf("c", 1, paid.Position, "z")); !errors.Is(err, errRepeats) {
		t.Errorf("a row that came since: %v", err)
	}
	first.State, first.Proven = store.Expired, true
	must(t, s.Journal.Update(ctx, first))
	_, err = pay(t, s, 6, rowsOf("d", 1, 0, "x")) // still in the second payment of a
	if !errors.Is(err, errRepeats) {
		t.Error(err)
	}
	var others sync.WaitGroup
	for n := range 1500 { // whatever else is paid in between
		others.Go(func() {
			e := entry(uint32(100 + n))
			e.Key = fmt.Sprintf("payout/other-%d/1/1", n)
			if err := s.Journal.Add(ctx, e); err != nil {
				t.Error(err)
			}
		})
	}
	others.Wait()
	if _, err := pay(t, s, 7, rowsOf("e", 1, 0, "z")); !errors.Is(err, errRepeats) {
		t.Errorf("after 1,500 others: %v", err)
	}
	if list, err := s.Journal.UnlistedPayouts(ctx, "payout/", "payout0"); err != nil || len(list) != 1500 {
		t.Errorf("%d payments have no rows (%v)", len(list), err)
	}
}

// named returns what is told of rows.
func named(paid store.PaidRows) (all []string) {
	for _, r := range paid.Rows {
		all = append(all, r.Fingerprint+" of "+r.Plan)
	}
	return all
}

// Each row is tried under each kind of label after each other one: the same label pays it once, another one again, and a label that
// nobody knows counts until a person has looked at it.
func rowsOfALabel(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	number := uint32(0)
	try := func(label databasesql.NullString, again bool, row string) error {
		number++
		r := rowsOf(fmt.Sprintf("plan-%d", number), 1, 0, row)
		paid, err := s.Journal.PaidElsewhere(ctx, store.PayoutRows{Payer: 16, Plan: r.Plan, Label: label, Fingerprints: r.Fingerprints})
		must(t, err)
		r.Label, r.After, r.Again = label, paid.Position, again // as a person who has seen everything
		refused := slices.ContainsFunc(paid.Rows, func(r store.PaidRow) bool { return r.Counts })
		_, err = pay(t, s, number, r)
		if told := errors.Is(err, errRepeats); err != nil && !told || told != (refused && !again) {
			t.Errorf("%s under %q (again: %v) ends with %v, and told was %+v", row, label.String, again, err, paid)
		}
		return err
	}
	unknown := databasesql.NullString{}
	for _, c := range []struct {
		before, label databasesql.NullString
		refused       bool
	}{
		{labelled("may"), labelled("may"), true}, {labelled("may"), labelled("june"), false}, {labelled(""), labelled("may"), false},
		{labelled("may"), labelled(""), true}, {labelled(""), labelled(""), true}, {unknown, labelled("may"), true}, {unknown, labelled(""), true},
	} {
		row := fmt.Sprintf("%q then %q", c.before.String, c.label.String)
		if !c.before.Valid {
			row = "unknown " + row
		}
		number++
		first := rowsOf(fmt.Sprintf("plan-%d", number), 1, 0, row)
		first.Label = c.before
		_, err := pay(t, s, number, first)
		must(t, err)
		if err := try(c.label, false, row); errors.Is(err, errRepeats) != c.refused {
			t.Errorf("%s: %v", row, err)
		}
		must(t, try(c.label, true, row)) // on purpose
		if err := try(c.label, false, row); !errors.Is(err, errRepeats) {
			t.Errorf("%s, after it was paid on purpose: %v", row, err)
		}
		if !c.before.Valid && c.label.String != "" { // a person has looked at it, so it was none of this label
			must(t, try(labelled("another"), false, row))
		}
	}
	// A label has other marks that earlier versions recorded it under.
	for _, c := range []struct {
		same    []string
		refused bool
	}{{nil, false}, {[]string{"MAI", "may once"}, true}} {
		number += 2
		before, r := rowsOf(fmt.Sprintf("plan-%d", number), 1, 0, fmt.Sprint(c.same)), rowsOf(fmt.Sprintf("plan-%d", number-1), 1, 0, fmt.Sprint(c.same))
		before.Label = labelled("may once")
		_, err := pay(t, s, number, before)
		must(t, err)
		r.Label, r.SameLabel = labelled("may"), c.same
		paid, err := s.Journal.PaidElsewhere(ctx, r)
		must(t, err)
		r.After = paid.Position
		if _, err := pay(t, s, number-1, r); errors.Is(err, errRepeats) != c.refused || paid.Rows[0].Counts != c.refused {
			t.Errorf("with %v as other marks of the label it ends with %v; told is %+v", c.same, err, paid)
		}
	}
	// What was claimed under a key of no payout may be of any, however often the same was paid on purpose.
	number++
	claimed := rowsOf("none", 1, 0, "claimed")
	claimed.Label, claimed.Key = unknown, "order-7"
	e := entry(number)
	e.Key, e.Origin = claimed.Key, store.Claimed
	must(t, s.Journal.Add(ctx, e, claimed.Change()))
	must(t, try(labelled("june"), true, "claimed"))
	if err := try(labelled("may"), false, "claimed"); !errors.Is(err, errRepeats) {
		t.Errorf("a claimed payment, after it was paid on purpose under another label: %v", err)
	}
}

// What was compared up to a position is refused once another plan has paid anything since, also if no row of the first transaction is in it.
func rowsSinceTheyWereCompared(t *testing.T, p place) {
	s := p.open(t, 0)
	_, err := pay(t, s, 1, rowsOf("a", 1, 0, "x"))
	must(t, err)
	first := rowsOf("b", 1, 0, "y")
	first.First = true
	if _, err := pay(t, s, 2, first); !errors.Is(err, errMoved) {
		t.Errorf("a plan that was compared before another was paid: %v", err)
	}
	first.After = 1
	_, err = pay(t, s, 3, first)
	must(t, err)
	own := rowsOf("b", 2, 1, "z") // its own rows do not count
	own.First = true
	_, err = pay(t, s, 4, own)
	must(t, err)
}

func disowned(t *testing.T, p place) {
	ctx, s := t.Context(), p.open(t, 0)
	e, err := pay(t, s, 1, rowsOf("a", 1, 0, "x"))
	must(t, err)
	must(t, s.Journal.Disown(ctx, e.ID, "made_elsewhere", "it is another wallet's"))
	if got, err := s.Journal.Get(ctx, e.ID); err != nil || got.State != store.Rejected || got.Proven || got.Key != "" || got.Code != "made_elsewhere" {
		t.Errorf("it is %+v (%v)", got, err)
	}
	anew := rowsOf("a", 1, 0, "x")
	e, err = pay(t, s, 2, anew)
	must(t, err)
	if _, err := pay(t, s, 3, rowsOf("b", 1, 0, "x")); !errors.Is(err, errRepeats) {
		t.Errorf("the row of what was signed anew is paid again: %v", err)
	}
	e.State = store.Unknown
	must(t, s.Journal.Update(ctx, e))
	if err := s.Journal.Disown(ctx, e.ID, "made_elsewhere", ""); !errors.As(err, new(*store.RefusedError)) {
		t.Errorf("what may have been sent is disowned: %v", err)
	}
}
