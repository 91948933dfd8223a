package rpcserver

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// subscription is what one websocket wants to hear of. The session's writer sends it.
type subscription struct {
	principal Principal // nil: may hear everything
	feed      *Feed
	changed   chan struct{} // full when there are other topics, or another position

	mu     sync.Mutex
	topics []string
	seq    uint64 // of the last event that was sent, or left out on purpose
	lost   bool   // the client must be told to look at everything anew
	news   bool   // a subscribe is not answered yet
	flows  bool   // one was answered
}

func newSubscription(by Principal, f *Feed) *subscription {
	return &subscription{principal: by, feed: f, changed: make(chan struct{}, 1)}
}

// Subscribe adds topics. With a position, what came behind it is sent again.
func (u *subscription) Subscribe(topics []string, position string) (walletapi.Subscription, error) {
	if len(topics) == 0 || !areTopics(topics) {
		return walletapi.Subscription{}, badTopic("subscribe")
	}
	if err := u.audible(topics); err != nil {
		return walletapi.Subscription{}, err
	}
	u.feed.hear()
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case position != "":
		seq, known := u.feed.number(position)
		u.seq, u.lost = seq, !known
	case len(u.topics) == 0:
		u.seq, u.lost = u.feed.newest(), false
	}
	for _, topic := range topics {
		if !slices.Contains(u.topics, topic) {
			u.topics = append(u.topics, topic)
		}
	}
	u.news = true
	return u.stateLocked(), nil
}

// audible is the principal's objection to hearing of topics, if it has one.
func (u *subscription) audible(topics []string) error {
	v, choosy := u.principal.(interface{ Hears(topic string) error })
	if !choosy {
		return nil
	}
	for _, topic := range topics {
		if err := v.Hears(topic); err != nil {
			return err
		}
	}
	return nil
}

// Unsubscribe removes topics, all of them when none is named.
func (u *subscription) Unsubscribe(topics []string) (walletapi.Subscription, error) {
	if !areTopics(topics) {
		return walletapi.Subscription{}, badTopic("unsubscribe")
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.topics = slices.DeleteFunc(u.topics, func(t string) bool { return len(topics) == 0 || slices.Contains(topics, t) })
	return u.stateLocked(), nil
}

func (u *subscription) stateLocked() walletapi.Subscription {
	seq := u.seq
	if u.lost {
		seq = u.feed.newest()
	}
	return walletapi.Subscription{Topics: slices.Clone(u.topics), Position: u.feed.position(seq)}
}

// flow lets events flow, once the answer to subscribe is on its way.
func (u *subscription) flow() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.news {
		return
	}
	u.news, u.flows = false, true
	select {
	case u.changed <- struct{}{}:
	default:
	}
}

// flowing reports whether events may be sent: the answer to the first subscribe is on its way.
func (u *subscription) flowing() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.flows
}

// next returns the frames of the next events, or what to wait for. The feed does not wait for a client: one that it
// is too far ahead of gets one resync instead of what it missed.
func (u *subscription) next() (frames []byte, wait <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	of := setOf(u.topics)
	frames, seen, lost, added := u.feed.after(u.seq, of)
	u.seq = seen
	if of == 0 {
		u.lost = false
		return nil, nil // until there are topics
	}
	if u.lost = u.lost || lost; !u.lost && frames == nil {
		return nil, added
	}
	switch err := u.welcome(); {
	case isDenied(err): // the subscription ends
		u.topics = nil
		return nil, nil
	case err != nil: // nobody can tell now: the next event is a new try
		u.lost = true
		u.seq, added = u.feed.await(of)
		return nil, added
	case u.lost:
		u.seq, u.lost = u.feed.newest(), false
		return u.feed.frame(u.seq, "resync", json.RawMessage(`"events were missed; read your copy again"`)), nil
	}
	return frames, nil
}

// welcome is what keeps the client from hearing of anything now.
func (u *subscription) welcome() error {
	if u.principal == nil {
		return nil
	}
	return u.principal.Check()
}

func isDenied(err error) bool {
	_, denied := errors.AsType[*Denied](err)
	return denied
}

func areTopics(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(Topics(), word) })
}

func badTopic(method string) error {
	return &fault.Error{
		Code: fault.BadParameter, Op: method,
		Message: "the topics must be some of " + strings.Join(Topics(), ", "),
		Hint:    "separate them with commas, such as blocks,deposits",
	}
}
