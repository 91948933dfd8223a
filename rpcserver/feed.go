package rpcserver

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Topics are what can be subscribed to.
func Topics() []string { return []string{"blocks", "balances", "deposits", "payments", "lock"} }

// feedSize is how many events a subscriber may be behind.
const feedSize = 4096

// topicSet is some of Topics, a bit for each.
type topicSet uint8

func setOf(topics []string) (set topicSet) {
	for i, topic := range Topics() {
		if slices.Contains(topics, topic) {
			set |= 1 << i
		}
	}
	return set
}

// event is one numbered event as it is sent, the same to everybody.
type event struct {
	seq     uint64
	topic   topicSet
	message []byte
}

// Feed numbers events and keeps the latest for websockets that were slow or
// away. Publishing never waits for anybody, and wakes those who wait for that topic.
type Feed struct {
	epoch string // tells the numbers of this run from those of another

	mu      sync.Mutex
	last    uint64                     // number of the newest event, 0 = none yet
	ring    []event                    // the latest ones, oldest first
	dropped map[topicSet]uint64        // the newest one of each topic that is kept no longer
	waiting map[topicSet]chan struct{} // closed with the next event of any of these topics
}

// NewFeed makes an empty feed.
func NewFeed() *Feed {
	return &Feed{epoch: strings.ToLower(rand.Text()[:10]), dropped: map[topicSet]uint64{}, waiting: map[topicSet]chan struct{}{}}
}

// Publish sends data, which must have JSON, to every subscriber of a topic.
func (f *Feed) Publish(topic string, data json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	if len(f.ring) == feedSize {
		for _, e := range f.ring[:feedSize/4] {
			f.dropped[e.topic] = e.seq
		}
		f.ring = slices.Delete(f.ring, 0, feedSize/4) // seldom, so that it costs little
	}
	of := setOf([]string{topic})
	f.ring = append(f.ring, event{f.last, of, f.message(f.last, topic, data)})
	for set, wakes := range f.waiting {
		if set&of != 0 {
			close(wakes)
			delete(f.waiting, set)
		}
	}
}

// after returns the next event of some topics after number seq. Without one, seen is the newest number, and added
// is closed with the next event. lost means that some of these topics after seq are kept no longer.
func (f *Feed) after(seq uint64, of topicSet) (next event, seen uint64, lost bool, added <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if seq > f.last || f.droppedLocked(of) > seq {
		return event{}, f.last, true, nil
	}
	first := f.last - uint64(len(f.ring)) + 1
	for _, e := range f.ring[max(seq+1, first)-first:] {
		if e.topic&of != 0 {
			return e, e.seq, false, nil
		}
	}
	wakes := f.waiting[of]
	if wakes == nil {
		wakes = make(chan struct{})
		f.waiting[of] = wakes
	}
	return event{}, f.last, false, wakes
}

// droppedLocked returns the newest event of some topics that is kept no longer.
func (f *Feed) droppedLocked(of topicSet) (newest uint64) {
	for topic, seq := range f.dropped {
		if topic&of != 0 {
			newest = max(newest, seq)
		}
	}
	return newest
}

// newest returns the number of the newest event.
func (f *Feed) newest() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// position names a number for clients, who hand it back after a reconnect.
func (f *Feed) position(seq uint64) string { return f.epoch + "-" + strconv.FormatUint(seq, 10) }

// number reads a position; false for one of another run, or none at all.
func (f *Feed) number(position string) (uint64, bool) {
	epoch, digits, _ := strings.Cut(position, "-")
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil && epoch == f.epoch
}

// message is an event as it is sent. It is put together rather than encoded: data is JSON already, and may be long.
func (f *Feed) message(seq uint64, topic string, data json.RawMessage) []byte {
	head := fmt.Sprintf(`{"jsonrpc":"2.0","method":"event","params":{"seq":%d,"position":%q,"topic":%q,"data":`,
		seq, f.position(seq), topic)
	message := make([]byte, 0, len(head)+len(data)+2)
	return append(append(append(message, head...), data...), "}}"...)
}
