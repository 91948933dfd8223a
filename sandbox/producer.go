package sandbox

import (
	"context"
	"time"
)

// produce makes blocks on schedule until ctx ends.
func (c *Controls) produce(ctx context.Context) error {
	for ctx.Err() == nil {
		every, changed := c.pace.get()
		if err := c.produceAt(ctx, every, changed); err != nil {
			return err
		}
	}
	return nil
}

func (c *Controls) produceAt(ctx context.Context, every time.Duration, changed <-chan struct{}) error {
	var due <-chan time.Time
	if every > 0 {
		tick := time.NewTicker(every)
		defer tick.Stop()
		due = tick.C
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
			return nil
		case <-due:
			if c.gone() {
				continue
			}
			if _, err := c.Mine(); err != nil {
				return err
			}
		}
	}
}
