package figures

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// nothing returns sources of a server that has nothing.
func nothing() Sources {
	return Sources{
		Obstacles: func() []string { return nil }, Locked: func() bool { return false }, Running: func() int { return 0 }, Approvals: func() int { return 0 },
		Payments: func() payment.Figures { return payment.Figures{} }, Daemons: func() daemonclient.Status { return daemonclient.Status{} },
		Position: func() (head, irreversible uint32) { return 0, 0 }, Writable: func() bool { return true },
		Commits: func() store.Commits { return store.NewCommitMeter().Read() }, DiskFree: func() (uint64, bool) { return 0, false }, IndexDiskFree: func() (uint64, bool) { return 5, true },
		Ends: func() time.Time { return time.Time{} }, Records: func(context.Context) (int64, error) { return 0, nil },
		Tokens: func(context.Context) ([]Token, error) { return nil, nil }, Backlogs: func(context.Context) ([]Backlog, error) { return nil, nil },
	}
}

func scrape(t testing.TB, f *Figures) string {
	t.Helper()
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("a scrape ends with %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// However many names callers make up, and however many daemons have one address, the number of series stays what it is.
func TestTheNumberOfSeriesIsLimited(t *testing.T) {
	s := nothing()
	s.Daemons = func() daemonclient.Status {
		return daemonclient.Status{Daemons: []daemonclient.DaemonStatus{{URL: "ws://a"}, {URL: "ws://a"}, {URL: "ws://b"}}}
	}
	f := New(walletapi.Methods(), s)
	f.Called("is_locked", time.Millisecond)
	before := strings.Count(scrape(t, f), "\n")
	for _, name := range []string{"", "no such", "IS_LOCKED", "is_locked\n", `"}`, strings.Repeat("x", 1000)} {
		f.Called(name, time.Second)
	}
	if after := scrape(t, f); strings.Count(after, "\n") != before || !strings.Contains(after, `_count{group="unknown"} 6`) {
		t.Errorf("there were %d lines, and are\n%s", before, after)
	}
}

// What costs queries is asked every few seconds however often somebody scrapes, and is not there while it is not known.
func TestQueriesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, fails atomic.Int64
		s := nothing()
		s.Records = func(ctx context.Context) (int64, error) {
			if asked.Add(1); fails.Load() > 0 {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return 7, nil
		}
		f := New(nil, s)
		for range 100 {
			if text := scrape(t, f); !strings.Contains(text, "billfold_audit_records_total 7") {
				t.Fatal(text)
			}
			time.Sleep(time.Second)
		}
		if n := asked.Load(); n != 20 {
			t.Errorf("in 100 seconds it was asked %d times", n)
		}
		fails.Store(1)
		time.Sleep(queryEvery)
		began := time.Now()
		if text := scrape(t, f); strings.Contains(text, "billfold_audit_records_total") || time.Since(began) > queryTime {
			t.Errorf("after %s it says\n%s", time.Since(began), text)
		}
	})
}

// BenchmarkScrape and BenchmarkCalled measure a scrape a second, and a call.
func BenchmarkScrape(b *testing.B) {
	f := New(walletapi.Methods(), nothing())
	h := f.Handler()
	for b.Loop() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil))
	}
}

func BenchmarkCalled(b *testing.B) {
	f := New(walletapi.Methods(), nothing())
	for b.Loop() {
		f.Called("get_account", 300*time.Microsecond)
	}
}
