// Package approval is the queue of calls that wait for a person: programs ask; the terminal shows what would be signed,
// or which keys would be touched, and answers.
//
//	program ─► Ask ─► waits ─► Approve or Deny by a person ─► the call goes on or ends
//	                    └────► time is up, or the program left: no
//
// Promises: to a program, silence means no; what a person typed waits until that person answers, or ends the run. Each request is
// answered once, by whoever is first; one program cannot take all the room.
// Refuses: to remember an answer for the next request.
package approval

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"billfold/walletcore/txbuild"
)

// How long a request waits, and how many may wait.
const (
	Patience     = time.Minute // of a program's request; a person's own waits for the person
	maxWaiting   = 32
	maxPerCaller = 8

	// timeToSign is the time that must remain of a call's own deadline after a late yes.
	timeToSign = 5 * time.Second

	maxUnanswered = 32 // requests that nobody answered are kept, the latest ones

	// recheckEvery is the interval between checks of whether the program of a waiting request may still ask.
	recheckEvery = time.Second
)

// Console is the Via of what a person typed into the terminal UI.
const Console = "console"

// Request is a waiting call: a spend, which Review shows, or something about keys or the password, which Sentence describes.
type Request struct {
	Number int64  // from 1, in the order of asking; set by Ask
	Who    string // the token's name, or "anybody"
	Via    string // "HTTP", "websocket", "unix socket", or Console
	From   string // address of the program; "" for one on this machine
	Method string // the wallet operation
	Line   string // what a person typed, with dots for secrets; "" = a program asks
	Why    string // the rule that requires approval
	Review txbuild.Review
	Asked  time.Time // set by Ask
	Until  time.Time // when silence becomes a no; zero: never; set by Ask

	Sentence string // what the program wants to do, such as "export all private keys"; "" = Review shows it
	Typed    string // word that a person types for a yes; "" = none

	Entered func()       // called once it is waiting; may be nil
	Still   func() error // returns why the program may no longer ask, such as a revoked token; nil = it may
}

// Answer is the outcome of a request.
type Answer int

// The answers. Only Yes lets the call go on.
const (
	Yes        Answer = iota
	No                // a person said no
	Silence           // nobody answered in time
	Left              // the program stopped waiting
	TooMany           // too many requests are waiting already; nobody was asked
	Unattended        // there is nobody left to ask
	Unwelcome         // the program may no longer ask
)

// Unanswered is a request that ended because nobody answered it in time, or its program left before. Nothing was signed.
type Unanswered struct {
	Request
	Ended time.Time
	Left  bool // the program left
}

// Errors of Approve for a request that can no longer go on; Deny returns only the first.
var (
	ErrGone      = errors.New("this request has ended; nothing was signed")
	ErrUnwelcome = errors.New("the token that asked was revoked, or has expired; nothing was signed")
)

// Queue holds the waiting requests. It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	last    int64
	waiting []*pending // in the order of asking
	missed  []Unanswered
	closed  bool
	changed chan struct{} // closed and replaced with each change
}

type pending struct {
	Request
	answer chan Answer // has room for the one answer
}

// New returns an empty queue.
func New() *Queue { return &Queue{changed: make(chan struct{})} }

// Waits reports whether r can still be answered at a time.
func (r *Request) Waits(now time.Time) bool { return r.Until.IsZero() || now.Before(r.Until) }

// limit returns when silence becomes a no: after Patience, or shortly before the deadline of ctx; zero for what a person typed.
func (r *Request) limit(ctx context.Context) time.Time {
	if r.Via == Console {
		return time.Time{}
	}
	until := r.Asked.Add(Patience)
	if deadline, ok := ctx.Deadline(); ok && deadline.Add(-timeToSign).Before(until) {
		return deadline.Add(-timeToSign)
	}
	return until
}

