package daemonclient

// underWay are the calls of a connection: those that wait for an answer, and those of them that
// wait to be written.
type underWay struct {
	waiting map[uint64]*call
	outbox  []*call
	bytes   int // of the calls in waiting
}

// leastBuffer is what a connection takes, in bytes, though nobody reads at its other end.
const leastBuffer = 16 << 10

// put adds a call to both; little reports that all that wait for an answer fit a buffer of the system.
func (u *underWay) put(id uint64, c *call) (little bool) {
	u.waiting[id] = c
	u.outbox = append(u.outbox, c)
	c.size = len(c.frame)
	u.bytes += c.size
	return u.bytes <= leastBuffer
}

// forget removes a call from those that wait for an answer.
func (u *underWay) forget(c *call) {
	if u.waiting[c.id] == c {
		delete(u.waiting, c.id)
		u.bytes -= c.size
	}
}
