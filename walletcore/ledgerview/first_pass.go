package ledgerview

import (
	"context"
	"sync"
	"time"
)

// longestPass is how long somebody waits for the first pass over the blocks: what was proven before
// is an answer as well.
const longestPass = 5 * time.Second

// firstPass is the first pass over the blocks up to the head.
type firstPass struct {
	made, ended sync.Once
	over        chan struct{} // closed at the end
}

func (p *firstPass) channel() chan struct{} {
	p.made.Do(func() { p.over = make(chan struct{}) })
	return p.over
}

func (p *firstPass) end() { p.ended.Do(func() { close(p.channel()) }) }

func (p *firstPass) wait(ctx context.Context) {
	over := p.channel()
	select {
	case <-over: // mostly: no timer is needed
		return
	default:
	}
	patience := time.NewTimer(longestPass)
	defer patience.Stop()
	select {
	case <-over:
	case <-patience.C:
	case <-ctx.Done():
	}
}