// Ask waits until r is answered, its time is up, or ctx ends.
func (q *Queue) Ask(ctx context.Context, r Request) Answer {
	r.Asked = time.Now()
	r.Until = r.limit(ctx)
	a, refused := q.enter(r)
	if a == nil {
		return refused
	}
	if r.Entered != nil {
		r.Entered()
	}
	var silence <-chan time.Time // nil never comes
	if !r.Until.IsZero() {
		timer := time.NewTimer(time.Until(r.Until))
		defer timer.Stop()
		silence = timer.C
	}
	glances := time.NewTicker(recheckEvery)
	defer glances.Stop()
	for {
		select {
		case answer := <-a.answer:
			return answer
		case <-silence:
			return q.withdraw(a, Silence)
		case <-ctx.Done():
			return q.withdraw(a, Left)
		case <-glances.C:
			if r.stillAllowed() != nil {
				return q.withdraw(a, Unwelcome)
			}
		}
	}
}

func (r *Request) stillAllowed() error {
	if r.Still == nil {
		return nil
	}
	return r.Still()
}

// enter puts r in the queue. If r may not wait, it returns nil and the reason.
func (q *Queue) enter(r Request) (*pending, Answer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	same := 0
	for _, a := range q.waiting {
		if a.Who == r.Who {
			same++
		}
	}
	switch {
	case q.closed:
		return nil, Unattended
	case len(q.waiting) >= maxWaiting || same >= maxPerCaller:
		return nil, TooMany
	}
	q.last++
	r.Number = q.last
	a := &pending{r, make(chan Answer, 1)}
	q.waiting = append(q.waiting, a)
	q.notifyLocked()
	return a, Yes
}

// withdraw ends a request that nobody answered; an answer that came first counts.
func (q *Queue) withdraw(a *pending, why Answer) Answer {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case answer := <-a.answer:
		return answer
	default:
		if a.Via != Console && (why == Silence || why == Left) {
			q.missed = append(q.missed, Unanswered{a.Request, time.Now(), why == Left})
			q.missed = q.missed[max(len(q.missed)-maxUnanswered, 0):]
		}
		q.dropLocked(a)
		return why
	}
}

func (q *Queue) dropLocked(a *pending) {
	q.waiting = slices.DeleteFunc(q.waiting, func(b *pending) bool { return a == b })
	q.notifyLocked()
}

func (q *Queue) notifyLocked() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// Waiting returns the waiting requests, oldest first.
func (q *Queue) Waiting() []Request {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]Request, len(q.waiting))
	for i, a := range q.waiting {
		out[i] = a.Request
	}
	return out
}

// Unanswered returns the latest requests of programs that nobody answered, the newest first.
func (q *Queue) Unanswered() []Unanswered {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := slices.Clone(q.missed)
	slices.Reverse(out)
	return out
}

// Changed returns a channel that is closed at the next change of the queue.
func (q *Queue) Changed() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.changed
}

// Approve lets the call of this one request go on. Errors: ErrGone, ErrUnwelcome.
func (q *Queue) Approve(number int64) error {
	for _, r := range q.Waiting() {
		if r.Number == number && r.stillAllowed() != nil { // without the mutex, because a file may be read for it
			return errors.Join(ErrUnwelcome, q.answer(number, Unwelcome))
		}
	}
	return q.answer(number, Yes)
}

// Deny ends a request. Error: ErrGone.
func (q *Queue) Deny(number int64) error { return q.answer(number, No) }

func (q *Queue) answer(number int64, answer Answer) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i, found := slices.BinarySearchFunc(q.waiting, number, func(a *pending, n int64) int { return cmp.Compare(a.Number, n) })
	if !found || !q.waiting[i].Waits(time.Now()) {
		return ErrGone
	}
	q.waiting[i].answer <- answer
	q.dropLocked(q.waiting[i])
	return nil
}

// Close means that there is nobody left to ask: what is waiting is denied, and so is every later request.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, a := range q.waiting {
		a.answer <- Unattended
	}
	q.waiting = nil
	q.notifyLocked()
}
