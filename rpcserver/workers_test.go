package rpcserver

import (
	"sync"
	"testing"
	"testing/synctest"
)

// Jobs run concurrently, later jobs reuse goroutines, and only a few idle goroutines stay.
func TestWorkersAreReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing := make(chan struct{})
		w := newWorkers(closing)
		for range 3 {
			hold, done := make(chan struct{}), 0
			var mu sync.Mutex
			for range 2 * maxIdle {
				w.run(func() {
					<-hold
					mu.Lock()
					defer mu.Unlock()
					done++
				})
			}
			synctest.Wait() // all have started
			close(hold)
			synctest.Wait()
			if resting := w.idleCount.Load(); done != 2*maxIdle || resting != maxIdle {
				t.Errorf("%d jobs were done, %d workers stay", done, resting)
			}
		}
		begun := make(chan struct{})
		w.run(func() { close(begun) })
		<-begun
		close(closing) // otherwise the test would not end
	})
}

func TestAnIdleWorkerTakesTheNextJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing := make(chan struct{})
		defer close(closing)
		w := newWorkers(closing)
		for range 100 {
			w.run(func() {})
			synctest.Wait()
		}
		if resting := w.idleCount.Load(); resting != 1 {
			t.Errorf("%d workers did a hundred jobs", resting)
		}
	})
}
