package ledgerview

import (
	"context"
	"sync"
	"time"
)

// longestPass is how long the first pass over the blocks is waited for, by all together: what was proven before is an answer as
// well, and a daemon that lies may never let it end.
const longestPass = 5 * time.Second

// firstPass is the first pass over the blocks up to the head.
type firstPass struct {
	made, ended sync.Once
	over        chan struct{} // closed at the end
	until       time.Time     // when nobody waits any more
}

func (p *firstPass) channel() chan struct{} {
	p.made.Do(func() { p.over, p.until = make(chan struct{}), time.Now().Add(longestPass) })
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
	patience := time.NewTimer(time.Until(p.until))
	defer patience.Stop()
	select {
	case <-over:
	case <-patience.C:
	case <-ctx.Done():
	}
}
