package rpcserver

import "context"

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
