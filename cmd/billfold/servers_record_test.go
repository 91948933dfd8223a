//go:build linux

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// record is the log of what every part of a storm did and decided, in one file by time: what goes wrong, what servers say, whether
// they are ready and why not, the ledger's head, and what the database has of leases, holds and states. It is kept if the test fails.
type record struct {
	mu   sync.Mutex
	file *os.File
	last map[string]string // what is recorded when it changes, by who it is of
}

func newRecord(t *testing.T) *record {
	t.Helper()
	file, err := os.CreateTemp("", "billfold-storm-*.log")
	must(t, err)
	r := &record{file: file, last: map[string]string{}}
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		must(t, r.file.Close())
		if t.Failed() {
			t.Logf("what everything did and decided, by time, is in %s", r.file.Name())
			return
		}
		must(t, os.Remove(r.file.Name()))
	})
	return r
}

// path returns where the record is.
func (r *record) path() string { return r.file.Name() }

// add records what one part did.
func (r *record) add(who, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.file, "%s %-10s %s\n", time.Now().UTC().Format("15:04:05.000000"), who, what)
}

// changed records the state of a part if it is another one than the last.
func (r *record) changed(who, state string) {
	r.mu.Lock()
	news := r.last[who] != state
	r.last[who] = state
	r.mu.Unlock()
	if news {
		r.add(who, state)
	}
}

const (
	observeEvery = 250 * time.Millisecond
	observeTime  = 3 * time.Second // for one answer
)

// observe records the states of everything until the fleet ends.
func (f *fleet) observe() {
	watch := func(state func(context.Context) (who, what string)) {
		f.work.Go(func() {
			for f.quit.Err() == nil {
				ctx, cancel := context.WithTimeout(f.quit, observeTime)
				if who, what := state(ctx); f.quit.Err() == nil {
					f.record.changed(who, what)
				}
				cancel()
				select {
				case <-f.quit.Done():
				case <-time.After(observeEvery):
				}
			}
		})
	}
	for _, m := range f.members {
		watch(func(ctx context.Context) (string, string) { return m.name() + " is", f.readiness(ctx, m.api()) })
	}
	watch(func(context.Context) (string, string) {
		out, err := f.post(f.ledger.url, "", "sandbox_info")
		if err != nil {
			return "ledger", "no answer"
		}
		var info map[string]any
		_ = json.Unmarshal(out.Result, &info)
		return "ledger", fmt.Sprintf("head %v, irreversible %v", info["head_block_number"], info["final_block_number"])
	})
	db, err := sql.Open("pgx", f.members[0].toStore.URL(f.t, f.address)) // through a line that breaks: the address moves
	must(f.t, err)
	watch(func(ctx context.Context) (string, string) {
		var state string
		err := db.QueryRowContext(ctx, `SELECT 'timeline ' || timeline || ', held: ' || held_why || ' ' || held_kind || ', generation ' || generation || '; ' ||
			(SELECT COALESCE(string_agg(name || ' epoch ' || epoch || CASE WHEN expires_at >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
				THEN ' alive' ELSE ' gone' END || CASE follows WHEN 1 THEN '' ELSE ' without a daemon' END, ', ' ORDER BY name), 'no server') FROM servers) || '; ' ||
			(SELECT COALESCE(string_agg(n || ' ' || state || ' of ' || owner, ', '), 'nothing open') FROM
				(SELECT COUNT(*) n, state, left(owner, 6) AS owner FROM payments WHERE state NOT IN ('irreversible', 'rejected', 'expired')
				GROUP BY state, left(owner, 6) ORDER BY owner, state) open)
			FROM store_meta`).Scan(&state)
		if err != nil {
			return "database", "no answer: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		return "database", state
	})
	f.t.Cleanup(func() { _ = db.Close() })
}

// readiness returns what a server says on /readyz.
func (f *fleet) readiness(ctx context.Context, url string) string {
	if url == "" {
		return "not there"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/rpc")+"/readyz", nil)
	if err != nil {
		return err.Error()
	}
	resp, err := f.client.Do(request)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<12))
	return strings.TrimSpace(string(text))
}

func (m *member) name() string { return fmt.Sprintf("server %d", m.n) }
