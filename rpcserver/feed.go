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

// Event is something to publish; Data must have JSON.
type Event struct {
	Topic string
	Data  json.RawMessage
}

// event is one numbered event as it is sent, the same to everybody.
type event struct {
	seq   uint64
	topic topicSet
	frame []byte // of a websocket
}

// mostGathered is how many bytes of events are written together, and one event more.
const mostGathered = 64 << 10

// gathering is the frames of events that are written together, the same to everybody who has heard what was before them.
type gathering struct {
	first, last uint64 // events of the topics
	newest      uint64 // event of all when it was put together
	frames      []byte
}

// Feed numbers events and keeps the latest for websockets that were slow or
// away. Publishing never waits for anybody, and wakes those who wait for that topic.
type Feed struct {
	epoch string // tells the numbers of this run from those of another

	mu      sync.Mutex
	last    uint64                     // number of the newest event, 0 = none yet
	heard   bool                       // somebody has subscribed in this run
	ring    []event                    // the latest ones, oldest first
	dropped map[topicSet]uint64        // the newest one of each topic that is kept no longer
	waiting map[topicSet]chan struct{} // closed with the next event of any of these topics
	made    map[topicSet]gathering     // the latest of each set of topics
}

// NewFeed makes an empty feed.
func NewFeed() *Feed {
	return &Feed{epoch: strings.ToLower(rand.Text()[:10]), dropped: map[topicSet]uint64{}, waiting: map[topicSet]chan struct{}{},
		made: map[topicSet]gathering{}}
}

// Heard reports whether anybody has ever subscribed: until then nobody can ask for what was published before.
func (f *Feed) Heard() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.heard
}

// hear notes that somebody subscribes.
func (f *Feed) hear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = true
}

// Publish sends events to the subscribers of their topics. Whoever keeps up gets those of one call in one piece.
func (f *Feed) Publish(events ...Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var published topicSet
	for _, e := range events {
		published |= f.addLocked(e)
	}
	for set, wakes := range f.waiting {
		if set&published != 0 {
			close(wakes)
			delete(f.waiting, set)
		}
	}
}

func (f *Feed) addLocked(e Event) topicSet {
	f.last++
	if len(f.ring) == feedSize {
		for _, e := range f.ring[:feedSize/4] {
			f.dropped[e.topic] = e.seq
		}
		f.ring = slices.Delete(f.ring, 0, feedSize/4) // seldom, so that it costs little
	}
	of := setOf([]string{e.Topic})
	f.ring = append(f.ring, event{f.last, of, f.frame(f.last, e.Topic, e.Data)})
	return of
}

// after returns the frames of the next events of some topics after number seq, and the number of the newest one that is
// in them or of none of these topics. Without any, added is closed with the next event. lost means that some of these
// topics after seq are kept no longer.
func (f *Feed) after(seq uint64, of topicSet) (frames []byte, seen uint64, lost bool, added <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if seq > f.last || f.droppedLocked(of) > seq {
		return nil, f.last, true, nil
	}
	oldest := f.last - uint64(len(f.ring)) + 1
	rest := f.ring[max(seq+1, oldest)-oldest:]
	if first := slices.IndexFunc(rest, func(e event) bool { return e.topic&of != 0 }); first >= 0 {
		g := f.gatherLocked(rest[first:], of)
		return g.frames, g.last, false, nil
	}
	return nil, f.last, false, f.awaitLocked(of)
}

// await returns the number of the newest event, and what is closed with the next one of some topics.
func (f *Feed) await(of topicSet) (newest uint64, added <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last, f.awaitLocked(of)
}

func (f *Feed) awaitLocked(of topicSet) <-chan struct{} {
	wakes := f.waiting[of]
	if wakes == nil {
		wakes = make(chan struct{})
		f.waiting[of] = wakes
	}
	return wakes
}

// gatherLocked puts the frames of some topics together, the first event's and more. What was put together last serves again.
func (f *Feed) gatherLocked(list []event, of topicSet) gathering {
	g := f.made[of]
	if g.first == list[0].seq && g.newest == f.last {
		return g
	}
	g = gathering{first: list[0].seq, newest: f.last, last: f.last}
	for _, e := range list {
		if e.topic&of == 0 {
			continue
		}
		if len(g.frames) >= mostGathered {
			g.last = e.seq - 1
			break
		}
		if g.frames == nil {
			g.frames = slices.Clip(e.frame) // no copy, unless there is another
		} else {
			g.frames = append(g.frames, e.frame...)
		}
	}
	f.made[of] = g
	return g
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

// frame is an event as it is sent. It is put together rather than encoded: data is JSON already, and may be long.
func (f *Feed) frame(seq uint64, topic string, data json.RawMessage) []byte {
	head := fmt.Sprintf(`{"jsonrpc":"2.0","method":"event","params":{"seq":%d,"position":%q,"topic":%q,"data":`,
		seq, f.position(seq), topic)
	const tail = "}}"
	n := len(head) + len(data) + len(tail)
	frame := appendFrameHeader(make([]byte, 0, mostFrameHeader+n), n)
	return append(append(append(frame, head...), data...), tail...)
}
