package daemonclient

// inFlight are the calls of a connection that wait for an answer, and those of them that still wait to be written.
type inFlight struct {
	waiting map[uint64]*call
	outbox  []*call
	bytes   int // of the calls in waiting, in sum
}

// leastBuffer is how many bytes a connection takes even if nobody reads at its other end.
const leastBuffer = 16 << 10

// put adds a call to both. little reports whether all calls that wait for an answer fit a buffer of the system.
func (u *inFlight) put(id uint64, c *call) (little bool) {
	u.waiting[id] = c
	u.outbox = append(u.outbox, c)
	c.size = len(c.frame)
	u.bytes += c.size
	return u.bytes <= leastBuffer
}

// forget removes a call from those that wait for an answer.
func (u *inFlight) forget(c *call) {
	if u.waiting[c.id] == c {
		delete(u.waiting, c.id)
		u.bytes -= c.size
	}
}
