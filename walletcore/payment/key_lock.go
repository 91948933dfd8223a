package payment

import (
	"context"
	"sync"

	"billfold/walletcore/fault"
)

// keyLocks lets one call at a time act under a request key.
type keyLocks struct {
	mu   sync.Mutex
	held map[string]*keyLock
}

type keyLock struct {
	turn  chan struct{} // holds one element while a call acts
	users int
}

// lock waits until it is the caller's turn; unlock lets the next one in. Error: fault.Canceled if ctx ends first.
func (k *keyLocks) lock(ctx context.Context, key string) (unlock func(), err error) {
	l := k.enter(key)
	select {
	case l.turn <- struct{}{}:
		return func() {
			<-l.turn
			k.leave(key, l)
		}, nil
	case <-ctx.Done():
		k.leave(key, l)
		return nil, &fault.Error{
			Code:    fault.Canceled,
			Op:      "transfer",
			Message: "another call with this request key did not end in time",
			Hint:    "get_payment reports its outcome",
			Err:     ctx.Err(),
		}
	}
}

// inUse reports whether a call acts under the key, or waits to.
func (k *keyLocks) inUse(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.held[key] != nil
}

func (k *keyLocks) enter(key string) *keyLock {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held == nil {
		k.held = map[string]*keyLock{}
	}
	l := k.held[key]
	if l == nil {
		l = &keyLock{turn: make(chan struct{}, 1)}
		k.held[key] = l
	}
	l.users++
	return l
}

func (k *keyLocks) leave(key string, l *keyLock) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(k.held, key)
	}
}
