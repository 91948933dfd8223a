package linear

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	queue "billfold/walletcore/approval"
)

// maxRequests is the maximum number of requests that are kept until they are announced.
const maxRequests = 100

// requests records the requests of programs as they arrive, so that one that ends while the person types is announced
// too.
type requests struct {
	from *queue.Queue // nil: programs do not ask here
	mu   sync.Mutex
	seen map[int64]queue.Request // by number; without those that were answered here
	lost int                     // how many were dropped before they were announced
}

// watch records requests until ctx ends. The returned function waits for that.
func (r *requests) watch(ctx context.Context, q *queue.Queue) (wait func()) {
	if q == nil {
		return func() {}
	}
	r.from = q
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			changed := q.Changed() // read before Waiting, so that nothing is missed
			r.record(q.Waiting())
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { <-done }
}

// record stores requests; beyond maxRequests it drops the oldest.
func (r *requests) record(all []queue.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[int64]queue.Request{}
	}
	for _, one := range all {
		r.seen[one.Number] = one
	}
	for _, number := range slices.Sorted(maps.Keys(r.seen)) {
		if len(r.seen) <= maxRequests {
			return
		}
		delete(r.seen, number)
		r.lost++
	}
}

// drop forgets a request that was answered here.
func (r *requests) drop(number int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, number)
}

// ended returns the requests that ended unanswered since the last call.
func (r *requests) ended(env screen.Env) (out []canvas.Line) {
	if r.from == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	waits := map[int64]bool{} // read while holding the mutex, so that no newer request is in seen
	for _, one := range r.from.Waiting() {
		waits[one.Number] = true
	}
	if r.lost > 0 {
		out = append(out, canvas.Text(printable.Many(r.lost, "earlier request")+" of programs ended unanswered. Nothing was signed."))
		r.lost = 0
	}
	for _, one := range slices.SortedFunc(maps.Values(r.seen), func(a, b queue.Request) int { return cmp.Compare(a.Number, b.Number) }) {
		if waits[one.Number] {
			continue
		}
		delete(r.seen, one.Number)
		out = append(out, canvas.Join(canvas.Text("nobody answered "+format.Caller(one.Who)+", which asked at "+env.Times().Clock(one.Asked)+
			"; nothing was signed: "), summary(env, one)))
	}
	return out
}

// summary returns what a request asks for; a locked wallet shows only its number.
func summary(env screen.Env, r queue.Request) canvas.Line {
	if !env.Unlocked() {
		return canvas.Text(format.Serial(r.Number))
	}
	return approval.Told(r)
}
