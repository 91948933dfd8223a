package uitest

import (
	"context"
	"testing"
)

// parts run until they are ended; then what they used is closed.
type parts struct {
	cancel context.CancelFunc
	ended  []<-chan error
	close  []func() error
}

// run runs parts in ctx.
func (p *parts) run(ctx context.Context, each ...func(context.Context) error) {
	ctx, p.cancel = context.WithCancel(ctx)
	for _, part := range each {
		done := make(chan error, 1)
		go func() { done <- part(ctx) }()
		p.ended = append(p.ended, done)
	}
}

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
