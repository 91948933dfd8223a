package rpcserver

import (
	"context"
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

// room is the memory that the answer to one message takes, from before it is built until the client has it. It is used by one
// goroutine at a time.
type room struct {
	budget    *unread
	box       *outbox
	principal string
	spared    int // bytes that no budget counts
	counted   int // bytes that the budget counts
	refused   bool
}

// room returns the room of an answer on a connection, which is nil if it has none.
func (u *unread) room(box *outbox, principal string) *room {
	if box == nil {
		box = new(outbox)
	}
	return &room{budget: u, box: box, principal: principal}
}

// grow makes room for n more bytes. If there is none, it waits, and disconnects who keeps it by not reading. It reports false
// if there is none in time or ctx has ended; what the answer holds would keep others waiting if it tried again.
func (r *room) grow(ctx context.Context, n int) bool {
	if r.refused {
		return false
	}
	if r.box.spare(n) {
		r.spared += n
		r.box.hold(n)
		return true
	}
	got := r.budget.bytes.acquireNudging(ctx, r.principal, n, 3*r.budget.wait, func() { r.budget.cutOff(r.principal, n) })
	r.count(got)
	r.refused = got == 0
	return got > 0
}

// count adds n bytes that the budget has taken.
func (r *room) count(n int) {
	if n == 0 {
		return
	}
	r.counted += n
	r.box.hold(n)
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	r.budget.rooms[r] = struct{}{}
}

// settle makes the room that of size bytes, which exist now.
func (r *room) settle(size int) {
	switch more := size - r.spared - r.counted; {
	case more < 0:
		r.shrink(-more)
	case more > 0 && r.box.spare(more):
		r.spared += more
		r.box.hold(more)
	case more > 0:
		r.budget.bytes.take(r.principal, more)
		r.count(more)
	}
}

func (r *room) shrink(n int) {
	r.box.hold(-min(n, r.counted+r.spared))
	back := min(n, r.counted)
	if back > 0 {
		if r.counted -= back; r.counted == 0 {
			r.budget.mu.Lock()
			delete(r.budget.rooms, r)
			r.budget.mu.Unlock()
		}
		r.budget.bytes.release(r.principal, back)
	}
	back = min(n-back, r.spared)
	r.spared -= back
	r.box.spared.Add(int64(-back))
}

// release returns all of it. It may be called more than once.
func (r *room) release() { r.shrink(r.spared + r.counted) }
