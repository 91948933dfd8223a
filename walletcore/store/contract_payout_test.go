package store_test

import (
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
		{"a payment that is another wallet's frees its key", disowned},
	}
}

var errRepeats = errors.New("another plan pays it")

// rowsOf returns rows of a plan's transaction.
func rowsOf(plan string, number int, after int64, rows ...string) store.PayoutRows {
	return store.PayoutRows{Payer: 16, Plan: plan, Key: fmt.Sprintf("payout/%s/%d/1", plan, number), Fingerprints: rows, After: after,
		Repeats: func(string, int) error { return errRepeats }}
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
	if err != nil || !slices.Equal(paid.Fingerprints, []string{"x", "y"}) || len(paid.Plans) != 1 || paid.Position != 4 {
		t.Errorf("told are %+v (%v)", paid, err)
	}
	_, err = pay(t, s, 4, rowsOf("b", 1, paid.Position, "y", "z")) // as a person wants it who has seen that
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
