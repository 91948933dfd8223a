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

// defaultOrders is the number of orders if SERVERS_ORDERS is not set.
const defaultOrders = 300

// TestServers makes servers that share a PostgreSQL pay orders while everything fails that can: servers are killed, ended, paused
// beyond their leases at every moment of a payment, and cut off from database or ledger; the database is killed, away or hangs; the
// ledger refuses, forgets and forks. Each order is requested from several servers at the same time, under request keys, until it is
// paid. At the end store, blocks, balances and everything that callers were told are compared.
//
// SERVERS_ORDERS sets the number of orders, SERVERS_SEED the plan, SERVERS the number of servers.
func TestServers(t *testing.T) {
	t.Parallel()
	count := number(t, "SERVERS_ORDERS", defaultOrders)
	seed := uint64(number(t, "SERVERS_SEED", int(rand.Int64()))) //nolint:gosec // any number will do
	servers := number(t, "SERVERS", 2+int(seed%3))
	t.Logf("%d orders at %d servers from seed %d; repeat with SERVERS_SEED=%d", count, servers, seed, seed)
	limit := limitFor(count)
	began := time.Now()
	f := newFleet(t, seed, servers, time.Second, ledger.FormatAmount(limit, 8)+" DCT")
	if f.away = 3 * time.Second; count > 10*defaultOrders {
		f.away = 20 * time.Second
	}
	before := f.balances()
	d := &orderClient{fleet: f, told: map[string]callerInfo{}, denied: map[int]bool{}}
	b := &depositConsumer{fleet: f, listed: map[place]bool{}}
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

// limitFor returns half of what the limited orders cost.
func limitFor(count int) (limit int64) {
	for n := range count {
		if o := (order{n: n}); o.limited() {
			limit += o.amount() + transferFee
		}
	}
	return limit / 2
}

// transferFee is the sandbox's fee for a transfer, in the smallest unit.
const transferFee = 100_000

// minRound is the minimum length of a round, so that a few orders meet enough trouble.
const minRound = 15 * time.Second

// payAll requests orders until all are paid. Each round of the remaining orders meets less trouble than the one before.
func (d *orderClient) payAll(count int) {
	d.t.Helper()
	open := make([]order, count)
	for n := range open {
		open[n] = order{n: n}
	}
	pace, longest := 2*time.Second, time.Hour
	if count <= 10*defaultOrders {
		pace, longest = 400*time.Millisecond, minRound
	}
	for round := 1; len(open) > 0; round++ {
		if round > 12 {
			d.t.Fatalf("%d orders are never paid, such as %s: %s; what everything did, by time, is in %s", len(open), open[0].key(), &d.counters,
				d.record.path())
		}
		calm := func() {}
		if round < 3 {
			calm = d.storm(time.Duration(round)*pace, longest/time.Duration(round))
		}
		d.askAll(open, min(50*time.Millisecond, minRound/time.Duration(len(open))), calm)
		if d.over.Load() {
			d.t.FailNow()
		}
		open = d.settle(open)
		d.counters.add("rounds")
	}
}
