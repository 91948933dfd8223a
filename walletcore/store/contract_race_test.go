package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/store"
)

// programs is the number of programs that share a store in these tests.
const programs = 3

func races() []behaviour {
	return []behaviour{
		{"a key stands for one payment", oneOfAKey},
		{"one says rejected or another says sent", oneOfRejectedAndSent},
		{"many at once stay within a limit", withinLimit},
		{"a request that comes twice counts once", countedOnce},
		{"many at once make one chain of records", oneChain},
		{"cursors only go forward", onlyForward},
		{"batches in any order do not lock each other out", anyOrder},
		{"programs that begin at once", beginAtOnce},
	}
}

func openAll(t *testing.T, p place) (all []*store.Store) {
	t.Helper()
	for n := range programs {
		all = append(all, p.open(t, n))
	}
	return all
}

// atOnce runs do for each store and each of so many callers.
func atOnce(all []*store.Store, callers int, do func(program, caller int, s *store.Store)) {
	var wg sync.WaitGroup
	for program, s := range all {
		for caller := range callers {
			wg.Go(func() { do(program, caller, s) })
		}
	}
	wg.Wait()
}

func oneOfAKey(t *testing.T, p place) {
	const keys, callers = 40, 8
	all := openAll(t, p)
	var mu sync.Mutex
	written := map[string]int{}
	atOnce(all, callers, func(program, caller int, s *store.Store) {
		for n := range keys {
			e := entry(uint32(n*100 + program*callers + caller))
			e.Key = "key " + strconv.Itoa(n)
			switch err := s.Journal.Add(t.Context(), e); {
			case err == nil:
				mu.Lock()
				written[e.Key]++
				mu.Unlock()
			case !errors.Is(err, store.ErrKeyTaken):
				t.Error(err)
			}
		}
	})
	for n := range keys {
		if key := "key " + strconv.Itoa(n); written[key] != 1 {
			t.Errorf("%s was written %d times", key, written[key])
		}
	}
	if list, err := all[0].Journal.Latest(t.Context(), 10*keys); err != nil || len(list) != keys {
		t.Errorf("there are %d (%v)", len(list), err)
	}
}

// A payment that one program may have sent cannot be called rejected by another.
func oneOfRejectedAndSent(t *testing.T, p place) {
	all := openAll(t, p)[:2]
	for n := range uint32(60) {
		e := entry(n + 1)
		must(t, all[0].Journal.Add(t.Context(), e))
		var said [2]error
		atOnce(all, 1, func(program, _ int, s *store.Store) {
			e := e
			e.State = []store.State{store.Rejected, store.Unknown}[program]
			said[program] = s.Journal.Update(t.Context(), e)
		})
		if said[0] == nil && said[1] == nil {
			t.Error("both were accepted")
		}
		for program, err := range said {
			if _, refused := errors.AsType[*store.RefusedError](err); err != nil && !refused {
				t.Error(program, err)
			}
		}
		if p.owned && (said[0] != nil || said[1] == nil) {
			t.Errorf("the owner's was %v, the other's %v", said[0], said[1])
		}
	}
}

func withinLimit(t *testing.T, p place) {
	const limit = 20
	all, over, at := openAll(t, p), errors.New("over"), time.Now()
	var mu sync.Mutex
	paid := 0
	atOnce(all, 12, func(program, caller int, s *store.Store) {
		ctx := t.Context()
		if caller%2 == 0 {
			ctx = store.WithCallBatch(ctx)
		}
		spend := store.Spend{Token: "shop", Key: fmt.Sprint(program, caller), Amount: 1}
		r := &store.Reservation{Spend: spend, Limit: limit, At: at, Over: over}
		err := s.Limits.Reserve(ctx, store.CallBatchOf(ctx), r)
		if caller%2 == 0 && err == nil {
			err = s.Journal.Add(ctx, entry(uint32(1+program*100+caller)))
		}
		switch {
		case err == nil:
			mu.Lock()
			paid++
			mu.Unlock()
		case !errors.Is(err, over):
			t.Error(err)
		}
	})
	sum, _, err := all[1].Limits.Spent(t.Context(), store.Spend{Token: "shop"}, time.Now())
	if paid != limit || sum != limit || err != nil {
		t.Errorf("%d were paid, %d are counted (%v)", paid, sum, err)
	}
}

