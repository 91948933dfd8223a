package ledgerview

import (
	"context"
	"sync"
	"time"
)

// maxFirstPass is how long after the first wait anything waits for the first pass over the blocks. What was proven before is an
// answer too, and a lying daemon may keep the pass from ever ending.
const maxFirstPass = 5 * time.Second

// firstPass is the first pass over the blocks up to the head.
type firstPass struct {
	made, ended sync.Once
	done        chan struct{} // closed at the end
	deadline    time.Time     // after which nothing waits
}

func (p *firstPass) channel() chan struct{} {
	p.made.Do(func() { p.done, p.deadline = make(chan struct{}), time.Now().Add(maxFirstPass) })
	return p.done
}

func (p *firstPass) end() { p.ended.Do(func() { close(p.channel()) }) }

func (p *firstPass) wait(ctx context.Context) {
	done := p.channel()
	select {
	case <-done: // the usual case, without a timer
		return
	default:
	}
	timer := time.NewTimer(time.Until(p.deadline))
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
}
