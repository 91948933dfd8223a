// Package figures shows a wallet server's state to Prometheus. It owns the names of the metrics (table.go), and what is counted between two
// scrapes: calls and refusals. Everything else is read where it is when somebody scrapes, so it costs nothing when nobody does.
//
//	call ──► Called, Refused ──► counters ─┐
//	                                       ├──► GET /metrics
//	Sources (wallet, store, daemons, …) ───┘ read at each scrape, what costs a query at most every few seconds
//
// Promises: the values of a label are the program's own words, or names that the owner gave (tokens, accounts, daemons), so their number is
// limited; nothing that a caller, a daemon or the ledger wrote is among them. No secret is.
package figures

import (
	"net/http"
	"strings"
	"time"

	"billfold/walletcore/walletapi"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// callBounds are the upper bounds of how long calls take, in seconds: a state is read in microseconds, a payment takes milliseconds.
func callBounds() []float64 {
	return []float64{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}
}

// Groups of calls that no heading of help stands for.
const (
	unknownGroup = "unknown" // operations that do not exist
	waitingGroup = "waiting" // operations that wait for something to happen
)

// Figures is an rpcserver.Observer, and answers scrapes. It is safe for concurrent use.
type Figures struct {
	registry *prometheus.Registry
	group    map[string]prometheus.Observer // by operation
	unknown  prometheus.Observer
	refusals *prometheus.CounterVec
}

// New returns the figures of a server with these operations. Nothing is read from s before the first scrape.
func New(methods []*walletapi.Method, s Sources) *Figures {
	calls := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: callsName, Help: helpOf(callsName), Buckets: callBounds()}, []string{"group"})
	f := &Figures{registry: prometheus.NewRegistry(), group: make(map[string]prometheus.Observer, len(methods)), unknown: calls.WithLabelValues(unknownGroup),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: refusalsName, Help: helpOf(refusalsName)}, []string{"code"})}
	for _, m := range methods {
		f.group[m.Name] = calls.WithLabelValues(groupOf(m))
	}
	f.registry.MustRegister(calls, f.refusals, newCollector(s), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return f
}

// groupOf returns the label of an operation's group.
func groupOf(m *walletapi.Method) string {
	if m.Pace == walletapi.PaceWaits {
		return waitingGroup
	}
	return strings.ReplaceAll(strings.ToLower(m.Group), " ", "_")
}

// Called implements rpcserver.Observer.
func (f *Figures) Called(method string, took time.Duration) {
	group, known := f.group[method]
	if !known {
		group = f.unknown
	}
	group.Observe(took.Seconds())
}

// Refused implements rpcserver.Observer.
func (f *Figures) Refused(code string) { f.refusals.WithLabelValues(code).Inc() }

// scrapesAtOnce is the maximum number of scrapes answered at a time; further ones are told to wait.
const scrapesAtOnce = 4

// Handler returns what answers a scrape.
func (f *Figures) Handler() http.Handler {
	return promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: scrapesAtOnce})
}
