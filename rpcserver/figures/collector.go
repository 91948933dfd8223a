package figures

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"

	"github.com/prometheus/client_golang/prometheus"
)

// Sources holds the state of a server, and the functions that read it at a scrape. They must be quick, and safe for concurrent use; those
// that may fail leave out what they do not know.
type Sources struct {
	Version       string
	Parts         []string        // what may stand in the way of payments
	Obstacles     func() []string // what does now
	Locked        func() bool
	Running       func() int // calls
	Approvals     func() int // calls that wait for a person
	Payments      func() payment.Figures
	Daemons       func() daemonclient.Status
	Position      func() (head, irreversible uint32)
	Writable      func() bool
	Commits       func() store.Commits
	DiskFree      func() (free uint64, known bool)
	IndexDiskFree func() (free uint64, known bool) // known is false where the history index has no folder of its own
	Ends          func() time.Time                 // of the certificate; zero = there is none

	Records  func(ctx context.Context) (int64, error) // in the audit log
	Tokens   func(ctx context.Context) ([]Token, error)
	Backlogs func(ctx context.Context) ([]Backlog, error)
}

// Token holds the figures of a token.
type Token struct {
	Name    string
	Expires time.Time          // zero = never
	Used    map[string]float64 // the part of each limit per day, by asset
}

// Backlog is the number of unacknowledged deposits of an account.
type Backlog struct {
	Account string
	Waiting int
	Oldest  time.Time // zero = there is none
}

// maxSeries is the maximum number of tokens, accounts or daemons shown; a server has a few.
const maxSeries = 1000

// What costs queries is read again after queryEvery at the earliest, within queryTime.
const (
	queryEvery = 5 * time.Second
	queryTime  = 2 * time.Second
)

// collector reads the sources at each scrape.
type collector struct {
	s     Sources
	descs map[string]*prometheus.Desc
	kinds map[string]prometheus.ValueType

	records  query[int64]
	tokens   query[[]Token]
	backlogs query[[]Backlog]
}

func newCollector(s Sources) *collector {
	c := &collector{s: s, descs: map[string]*prometheus.Desc{}, kinds: map[string]prometheus.ValueType{},
		records: query[int64]{read: s.Records}, tokens: query[[]Token]{read: s.Tokens}, backlogs: query[[]Backlog]{read: s.Backlogs}}
	for _, m := range table() {
		if m.name == callsName || m.name == refusalsName {
			continue
		}
		c.descs[m.name] = prometheus.NewDesc(m.name, m.help, m.labels, nil)
		c.kinds[m.name] = prometheus.GaugeValue
		if m.kind == counter {
			c.kinds[m.name] = prometheus.CounterValue
		}
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	put := func(name string, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(c.descs[name], c.kinds[name], value, labels...)
	}
	putTime := func(name string, at time.Time, labels ...string) {
		if !at.IsZero() {
			put(name, float64(at.UnixMilli())/1000, labels...)
		}
	}
	put("billfold_build_info", 1, c.s.Version, runtime.Version())
	obstacles := c.s.Obstacles()
	put("billfold_ready", bit(len(obstacles) == 0))
	for _, part := range c.s.Parts {
		put("billfold_obstacle", bit(slices.Contains(obstacles, part)), part)
	}
	put("billfold_locked", bit(c.s.Locked()))
	put("billfold_rpc_running_calls", float64(c.s.Running()))
	put("billfold_approvals_waiting", float64(c.s.Approvals()))
	c.putPayments(put, putTime)
	c.putDaemons(put, putTime)
	c.putStore(out, put)
	putTime("billfold_certificate_expiry_timestamp_seconds", c.s.Ends())
	if tokens, known := c.tokens.get(); known {
		for _, t := range tokens[:min(len(tokens), maxSeries)] {
			putTime("billfold_token_expiry_timestamp_seconds", t.Expires, t.Name)
			for asset, part := range t.Used {
				put("billfold_token_limit_used_ratio", part, t.Name, asset)
			}
		}
	}
	if backlogs, known := c.backlogs.get(); known {
		for _, b := range backlogs[:min(len(backlogs), maxSeries)] {
			put("billfold_deposits_unacknowledged", float64(b.Waiting), b.Account)
			putTime("billfold_deposits_oldest_unacknowledged_timestamp_seconds", b.Oldest, b.Account)
		}
	}
}

type (
	putNumber func(name string, value float64, labels ...string)
	putMoment func(name string, at time.Time, labels ...string)
)

func (c *collector) putPayments(put putNumber, putTime putMoment) {
	p := c.s.Payments()
	for state, n := range p.Open {
		put("billfold_payments_open", float64(n), state.String())
	}
	putTime("billfold_payments_oldest_open_timestamp_seconds", p.Oldest)
	for state, n := range p.Reached {
		put("billfold_payments_total", float64(n), state.String())
	}
	put("billfold_payments_held", bit(p.Held))
}

func (c *collector) putDaemons(put putNumber, putTime putMoment) {
	all, seen := c.s.Daemons().Daemons, map[string]bool{}
	for _, d := range all[:min(len(all), maxSeries)] {
		if seen[d.URL] {
			continue
		}
		seen[d.URL] = true
		put("billfold_daemon_connected", bit(d.State == daemonclient.Online && !d.Silent), d.URL)
		put("billfold_daemon_in_use", bit(d.Active), d.URL)
		put("billfold_daemon_behind", bit(d.Lagging || d.Lost > 0), d.URL)
		put("billfold_daemon_distrusted", bit(d.Lied), d.URL)
		if d.HeadTime > 0 {
			putTime("billfold_daemon_head_timestamp_seconds", d.HeadTime.Time(), d.URL)
		}
		if d.Latency > 0 {
			put("billfold_daemon_latency_seconds", d.Latency.Seconds(), d.URL)
		}
	}
	head, irreversible := c.s.Position()
	put("billfold_head_block", float64(head))
	put("billfold_irreversible_block", float64(irreversible))
}

func (c *collector) putStore(out chan<- prometheus.Metric, put putNumber) {
	put("billfold_store_writable", bit(c.s.Writable()))
	commits := c.s.Commits()
	out <- prometheus.MustNewConstHistogram(c.descs["billfold_store_commit_duration_seconds"], commits.Made, commits.Took.Seconds(), commits.Within)
	put("billfold_store_commit_failures_total", float64(commits.Failed))
	put("billfold_store_waiting_changes", float64(commits.Waiting))
	if n, known := c.records.get(); known {
		put("billfold_audit_records_total", float64(n))
	}
	if free, known := c.s.DiskFree(); known {
		put("billfold_disk_free_bytes", float64(free))
	}
	if free, known := c.s.IndexDiskFree(); known {
		put("billfold_index_disk_free_bytes", float64(free))
	}
}

func bit(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// query is an answer that costs queries, and is kept for queryEvery.
type query[T any] struct {
	read func(ctx context.Context) (T, error)

	mu     sync.Mutex
	at     time.Time
	answer T
	err    error
}

// get reports false if the answer is not known now.
func (q *query[T]) get() (answer T, known bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.at.IsZero() || time.Since(q.at) >= queryEvery {
		ctx, cancel := context.WithTimeout(context.Background(), queryTime)
		defer cancel()
		q.answer, q.err = q.read(ctx)
		q.at = time.Now()
	}
	return q.answer, q.err == nil
}
