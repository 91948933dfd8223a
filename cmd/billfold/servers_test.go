//go:build linux

package main

import (
	"cmp"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
)

// usualOrders is how many the storm has with all other tests.
const usualOrders = 300

// TestServers has servers that share a PostgreSQL pay orders while everything fails that can: servers are killed, ended, stopped
// past their leases at every moment of a payment, and cut off from database or ledger; the database is killed, away or stands still;
// the ledger refuses, forgets and forks. Each order is asked for from several servers at once, under request keys, until it is
// paid. In the end store, blocks, balances and everything that callers were told are compared.
//
// SERVERS_ORDERS says how many, SERVERS_SEED which plan, SERVERS how many servers.
func TestServers(t *testing.T) {
	t.Parallel()
	count := number(t, "SERVERS_ORDERS", usualOrders)
	seed := uint64(number(t, "SERVERS_SEED", int(rand.Int64()))) //nolint:gosec // any number is a seed
	servers := number(t, "SERVERS", 2+int(seed%3))
	t.Logf("%d orders at %d servers from seed %d; repeat with SERVERS_SEED=%d", count, servers, seed, seed)
	limit := limitFor(count)
	began := time.Now()
	f := newFleet(t, seed, servers, time.Second, ledger.FormatAmount(limit, 8)+" DCT")
	if f.away = 3 * time.Second; count > 10*usualOrders {
		f.away = 20 * time.Second
	}
	before := f.balances()
	d := &desk{fleet: f, told: map[string]told{}, denied: map[int]bool{}}
	b := &books{fleet: f, listed: map[place]bool{}}
	stop := make(chan struct{})
	var consumers sync.WaitGroup
	for range 2 {
		consumers.Go(func() { b.consume(stop) })
	}
	d.payAll(count)
	close(stop)
	consumers.Wait()
	found := d.verify(count, limit, before, b)
	t.Logf("%d orders at %d servers from seed %d in %v: %s", count, servers, seed, time.Since(began).Round(time.Second), &f.counters)
	t.Logf("%+v", found)
	if found != (findings{}) {
		t.Error("orders were not paid once each")
	}
}

func number(t *testing.T, name string, usual int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(usual)))
	must(t, err)
	return n
}

// limitFor is half of what the limited orders cost.
func limitFor(count int) (limit int64) {
	for n := range count {
		if o := (order{n: n}); o.limited() {
			limit += o.amount() + transferFee
		}
	}
	return limit / 2
}

// transferFee is the sandbox's, in the smallest unit.
const transferFee = 100_000

// shortest is how long a round lasts at least, so that a few orders see enough of the storm.
const shortest = 15 * time.Second

// payAll asks for orders until all are paid; a round of what is left suffers less than the one before.
func (d *desk) payAll(count int) {
	d.t.Helper()
	open := make([]order, count)
	for n := range open {
		open[n] = order{n: n}
	}
	pace, longest := 2*time.Second, time.Hour
	if count <= 10*usualOrders {
		pace, longest = 400*time.Millisecond, shortest
	}
	for round := 1; len(open) > 0; round++ {
		if round > 12 {
			d.t.Fatalf("%d orders are never paid, such as %s: %s", len(open), open[0].key(), &d.counters)
		}
		calm := func() {}
		if round < 3 {
			calm = d.storm(time.Duration(round)*pace, longest/time.Duration(round))
		}
		d.askAll(open, min(50*time.Millisecond, shortest/time.Duration(len(open))), calm)
		if d.over.Load() {
			d.t.FailNow()
		}
		open = d.settle(open)
		d.counters.add("rounds")
	}
}
