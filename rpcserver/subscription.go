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

// subscription holds what one websocket has subscribed to. The session's writer sends its events.
type subscription struct {
	principal Principal // nil = may receive every topic
	feed      *Feed
	changed   chan struct{} // full after a subscribe, until the writer has looked

	mu         sync.Mutex
	topics     []string
	seq        uint64 // of the last event that was sent or did not concern the client
	lost       bool   // the client missed events and must be told to read its copy again
	unanswered bool   // a subscribe is not answered yet
	flowing    bool   // a subscribe was answered
}

func newSubscription(by Principal, f *Feed) *subscription {
	return &subscription{principal: by, feed: f, changed: make(chan struct{}, 1)}
}

// Subscribe adds topics. With a position, the events after it are sent again.
func (u *subscription) Subscribe(topics []string, position string) (walletapi.Subscription, error) {
	if len(topics) == 0 || !areTopics(topics) {
		return walletapi.Subscription{}, badTopicsError("subscribe")
	}
	if err := u.checkTopics(topics); err != nil {
		return walletapi.Subscription{}, err
	}
	u.feed.markSubscribed()
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case position != "":
		seq, known := u.feed.parsePosition(position)
		u.seq, u.lost = seq, !known
	case len(u.topics) == 0:
		u.seq, u.lost = u.feed.newest(), false
	}
	for _, topic := range topics {
		if !slices.Contains(u.topics, topic) {
			u.topics = append(u.topics, topic)
		}
	}
	u.unanswered = true
	return u.stateLocked(), nil
}

// checkTopics returns an error if the principal may not receive one of the topics.
func (u *subscription) checkTopics(topics []string) error {
	v, choosy := u.principal.(interface{ CheckTopic(topic string) error })
	if !choosy {
		return nil
	}
	for _, topic := range topics {
		if err := v.CheckTopic(topic); err != nil {
			return err
		}
	}
	return nil
}

// Unsubscribe removes topics, or all of them if none is named.
func (u *subscription) Unsubscribe(topics []string) (walletapi.Subscription, error) {
	if !areTopics(topics) {
		return walletapi.Subscription{}, badTopicsError("unsubscribe")
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

// startFlow lets the writer send events. It is called after each answer was passed to the writer.
func (u *subscription) startFlow() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.unanswered {
		return
	}
	u.unanswered, u.flowing = false, true
	select {
	case u.changed <- struct{}{}:
	default:
	}
}

// mayFlow reports whether events may be sent, because the answer to the first subscribe is on its way.
func (u *subscription) mayFlow() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.flowing
}

// next returns the frames of the next events, or a channel to wait on. The feed does not wait for a client: one that has
// fallen too far behind gets one resync instead of the events it missed.
func (u *subscription) next() (frames []byte, wait <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	of := setOf(u.topics)
	frames, seen, lost, added := u.feed.framesAfter(u.seq, of)
	u.seq = seen
	if of == 0 {
		u.lost = false
		return nil, nil // until there are topics
	}
	if u.lost = u.lost || lost; !u.lost && frames == nil {
		return nil, added
	}
	switch err := u.checkAccess(); {
	case isDenied(err): // the subscription ends
		u.topics = nil
		return nil, nil
	case err != nil: // the check itself failed; the next event tries again
		u.lost = true
		u.seq, added = u.feed.await(of)
		return nil, added
	case u.lost:
		u.seq, u.lost = u.feed.newest(), false
		return u.feed.frame(u.seq, walletapi.Resync, json.RawMessage(`"events were missed; read your copy again"`)), nil
	}
	return frames, nil
}

// checkAccess returns an error if the client may receive no events now.
func (u *subscription) checkAccess() error {
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

func badTopicsError(method string) error {
	return &fault.Error{
		Code: fault.BadParameter, Op: method,
		Message: "the topics must be some of " + strings.Join(Topics(), ", "),
		Hint:    "separate them with commas, such as blocks,deposits",
	}
}
