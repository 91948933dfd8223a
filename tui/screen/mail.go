package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Mail brings the result of slow work back to who asked.
type Mail struct {
	Owner ID
	Topic string
	Seq   uint64
	Body  any
	Err   error
}

// Desk gives out slow work and knows which answers are still wanted. A later
// question on the same topic makes the earlier answer late; a new desk makes
// all answers to the old one late.
type Desk struct {
	ctx   context.Context
	owner ID
	next  *uint64 // shared by all desks, so that numbers never repeat
	open  map[string]uint64
	since map[string]time.Time
}

// NewDesk makes the desk of a screen; next is the counter all desks share.
func NewDesk(ctx context.Context, owner ID, next *uint64) *Desk {
	return &Desk{ctx: ctx, owner: owner, next: next, open: map[string]uint64{}, since: map[string]time.Time{}}
}

// Ask runs work off the interface loop, for at most limit (0: as long as it
// takes), and mails the result.
func (d *Desk) Ask(env Env, topic string, limit time.Duration, work func(context.Context) (any, error)) tea.Cmd {
	*d.next++
	seq, ctx := *d.next, d.ctx
	d.open[topic], d.since[topic] = seq, env.Now
	return func() tea.Msg {
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		body, err := work(ctx)
		return Mail{Owner: d.owner, Topic: topic, Seq: seq, Body: body, Err: err}
	}
}

// Take says whether mail answers the last question of its topic, and closes it.
func (d *Desk) Take(m Mail) bool {
	if d.open[m.Topic] != m.Seq || m.Seq == 0 {
		return false
	}
	delete(d.open, m.Topic)
	return true
}

// Busy says whether an answer is awaited, and since when.
func (d *Desk) Busy(topic string) (since time.Time, busy bool) {
	_, busy = d.open[topic]
	return d.since[topic], busy
}

// Forget makes a pending answer late.
func (d *Desk) Forget(topic string) { delete(d.open, topic) }
