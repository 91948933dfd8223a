package rpcserver

import "sync/atomic"

// workers carry out calls in goroutines that are used again: the stack of a new one would have to grow
// anew for each call, which costs more than a quick call does. Of those that have nothing to do a few stay.
type workers struct {
	idle    chan func()
	resting atomic.Int32
	closing <-chan struct{} // closed: none rests any more
}

// mostResting is as many as are busy at once on a machine of some size.
const mostResting = 64

func newWorkers(closing <-chan struct{}) *workers {
	return &workers{idle: make(chan func()), closing: closing}
}

// run carries out job in a goroutine of its own.
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
		if w.resting.Add(1) > mostResting {
			w.resting.Add(-1)
			return
		}
		select {
		case job = <-w.idle:
			w.resting.Add(-1)
		case <-w.closing:
			return
		}
	}
}
