package walletcore_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

// Of two daemons one is in use. If it fails the other takes over, which is logged, and a
// person's choice takes effect as soon as it can.
func TestPoolReportsItsDaemons(t *testing.T) {
	t.Parallel()
	s, relay := testwallet.OpenOnTwo(t, 1, slog.New(slog.DiscardHandler))
	pool := s.View.Pool
	first, second := pool.Daemons()[0].URL, pool.Daemons()[1].URL
	is := func(url string, state ledgerview.PoolState, inUse bool) func() bool {
		return func() bool {
			for _, d := range pool.Daemons() {
				if d.URL == url {
					return d.State == state && d.InUse == inUse
				}
			}
			return false
		}
	}
	until := func(what string, holds func() bool) { // daemons in reserve change without an event
		t.Helper()
		for !holds() {
			if s.Ctx.Err() != nil {
				t.Fatalf("%s: it never came", what)
			}
			time.Sleep(time.Millisecond)
		}
	}
	testwallet.Must(t, pool.Prefer(relay.URL))
	other := first
	if other == relay.URL {
		other = second
	}
	until("the one that was chosen is in use", is(relay.URL, ledgerview.PoolReady, true))
	relay.HangUp(true)
	until("the other takes over", is(other, ledgerview.PoolReady, true))
	until("the first is away", is(relay.URL, ledgerview.PoolAway, false))
	until("the log says so", func() bool {
		return slices.ContainsFunc(pool.Log(), func(c ledgerview.PoolChange) bool {
			return c.URL == relay.URL && c.State == ledgerview.PoolAway && c.Reason != ""
		})
	})
	relay.HangUp(false)
	pool.Check()
	until("the first is back", is(relay.URL, ledgerview.PoolReady, false))
	testwallet.Must(t, pool.Prefer(relay.URL)) // a person's choice does not wait until the other has been used for a while
	until("the choice holds", is(relay.URL, ledgerview.PoolReady, true))
	testwallet.Must(t, pool.Prefer(""))
	if err := pool.Prefer("ws://nowhere.example:1"); err == nil {
		t.Error("an address that is not in the pool was chosen")
	}
	until("the log says that as well", func() bool {
		newest := pool.Log()[0]
		return newest.URL == relay.URL && newest.State == ledgerview.PoolReady && newest.InUse
	})
	until("round trips are kept", func() bool { return len(pool.Trips(relay.URL)) > 0 })
}
