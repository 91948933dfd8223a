package rpcserver

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Topics are what can be subscribed to.
func Topics() []string { return []string{"blocks", "balances", "deposits", "payments", "lock"} }

// feedSize is how many events a subscriber may be behind.
const feedSize = 4096

// event is one numbered event, its data as JSON.
type event struct {
	seq   uint64
	topic string
	data  json.RawMessage
}

// Feed numbers events and keeps the latest for websockets that were slow or
// away. Publishing never waits for anybody.
type Feed struct {
	epoch string // tells the numbers of this run from those of another

	mu    sync.Mutex
	last  uint64  // number of the newest event, 0 = none yet
	ring  []event // the latest ones, oldest first
	added chan struct{}
}

// NewFeed makes an empty feed.
func NewFeed() *Feed {
	return &Feed{epoch: strings.ToLower(rand.Text()[:10]), added: make(chan struct{})}
}

// Publish sends data, which must have JSON, to every subscriber of a topic.
func (f *Feed) Publish(topic string, data json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	if len(f.ring) == feedSize {
		f.ring = slices.Delete(f.ring, 0, feedSize/4) // seldom, so that it costs little
	}
	f.ring = append(f.ring, event{f.last, topic, data})
	close(f.added)
	f.added = make(chan struct{})
}

// after returns up to some events after number seq; lost means that some after
// it are kept no longer; added is closed with the next event.
func (f *Feed) after(seq uint64) (list []event, lost bool, last uint64, added <-chan struct{}) {
	const some = 64
	f.mu.Lock()
	defer f.mu.Unlock()
	first := f.last - uint64(len(f.ring)) + 1
	if seq > f.last || seq+1 < first {
		return nil, true, f.last, f.added
	}
	list = f.ring[seq+1-first:]
	return slices.Clone(list[:min(some, len(list))]), false, f.last, f.added
}

// position names a number for clients, who hand it back after a reconnect.
func (f *Feed) position(seq uint64) string { return f.epoch + "-" + strconv.FormatUint(seq, 10) }

// number reads a position; false for one of another run, or none at all.
func (f *Feed) number(position string) (uint64, bool) {
	epoch, digits, _ := strings.Cut(position, "-")
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil && epoch == f.epoch
}

// message is an event as it is sent.
func (f *Feed) message(e event) []byte {
	return encode(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", "event", struct {
		Seq      uint64          `json:"seq"`
		Position string          `json:"position"`
		Topic    string          `json:"topic"`
		Data     json.RawMessage `json:"data"`
	}{e.seq, f.position(e.seq), e.topic, e.data}})
}
