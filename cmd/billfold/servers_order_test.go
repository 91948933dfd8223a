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
	storeCallers   = 96              // how many callers call at the same time
	callerPatience = 5 * time.Second // after this a caller takes a server for gone and calls another
	limitedEach    = 10              // one of this many orders uses a token with a limit
)

// order is a payment that must be made exactly once. attempt is the number of request keys whose payment did not happen.
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

// callerInfo holds what callers were told about a request key, which must stay true.
type callerInfo struct {
	id    string // of the transaction, from an answer without an error
	never bool   // the payment will never happen
}

// orderClient requests the payments of orders.
type orderClient struct {
	*fleet
	done   atomic.Int64 // orders with an answer
	mu     sync.Mutex
	told   map[string]callerInfo
	denied map[int]bool // orders above the limit
}

// askAll requests orders with many callers, with a pause between orders, and returns when each was
// answered or given up for now. calm is called when no new order is left.
func (d *orderClient) askAll(orders []order, breath time.Duration, calm func()) {
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
		time.Sleep(d.random.lasts(2 * breath))
	}
	close(next)
	calm()
	callers.Wait()
}

// watch ends a trial that makes no progress, until the returned function is called.
func (d *orderClient) watch() (end func()) {
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
				d.logOutput()
				d.t.Errorf("no order was answered for %v: %s", fleetPatience, &d.counters)
			}
			last = now
		}
	})
	return func() { close(quit) }
}

// ask requests an order from several servers at the same time, again and again, until one answers that it is paid.
func (d *orderClient) ask(o order) {
	for range 60 {
		if d.over.Load() {
			return
		}
		if d.askOnce(&o) {
			d.done.Add(1)
			return
		}
		time.Sleep(100*time.Millisecond + d.random.lasts(300*time.Millisecond))
	}
	d.counters.add("orders given up for a round")
}

// askOnce requests an order once and reports whether it is settled. Otherwise o is the next attempt.
func (d *orderClient) askOnce(o *order) (done bool) {
	token := ""
	if o.limited() {
		token = d.token
	}
	var mu sync.Mutex
	var servers sync.WaitGroup
	next := *o
	for _, n := range d.random.some(1+d.random.upTo(len(d.members)), len(d.members)) {
		servers.Go(func() {
			url := d.members[n].api()
			if url == "" {
				return
			}
			out, err := d.post(url, token, "transfer", o.params()...)
			mu.Lock()
			defer mu.Unlock()
			switch use := d.recordAnswer(*o, out, err); use {
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

// recordAnswer records what a caller was told and returns the request key to use next, "" for none.
func (d *orderClient) recordAnswer(o order, out answer, err error) (next string) {
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
			d.reportWrong("%s: told of %q, then of %q (%v)", o.key(), t.id, signed.ID, err)
		}
		t.id = signed.ID
		return ""
	}
	d.counters.add("told " + out.Error.Data.Name + " " + out.Error.Data.Key)
	switch {
	case o.limited() && out.Error.Data.Name == "forbidden":
		d.denied[o.n] = true
		return ""
	case out.Error.Data.Name == "unauthorized": // the token is always valid
		d.reportWrong("%s: %s", o.key(), out.Error.Message)
		return "same"
	case out.Error.Data.Key == "":
		d.counters.add("told " + out.Error.Data.Name + " without a word about the key (" + out.Error.Message + ")")
		return "same"
	case out.Error.Data.Key == "new":
		t.never = true
	case out.Error.Data.Key == "taken":
		d.reportWrong("%s: %s", o.key(), out.Error.Message)
	}
	return out.Error.Data.Key
}

// reportWrong reports an answer that must not occur.
func (d *orderClient) reportWrong(form string, args ...any) {
	d.counters.add("wrong answers")
	d.t.Errorf(form, args...)
}

// settle waits until every payment has its outcome, without any trouble, and returns the orders to request again.
func (d *orderClient) settle(orders []order) (open []order) {
	d.t.Helper()
	d.until("every payment has its outcome", fleetPatience, func() bool {
		return d.count(withoutOutcome) == 0
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
