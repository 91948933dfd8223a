package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Result is the outcome of a screen's slow work.
type Result struct {
	Owner ID
	Topic string
	Seq   uint64
	Body  any
	Err   error
}

// BuildLimit is the time limit for building a review: it needs some ten requests in sequence, and a node may take seconds for each.
const BuildLimit = time.Minute

// Tasks starts the slow work of one screen and knows which results it still waits for. Starting a topic again makes the earlier
// result late; so does replacing a screen's Tasks for all results of the old ones. Late results are dropped.
type Tasks struct {
	ctx     context.Context
	owner   ID
	numbers *uint64 // shared by all screens, so that no number repeats
	open    map[string]uint64
	since   map[string]time.Time
}

// NewTasks returns the tasks of a screen; numbers is the counter shared by all screens.
func NewTasks(ctx context.Context, owner ID, numbers *uint64) *Tasks {
	return &Tasks{ctx: ctx, owner: owner, numbers: numbers, open: map[string]uint64{}, since: map[string]time.Time{}}
}

// Owner returns the screen that the work belongs to.
func (t *Tasks) Owner() ID { return t.owner }

// Start runs work outside the event loop, for at most limit (0: no limit), and sends its Result.
func (t *Tasks) Start(env Env, topic string, limit time.Duration, work func(context.Context) (any, error)) tea.Cmd {
	*t.numbers++
	seq, ctx := *t.numbers, t.ctx
	t.open[topic], t.since[topic] = seq, env.Now
	return func() tea.Msg {
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		body, err := work(ctx)
		return Result{Owner: t.owner, Topic: topic, Seq: seq, Body: body, Err: err}
	}
}

// Accept reports whether the result is the one that its topic waits for; after that the topic waits for none.
func (t *Tasks) Accept(r Result) bool {
	if t.open[r.Topic] != r.Seq || r.Seq == 0 {
		return false
	}
	delete(t.open, r.Topic)
	return true
}

// Busy reports whether the result of a topic is awaited, and since when.
func (t *Tasks) Busy(topic string) (since time.Time, busy bool) {
	_, busy = t.open[topic]
	return t.since[topic], busy
}

// Adopt takes over from earlier tasks the wait for the result of a topic, if they still wait for it.
func (t *Tasks) Adopt(before *Tasks, topic string) {
	if seq, busy := before.open[topic]; busy {
		t.open[topic], t.since[topic] = seq, before.since[topic]
	}
}

// Forget makes the awaited result of a topic late.
func (t *Tasks) Forget(topic string) { delete(t.open, topic) }

// Within runs work and waits for it until ctx ends, even if a disk or a database ignores ctx; the work then goes on in the
// background.
func Within[T any](ctx context.Context, work func(context.Context) (T, error)) (T, error) {
	type end struct {
		value T
		err   error
	}
	done := make(chan end, 1)
	go func() {
		value, err := work(ctx)
		done <- end{value, err}
	}()
	select {
	case e := <-done:
		return e.value, e.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
