package rpcserver

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"billfold/walletcore/walletapi"
)

// Topics returns the names of the topics that a client can subscribe to.
func Topics() []string { return topicNames() }

var topicNames = sync.OnceValue(func() (names []string) {
	for _, t := range walletapi.Topics() {
		names = append(names, t.Name)
	}
	return names
})

// feedSize is the maximum number of events that a subscriber may fall behind.
const feedSize = 4096

// topicSet is a set of Topics, one bit for each.
type topicSet uint8

func setOf(topics []string) (set topicSet) {
	for i, topic := range Topics() {
		if slices.Contains(topics, topic) {
			set |= 1 << i
		}
	}
	return set
}

// Event is an event to publish. Data must be valid JSON.
type Event struct {
	Topic string
	Data  json.RawMessage
}

// event is one numbered event, encoded as it is sent to every subscriber.
type event struct {
	seq   uint64
	topic topicSet
	frame []byte // of a websocket
}

// maxBatch is the size in bytes at which a frameBatch takes no further event.
const maxBatch = 64 << 10

// frameBatch holds the frames of consecutive events that are written together. Subscribers of the same topics at the same
// position share it.
type frameBatch struct {
	first, last uint64 // the events it covers
	newest      uint64 // the newest event of the feed when the batch was made
	frames      []byte
}

// Feed numbers events and keeps the latest for websockets that were slow or
// disconnected. Publishing never waits for a subscriber.
type Feed struct {
	epoch string // distinguishes the numbers of this run from those of another

	first      sync.Once // the first subscription, which others wait for
	mu         sync.Mutex
	onFirst    func()                     // see OnFirstSubscriber; may be nil
	last       uint64                     // number of the newest event, 0 = none yet
	subscribed bool                       // somebody has subscribed in this run
	ring       []event                    // the latest ones, oldest first
	dropped    map[topicSet]uint64        // the newest event of each topic that is no longer kept
	waiting    map[topicSet]chan struct{} // closed with the next event of any of these topics
	batches    map[topicSet]frameBatch    // the latest of each set of topics
}

// NewFeed returns an empty feed.
func NewFeed() *Feed {
	return &Feed{epoch: strings.ToLower(rand.Text()[:10]), dropped: map[topicSet]uint64{}, waiting: map[topicSet]chan struct{}{},
		batches: map[topicSet]frameBatch{}}
}

// EverSubscribed reports whether anybody has subscribed in this run. Until then nobody holds a position to ask for earlier
// events from.
func (f *Feed) EverSubscribed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.subscribed
}

// OnFirstSubscriber sets what is done once before the first subscription of this run counts: whoever publishes differences
// looks then at what there is, and at nothing before.
func (f *Feed) OnFirstSubscriber(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onFirst = do
}

// markSubscribed records that somebody has subscribed.
func (f *Feed) markSubscribed() {
	f.first.Do(func() {
		f.mu.Lock()
		begin := f.onFirst
		f.mu.Unlock()
		if begin != nil {
			begin()
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.subscribed = true
	})
}

// Publish sends events to the subscribers of their topics. A subscriber that keeps up gets the events of one call in one
// write.
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
		f.ring = slices.Delete(f.ring, 0, feedSize/4) // a quarter at a time, so that it is rarely needed
	}
	topic := setOf([]string{e.Topic})
	f.ring = append(f.ring, event{f.last, topic, f.frame(f.last, e.Topic, e.Data)})
	return topic
}

// framesAfter returns the frames of the next events of some topics after number seq, and the number up to which the caller
// has then seen all events of these topics. If there are none, added is closed with the next one. lost means that some
// events of these topics after seq are no longer kept.
func (f *Feed) framesAfter(seq uint64, topics topicSet) (frames []byte, seen uint64, lost bool, added <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if seq > f.last || f.droppedLocked(topics) > seq {
		return nil, f.last, true, nil
	}
	oldest := f.last - uint64(len(f.ring)) + 1
	rest := f.ring[max(seq+1, oldest)-oldest:]
	if first := slices.IndexFunc(rest, func(e event) bool { return e.topic&topics != 0 }); first >= 0 {
		g := f.batchLocked(rest[first:], topics)
		return g.frames, g.last, false, nil
	}
	return nil, f.last, false, f.awaitLocked(topics)
}

// await returns the number of the newest event, and a channel that is closed with the next one of some topics.
func (f *Feed) await(topics topicSet) (newest uint64, added <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last, f.awaitLocked(topics)
}

func (f *Feed) awaitLocked(topics topicSet) <-chan struct{} {
	wakes := f.waiting[topics]
	if wakes == nil {
		wakes = make(chan struct{})
		f.waiting[topics] = wakes
	}
	return wakes
}

// batchLocked returns a batch of the events in list that belong to some topics, beginning with the first event of list. It
// returns the latest batch again if that still fits.
func (f *Feed) batchLocked(list []event, topics topicSet) frameBatch {
	g := f.batches[topics]
	if g.first == list[0].seq && g.newest == f.last {
		return g
	}
	g = frameBatch{first: list[0].seq, newest: f.last, last: f.last}
	for _, e := range list {
		if e.topic&topics == 0 {
			continue
		}
		if len(g.frames) >= maxBatch {
			g.last = e.seq - 1
			break
		}
		if g.frames == nil {
			g.frames = slices.Clip(e.frame) // no copy, unless there is another
		} else {
			g.frames = append(g.frames, e.frame...)
		}
	}
	f.batches[topics] = g
	return g
}

// droppedLocked returns the number of the newest event of some topics that is no longer kept.
func (f *Feed) droppedLocked(topics topicSet) (newest uint64) {
	for topic, seq := range f.dropped {
		if topic&topics != 0 {
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

// position returns the text of an event number, which clients send back after a reconnect.
func (f *Feed) position(seq uint64) string { return f.epoch + "-" + strconv.FormatUint(seq, 10) }

// parsePosition returns the event number of a position. It reports false for a position of another run or an invalid one.
func (f *Feed) parsePosition(position string) (uint64, bool) {
	epoch, digits, _ := strings.Cut(position, "-")
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil && epoch == f.epoch
}

// frame returns an event as it is sent. It is concatenated rather than encoded, since data is JSON already and may be long.
func (f *Feed) frame(seq uint64, topic string, data json.RawMessage) []byte {
	head := fmt.Sprintf(`{"jsonrpc":"2.0","method":"event","params":{"seq":%d,"position":%q,"topic":%q,"data":`,
		seq, f.position(seq), topic)
	const tail = "}}"
	n := len(head) + len(data) + len(tail)
	frame := appendFrameHeader(make([]byte, 0, maxFrameHeader+n), n)
	return append(append(append(frame, head...), data...), tail...)
}

// Every subscriber gets the same bytes, and the events of a block leave in one write, so their frames are built
// here and not by the websocket of each subscriber (RFC 6455, section 5.2).
const (
	wholeText      = 0x81 // a text message in one frame
	frameLength16  = 126  // the length follows in two bytes
	frameLength64  = 127  // in eight
	maxFrameHeader = 10
)

// appendFrameHeader appends the header of a text message of n bytes that a server sends.
func appendFrameHeader(b []byte, n int) []byte {
	switch {
	case n < frameLength16:
		return append(b, wholeText, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, wholeText, frameLength16), uint16(n))
	}
	return binary.BigEndian.AppendUint64(append(b, wholeText, frameLength64), uint64(n))
}
