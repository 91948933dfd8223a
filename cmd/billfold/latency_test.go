package main

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// bucketWidth is the precision of latencies.
const bucketWidth = 10 * time.Microsecond

// histogram counts latencies in buckets; the last one holds all that are longer.
type histogram struct {
	buckets [20000]uint32
	count   uint64
	longest time.Duration
	total   time.Duration
}

func (h *histogram) add(d time.Duration) {
	h.buckets[min(int(d/bucketWidth), len(h.buckets)-1)]++
	h.count++
	h.longest = max(h.longest, d)
	h.total += d
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other.buckets {
		h.buckets[i] += n
	}
	h.count += other.count
	h.longest = max(h.longest, other.longest)
	h.total += other.total
}

// percentile returns the latency that p of 100 calls did not exceed, 0 without calls.
func (h *histogram) percentile(p uint64) time.Duration {
	var seen uint64
	for i, n := range h.buckets[:len(h.buckets)-1] {
		if seen += uint64(n); seen > 0 && seen*100 >= h.count*p {
			return min(time.Duration(i+1)*bucketWidth, h.longest)
		}
	}
	return h.longest
}

// mean returns 0 without calls.
func (h *histogram) mean() time.Duration { return h.total / time.Duration(max(h.count, 1)) }

func (h *histogram) max() time.Duration { return h.longest }

// latencies collects the latencies of many concurrent clients.
type latencies struct {
	mu   sync.Mutex
	now  histogram // since the last cut
	past histogram
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.add(d)
}

// cut returns the latencies since the last cut.
func (l *latencies) cut() *histogram {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now
	l.past.merge(&now)
	l.now = histogram{}
	return &now
}

func (l *latencies) all() *histogram {
	l.cut()
	return &l.past
}

// trend fits a line through samples, and returns its bytes at the first and the last
// sample, and its growth per hour.
func trend(samples []soakSample) (first, last, hourly float64) {
	var x, y, xx, xy float64
	n := float64(len(samples))
	for _, s := range samples {
		h := s.after.Hours()
		x, y, xx, xy = x+h, y+float64(s.bytes), xx+h*h, xy+h*float64(s.bytes)
	}
	if d := n*xx - x*x; d > 0 {
		hourly = (n*xy - x*y) / d
	}
	at := func(s soakSample) float64 { return y/n + hourly*(s.after.Hours()-x/n) }
	return at(samples[0]), at(samples[len(samples)-1]), hourly
}

func millis(d time.Duration) string { return fmt.Sprintf("%6.2fms", float64(d)/1e6) }
func megabytes(n uint64) float64    { return float64(n) / (1 << 20) }

func TestHistogram(t *testing.T) {
	var l latencies
	for i := range 1000 {
		l.add(time.Duration(i) * 100 * time.Microsecond)
	}
	l.add(time.Minute)
	h := l.all()
	if p := h.percentile(50); p < 50*time.Millisecond || p > 50*time.Millisecond+bucketWidth {
		t.Errorf("half of them took at most %v", p)
	}
	if p := h.percentile(99); p < 98900*time.Microsecond || p > 99*time.Millisecond+bucketWidth {
		t.Errorf("99 %% of them took at most %v", p)
	}
	if h.percentile(100) != time.Minute || l.cut().percentile(99) != 0 {
		t.Errorf("the longest took %v, and then %v", h.percentile(100), l.cut().percentile(99))
	}
}

func TestTrend(t *testing.T) {
	first, last, hourly := trend([]soakSample{{0, 100}, {time.Hour, 210}, {2 * time.Hour, 320}})
	if first != 100 || last != 320 || hourly != 110 {
		t.Errorf("from %v to %v, %v an hour", first, last, hourly)
	}
}
