package rpcserver

import "sync/atomic"

// workers run calls in goroutines that are reused: the stack of a new goroutine would have to grow again for
// each call, which costs more than a quick call does. Up to maxIdle goroutines without work are kept.
type workers struct {
	idle      chan func()
	idleCount atomic.Int32
	closing   <-chan struct{} // once closed, idle goroutines end
}

// maxIdle is about as many calls as run at once on a large machine.
const maxIdle = 64

func newWorkers(closing <-chan struct{}) *workers {
	return &workers{idle: make(chan func()), closing: closing}
}

// run runs job in an idle goroutine, or in a new one.
func (w *workers) run(job func()) {
	select {
	case w.idle <- job:
	default:
		go w.work(job)
	}
}

func (w *workers) work(job func()) {
	for {
		job()
		if w.idleCount.Add(1) > maxIdle {
			w.idleCount.Add(-1)
			return
		}
		select {
		case job = <-w.idle:
			w.idleCount.Add(-1)
		case <-w.closing:
			return
		}
	}
}
