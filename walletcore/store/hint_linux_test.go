package store_test

import (
	"strconv"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// What one server changes the others hear of, and a server that did not listen for a while knows that.
func TestServersHearOfEachOther(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	here, there := newServer(t, c, url), newServer(t, c, url)
	heard, own := make(chan store.Hint, 1000), make(chan store.Hint, 1000)
	defer there.Journal.SubscribeHints(func(h store.Hint) { heard <- h })()
	defer here.Tokens.SubscribeHints(func(h store.Hint) { own <- h })()
	hears := func(is func(store.Hint) bool) {
		t.Helper()
		for late := time.After(30 * time.Second); ; {
			select {
			case h := <-heard:
				if is(h) {
					return
				}
			case <-late:
				t.Fatal("nothing is heard")
			}
		}
	}
	listens(t, c, url, 2)
	e := entry(1)
	state := func(want store.State) func(store.Hint) bool {
		return func(h store.Hint) bool {
			return len(h.Payments) == 1 && h.Payments[0] == store.Progress{ID: e.ID, State: want}
		}
	}
	must(t, here.Journal.Add(t.Context(), e))
	hears(state(store.Prepared))
	e.State = store.Sent
	must(t, here.Journal.Update(t.Context(), e))
	hears(state(store.Sent))
	tokens := func(h store.Hint) bool { return h.Tokens }
	must(t, here.Tokens.Replace(t.Context(), 1, nil))
	hears(tokens)
	desk, err := postgres.Options{MayLose: true}.OpenAside(t.Context(), url)
	must(t, err)
	defer desk.Close()
	must(t, desk.Tokens.Replace(t.Context(), 2, nil))
	hears(tokens)
	there.line.Cut()
	there.line.Mend()
	hears(func(h store.Hint) bool { return h.Missed })
	for range len(own) {
		if h := <-own; len(h.Payments) > 0 {
			t.Error("a server hears of what it changed itself")
		}
	}
	list, err := there.Journal.ForeignProgress(t.Context(), nil)
	if err != nil || len(list) != 1 || list[0].State != store.Sent {
		t.Error(list, err)
	}
	e.State = store.Irreversible
	must(t, here.Journal.Update(t.Context(), e))
	if list, err := there.Journal.ForeignProgress(t.Context(), nil); err != nil || len(list) != 0 {
		t.Error("what is final is not looked for, and found:", list, err)
	}
	list, err = there.Journal.ForeignProgress(t.Context(), entryIDs(e))
	if err != nil || len(list) != 1 || list[0].State != store.Irreversible {
		t.Error("what is known is looked at again:", list, err)
	}
}

// listens waits until so many servers listen to a store.
func listens(t *testing.T, c *storetest.Cluster, url string, servers int) {
	t.Helper()
	until(t, func() bool {
		return c.Admin("SELECT COUNT(*) FROM pg_stat_activity WHERE query = 'LISTEN billfold' AND state = 'idle' AND datname = '"+
			c.Name(url)+"'") == strconv.Itoa(servers)
	})
}

func entryIDs(list ...store.Entry) (ids []ledger.TransactionID) {
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}