func countedOnce(t *testing.T, p place) {
	all, at := openAll(t, p), time.Now()
	spend := store.Spend{Token: "shop", Key: "order", Amount: 3}
	atOnce(all, 4, func(_, _ int, s *store.Store) {
		must(t, s.Limits.Reserve(t.Context(), nil, &store.Reservation{Spend: spend, Limit: 5, At: at, Over: errors.New("over")}))
	})
	if sum, known, err := all[2].Limits.Spent(t.Context(), spend, at); sum != 3 || !known || err != nil {
		t.Error(sum, known, err)
	}
	must(t, all[0].Limits.Release(t.Context(), spend))
	atOnce(all, 4, func(_, _ int, s *store.Store) { must(t, s.Limits.Confirm(t.Context(), spend, at)) })
	if sum, _, err := all[1].Limits.Spent(t.Context(), spend, at); sum != 3 || err != nil {
		t.Error(sum, err)
	}
}

func oneChain(t *testing.T, p place) {
	const callers, each = 4, 10
	all := openAll(t, p)
	atOnce(all, callers, func(program, caller int, s *store.Store) {
		for n := range each {
			c := s.Audit.Append(nextRecord(fmt.Sprint(program, caller, n)), nil)
			if n%3 == 0 {
				must(t, s.Audit.Note(c))
				continue
			}
			must(t, s.Audit.Write(t.Context(), c))
		}
	})
	for _, s := range all {
		must(t, s.Close())
	}
	seen := map[string]int{}
	for _, text := range recordTexts(t, p.open(t, 0)) {
		seen[text]++
	}
	if len(seen) != programs*callers*each {
		t.Errorf("%d records are there", len(seen))
	}
	for text, times := range seen {
		if times != 1 {
			t.Errorf("%s is there %d times", text, times)
		}
	}
}

func onlyForward(t *testing.T, p place) {
	all := openAll(t, p)
	var mu sync.Mutex
	moves := map[store.Cursor]int{}
	last := store.Cursor{Block: 3, Trx: 9, Op: 1, Virtual: 1<<32 - 1}
	atOnce(all, 2, func(_, _ int, s *store.Store) {
		places := []store.Cursor{{1, 0, 0, 0}, {1, 0, 0, 1}, {1, 2, 0, 0}, {2, 0, 5, 0}, {3, 9, 0, 7}, last}
		rand.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		for _, to := range places {
			moved, err := s.Cursors.Advance(t.Context(), 17, to)
			must(t, err)
			if moved {
				mu.Lock()
				moves[to]++
				mu.Unlock()
			}
			if at, err := s.Cursors.Cursor(t.Context(), 17); err != nil || at.Block < to.Block {
				t.Error(at, to, err)
			}
		}
	})
	for to, times := range moves {
		if times != 1 {
			t.Errorf("%d moved it to %+v", times, to)
		}
	}
	if at, err := all[0].Cursors.Cursor(t.Context(), 17); at != last || err != nil {
		t.Error(at, err)
	}
}

// Programs that write the same rows in other orders wait for each other, and never in a circle.
func anyOrder(t *testing.T, p place) {
	const rounds, rows = 6, 250
	all := openAll(t, p)
	for round := range rounds {
		atOnce(all, 1, func(program, _ int, s *store.Store) {
			order := rand.Perm(rows)
			var accounts []store.AccountPin
			var assets []store.AssetPin
			var wg sync.WaitGroup
			for _, n := range order {
				id := round*rows + n
				accounts = append(accounts, accountPin(id))
				assets = append(assets, assetPin(id))
				e := entry(uint32(1 + id))
				e.ID[19], e.Key = byte(program), "key "+strconv.Itoa(id)
				wg.Go(func() {
					if err := s.Journal.Add(t.Context(), e); err != nil && !errors.Is(err, store.ErrKeyTaken) {
						t.Error(err)
					}
				})
			}
			_, err := s.Pins.PinAccounts(t.Context(), chain, accounts...)
			must(t, err)
			_, err = s.Pins.PinAssets(t.Context(), chain, assets...)
			must(t, err)
			wg.Wait()
		})
	}
	if list, err := all[0].Journal.Latest(t.Context(), 10*rounds*rows); err != nil || len(list) != rounds*rows {
		t.Error(len(list), err)
	}
	for _, s := range all {
		must(t, s.Close())
	}
	if p.deadlocks == nil {
		return
	}
	if n := p.deadlocks(t); n != "0" { // they are tried again, after a second
		t.Errorf("%s deadlocks", n)
	}
}

func beginAtOnce(t *testing.T, p place) {
	var wg sync.WaitGroup
	for n := range programs {
		s := p.open(t, n)
		wg.Go(func() {
			_, err := s.Pins.PinAccounts(t.Context(), chain, accountPin(n))
			must(t, err)
		})
	}
	wg.Wait()
	found, err := p.open(t, programs).Pins.AccountPins(t.Context(), chain, accountIDs(programs), nil)
	if len(found) != programs || err != nil {
		t.Error(found, err)
	}
}
