package rpcserver

import (
	"sync"
	"time"
)

// unread limits the memory of answers that are being built or wait to be read, over all transports, and how many large ones
// are built at a time. Up to sparedBytes of each connection are free, so that an ordinary call on it passes whatever others
// do not read.
type unread struct {
	bytes *schedule
	large *schedule     // calls with large answers
	wait  time.Duration // for room

	sizes sync.Map // the largest answer so far, an int, by method

	mu    sync.Mutex
	rooms map[*room]struct{} // those that bytes counts
}

const (
	sparedBytes = 16 << 10
	largeAnswer = 64 << 10
)

func newUnread(limit, largeCalls, part int, wait time.Duration) *unread {
	return &unread{bytes: newSchedule(limit, limit/part), large: newSchedule(largeCalls, largeCalls/part), wait: wait,
		rooms: map[*room]struct{}{}}
}

// expected returns how large an answer of a method may become, from what it has answered so far. large means that it is to run
// among the calls with large answers, as one does that has not answered yet.
func (u *unread) expected(method string) (size int, large bool) {
	known, found := u.sizes.Load(method)
	if !found {
		return sparedBytes, true
	}
	return known.(int), known.(int) >= largeAnswer
}

// saw records the size of an answer; larger ones are forgotten slowly. Only methods that exist answer, so there are few.
func (u *unread) saw(method string, size int) {
	if known, found := u.sizes.Load(method); found {
		size = max(size, known.(int)-known.(int)/8)
		if size == known.(int) {
			return
		}
	}
	u.sizes.Store(method, size)
}

// cutOff disconnects the client that has stood still for longest while others wait for the room that its answers take.
func (u *unread) cutOff(principal string, n int) {
	full, own := u.bytes.isFull(principal, n)
	if !full {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var worst *room
	var still time.Duration
	for r := range u.rooms {
		if own && r.principal != principal {
			continue
		}
		if d := r.box.stalledFor(); d >= 2*u.wait && d > still {
			worst, still = r, d
		}
	}
	if worst != nil {
		_ = worst.box.Close() // its writes fail, which releases the room
	}
}
