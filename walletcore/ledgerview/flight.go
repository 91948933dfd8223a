package ledgerview

import (
	"context"
	"sync"
)

// flights are the reads that are under way for one set of facts: callers who lack the same fact
// wait for one answer. The zero value is empty.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// flight is one read. Those who wait for it read its outcome once done is closed.
type flight struct {
	done  chan struct{}
	value any
	err   error
	void  bool // its caller left or panicked: the outcome says nothing to others
}

// enter returns the read of a key that is under way, or begins one, which the caller must end.
func (f *flights) enter(key string) (_ *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if there := f.all[key]; there != nil {
		return there, false
	}
	if f.all == nil {
		f.all = map[string]*flight{}
	}
	begun := &flight{done: make(chan struct{}), void: true}
	f.all[key] = begun
	return begun, true
}

func (f *flights) leave(key string, ended *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, key)
	close(ended.done)
}

// readOnce returns the fact that known finds; where there is none yet, one caller reads it, and keeps it,
// for all who lack it. What the caller who reads is refused, all are; when his time runs out, another one
// reads. When ctx ends while somebody else reads, the error is that of ctx.
func readOnce[T any](
	ctx context.Context,
	all *flights,
	key string,
	known func() *T,
	read func(context.Context) (*T, error),
) (*T, error) {
	for {
		if v := known(); v != nil {
			return v, nil
		}
		under, first := all.enter(key)
		if first {
			return lead(ctx, all, key, under, known, read)
		}
		select {
		case <-under.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !under.void {
			v, _ := under.value.(*T)
			return v, under.err
		}
	}
}

// lead reads for everybody who waits for a flight.
func lead[T any](
	ctx context.Context,
	all *flights,
	key string,
	own *flight,
	known func() *T,
	read func(context.Context) (*T, error),
) (*T, error) {
	defer all.leave(key, own)
	v := known() // somebody may have kept it since the caller looked
	var err error
	if v == nil {
		v, err = read(ctx)
	}
	own.value, own.err, own.void = v, err, err != nil && ctx.Err() != nil
	return v, err
}
