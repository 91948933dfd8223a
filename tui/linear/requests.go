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

// mostRequests is how many are kept until they are told.
const maxRequests = 100

// requests are those of programs, seen when they came: one that ends while a person types is told all the same.
type requests struct {
	from *queue.Queue // nil: nobody is asked
	mu   sync.Mutex
	seen map[int64]queue.Request // by number; those that ended here are taken out
	lost int                     // how many were let go before they were told
}

// watch sees what comes until ctx ends. The returned function waits for that.
func (r *requests) watch(ctx context.Context, q *queue.Queue) (wait func()) {
	if q == nil {
		return func() {}
	}
	r.from = q
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			changed := q.Changed() // before it is read what waits, so that nothing is missed
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

// see notes requests, the latest of them while nobody listens for long.
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

// decided forgets a request whose end was said.
func (r *requests) drop(number int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, number)
}

// ended returns those that wait no more and were not answered here, each once.
func (r *requests) ended(env screen.Env) (out []canvas.Line) {
	if r.from == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	waits := map[int64]bool{} // read behind the mutex: what comes now is not seen before
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
		out = append(out, canvas.Join(canvas.Text("nobody answered "+requester(one)+", which asked at "+format.Clock(one.Asked)+
			"; nothing was signed: "), summary(env, one)))
	}
	return out
}

// asker is who made a request, as the one whom nobody answered.
func requester(r queue.Request) string {
	if r.Who == "anybody" {
		return "a program without a token"
	}
	return format.Clean(r.Who)
}

// summary is what a request asks for; a locked wallet does not tell.
func summary(env screen.Env, r queue.Request) canvas.Line {
	if !env.Unlocked() {
		return canvas.Text(format.Serial(r.Number))
	}
	return approval.Summary(r)
}
