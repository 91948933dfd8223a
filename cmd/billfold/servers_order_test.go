//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger"
)

const (
	storeCallers   = 96              // how many ask at once
	callerPatience = 5 * time.Second // then a caller takes a server for gone and asks another
	limitedEach    = 10              // one order in so many is asked for with a token that has a limit
)

// order is one payment that must be made once. attempt says how many request keys for it came to nothing.
type order struct{ n, attempt int }

func (o order) key() string   { return fmt.Sprintf("order %d, attempt %d", o.n, o.attempt) }
func (o order) amount() int64 { return int64(1 + o.n%997) }
func (o order) limited() bool { return o.n%limitedEach == 0 }
func (o order) params() []any {
	memo := ""
	if o.n%16 == 1 {
		memo = fmt.Sprintf("for order %d", o.n)
	}
	return []any{"alice", "bobby", ledger.FormatAmount(o.amount(), 8), "DCT", memo, true, o.key()}
}

// told is what callers of a request key were told that cannot be taken back.
type told struct {
	id    string // of the transaction, of an answer that was no error
	never bool   // nothing came of it
}

// desk is where orders are asked for.
type desk struct {
	*fleet
	done   atomic.Int64 // orders with an answer
	mu     sync.Mutex
	told   map[string]told
	denied map[int]bool // orders above the limit
}

// askAll asks for orders with many callers, one after so long, and returns when each was answered,
// or is given up for now. calm is called when none is left to begin with.
func (d *desk) askAll(orders []order, breath time.Duration, calm func()) {
	defer d.watch()()
	next := make(chan order)
	var callers sync.WaitGroup
	for range storeCallers {
		callers.Go(func() {
			for o := range next {
				d.ask(o)
			}
		})
	}
	for _, o := range orders {
		next <- o
		time.Sleep(d.luck.lasts(2 * breath))
	}
	close(next)
	calm()
	callers.Wait()
}

// watch ends a trial that stands still. It does until the function it returns is called.
func (d *desk) watch() (end func()) {
	quit := make(chan struct{})
	d.work.Go(func() {
		for last := int64(-1); !d.over.Load(); {
			select {
			case <-quit:
				return
			case <-time.After(fleetPatience):
			}
			now := d.done.Load()
			if now == last {
				d.over.Store(true)
				d.tell()
				d.t.Errorf("no order was answered for %v: %s", fleetPatience, &d.counters)
			}
			last = now
		}
	})
	return func() { close(quit) }
}

// ask asks several servers at once for an order, again and again, until one of them says that it is paid.
func (d *desk) ask(o order) {
	for range 60 {
		if d.over.Load() {
			return
		}
		if d.askOnce(&o) {
			d.done.Add(1)
			return
		}
		time.Sleep(100*time.Millisecond + d.luck.lasts(300*time.Millisecond))
	}
	d.counters.add("orders given up for a round")
}

// askOnce reports whether nothing is left to ask; otherwise o is what comes next.
func (d *desk) askOnce(o *order) (done bool) {
	token := ""
	if o.limited() {
		token = d.token
	}
	var mu sync.Mutex
	var servers sync.WaitGroup
	next := *o
	for _, n := range d.luck.some(1+d.luck.upTo(len(d.members)), len(d.members)) {
		servers.Go(func() {
			url := d.members[n].api()
			if url == "" {
				return
			}
			out, err := d.post(url, token, "transfer", o.params()...)
			mu.Lock()
			defer mu.Unlock()
			switch use := d.hear(*o, out, err); use {
			case "":
				done = true
			case "new":
				next = order{o.n, o.attempt + 1}
			}
		})
	}
	servers.Wait()
	*o = next
	return done
}

// hear keeps what a caller was told and returns which request key comes next; "" is none.
func (d *desk) hear(o order, out answer, err error) (next string) {
	if err != nil {
		d.counters.add("no answer")
		return "same"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.told[o.key()]
	defer func() { d.told[o.key()] = t }()
	if out.Error == nil {
		d.counters.add("paid")
		var signed struct {
			ID string `json:"transaction_id"`
		}
		if err := json.Unmarshal(out.Result, &signed); err != nil || t.id != "" && t.id != signed.ID {
			d.wrong("%s: told of %q, then of %q (%v)", o.key(), t.id, signed.ID, err)
		}
		t.id = signed.ID
		return ""
	}
	d.counters.add("told " + out.Error.Data.Name + " " + out.Error.Data.Key)
	switch {
	case o.limited() && out.Error.Data.Name == "forbidden":
		d.denied[o.n] = true
		return ""
	case out.Error.Data.Name == "unauthorized": // the token is good all the time
		d.wrong("%s: %s", o.key(), out.Error.Message)
		return "same"
	case out.Error.Data.Key == "":
		d.counters.add("told " + out.Error.Data.Name + " without a word about the key (" + out.Error.Message + ")")
		return "same"
	case out.Error.Data.Key == "new":
		t.never = true
	case out.Error.Data.Key == "taken":
		d.wrong("%s: %s", o.key(), out.Error.Message)
	}
	return out.Error.Data.Key
}

// wrong reports an answer that must not be given.
func (d *desk) wrong(form string, args ...any) {
	d.counters.add("wrong answers")
	d.t.Errorf(form, args...)
}

// settle waits in peace until every payment has its outcome, and returns the orders that are to be asked for again.
func (d *desk) settle(orders []order) (open []order) {
	d.t.Helper()
	d.until("every payment has its outcome", fleetPatience, func() bool {
		return d.count("state NOT IN ('irreversible', 'expired') AND (state <> 'rejected' OR proven = 0)") == 0
	})
	rows := d.payments()
	for _, o := range orders {
		if d.denied[o.n] {
			continue
		}
		latest := -1
		paid := slices.ContainsFunc(rows[o.n], func(p row) bool {
			latest = max(latest, p.attempt)
			return p.state == "irreversible"
		})
		if !paid {
			open = append(open, order{o.n, latest + 1})
		}
	}
	return open
}
