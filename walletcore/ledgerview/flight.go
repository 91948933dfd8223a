package ledgerview

import (
	"context"
	"sync"
)

// flights are the reads in flight for one set of facts: callers that lack the same fact
// wait for one answer. The zero value is empty.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// flight is one read. Its result may be read once done is closed.
type flight struct {
	done      chan struct{}
	value     any
	err       error
	abandoned bool // its caller gave up or panicked, so the result means nothing to others
}

// join returns the read of a key that is in flight. If there is none, it starts one, which the caller must finish.
func (f *flights) join(key string) (_ *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if present := f.all[key]; present != nil {
		return present, false
	}
	if f.all == nil {
		f.all = map[string]*flight{}
	}
	started := &flight{done: make(chan struct{}), abandoned: true}
	f.all[key] = started
	return started, true
}

func (f *flights) finish(key string, ended *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, key)
	close(ended.done)
}

// readOnce returns the fact that known finds. If there is none yet, one caller reads it for all that lack it;
// read must also cache it. If the read fails, it fails for all of them, but if the reading caller's context ends,
// another one reads. If ctx ends while another caller reads, the error is the cause of ctx.
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
		current, first := all.join(key)
		if first {
			return lead(ctx, all, key, current, known, read)
		}
		select {
		case <-current.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !current.abandoned {
			v, _ := current.value.(*T)
			return v, current.err
		}
	}
}

// lead reads for all callers that wait for a flight.
func lead[T any](
	ctx context.Context,
	all *flights,
	key string,
	own *flight,
	known func() *T,
	read func(context.Context) (*T, error),
) (*T, error) {
	defer all.finish(key, own)
	v := known() // it may have been cached since the caller looked
	var err error
	if v == nil {
		v, err = read(ctx)
	}
	own.value, own.err, own.abandoned = v, err, err != nil && ctx.Err() != nil
	return v, err
}
