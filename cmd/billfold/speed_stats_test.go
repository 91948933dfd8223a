package main

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// callStats collects the latencies of callers in all turns of one measurement.
type callStats struct {
	histogram
	took   time.Duration
	failed int
	fault  error // the first one
}

func (f *callStats) rate() float64 { return float64(f.count) / max(f.took.Seconds(), 1e-9) }

// micros returns the share of a call in a time, in microseconds.
func (f *callStats) micros(of time.Duration) float64 {
	return ratio(float64(of.Nanoseconds())/1000, float64(f.count))
}

// turn adds calls on a number of connections for some time. Failed calls are counted separately.
func (f *callStats) turn(t testing.TB, open dial, connections int, length time.Duration) {
	t.Helper()
	callers := make([]caller, connections)
	for i := range callers {
		callers[i] = open(t)
	}
	parts := make([]callStats, connections)
	var all sync.WaitGroup
	start := time.Now()
	for i, c := range callers {
		all.Go(func() {
			defer c.close()
			parts[i].callUntil(c, start.Add(length))
		})
	}
	all.Wait()
	f.took += time.Since(start)
	for i := range parts {
		f.merge(&parts[i].histogram)
		if f.failed += parts[i].failed; f.fault == nil {
			f.fault = parts[i].fault
		}
	}
}

// maxFailures is the number of failures after which one connection gives up.
const maxFailures = 10

func (f *callStats) callUntil(c caller, end time.Time) {
	for now := time.Now(); now.Before(end) && f.failed < maxFailures; {
		err := c.call()
		after := time.Now()
		if err == nil {
			f.add(after.Sub(now))
		} else if f.failed++; f.fault == nil {
			f.fault = err
		}
		now = after
	}
}

// dialAny returns callers of the wallet at an address. Over HTTP they keep the connection
// if the server does.
func dialAny(url, frame string) dial {
	if strings.HasPrefix(url, "ws") {
		return dialWS(url, frame)
	}
	return func(testing.TB) caller {
		return libraryCaller{&http.Client{Transport: &http.Transport{}, Timeout: patience}, url, frame}
	}
}

// libraryCaller is an HTTP client that works with any server.
type libraryCaller struct {
	client     *http.Client
	url, frame string
}

func (c libraryCaller) close() { c.client.CloseIdleConnections() }

func (c libraryCaller) call() error {
	answer, err := c.client.Post(c.url, "application/json", strings.NewReader(c.frame))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return errors.Join(err, faultIn(text))
}
