package uitest

import (
	"context"
	"testing"
)

// parts are goroutines that run until end is called, and what must be closed after them.
type parts struct {
	cancel context.CancelFunc
	ended  []<-chan error
	close  []func() error
}

// run starts each part in a goroutine; end cancels their context.
func (p *parts) run(ctx context.Context, each ...func(context.Context) error) {
	ctx, p.cancel = context.WithCancel(ctx)
	for _, part := range each {
		done := make(chan error, 1)
		go func() { done <- part(ctx) }()
		p.ended = append(p.ended, done)
	}
}

// end ends all parts, waits for them, and closes what they used. An error fails the test.
func (p *parts) end(t testing.TB) {
	t.Helper()
	if p.cancel != nil {
		p.cancel()
	}
	for _, done := range p.ended {
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
	}
	for _, closed := range p.close {
		Must(t, closed())
	}
	*p = parts{}
}
