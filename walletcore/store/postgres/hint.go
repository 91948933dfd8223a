package postgres

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
)

// hints hold what servers tell each other, as words of
//
//	server tokens payment=state payment=state …
//
// in notifications below the 8000 bytes that PostgreSQL passes on.
type hints struct {
	mu          sync.Mutex
	subscribers map[int]func(store.Hint)
	number      int

	states map[string]store.State // changed payments that are still to be announced
	tokens bool
	wake   chan struct{} // holds one element when there is something to announce
}

func newHints() *hints {
	return &hints{subscribers: map[int]func(store.Hint){}, states: map[string]store.State{}, wake: make(chan struct{}, 1)}
}

// maxHinted is the maximum number of payments that wait to be announced; beyond that, other servers find changes only by polling.
const maxHinted = 10_000

// record takes note of what a commit has changed.
func (h *hints) record(batch []*commits.Change) {
	h.mu.Lock()
	for _, c := range batch {
		for _, part := range c.Parts {
			if c.Err == nil {
				h.recordLocked(part)
			}
		}
	}
	due := h.tokens || len(h.states) > 0
	h.mu.Unlock()
	if due {
		select {
		case h.wake <- struct{}{}:
		default:
		}
	}
}

func (h *hints) recordLocked(part store.Change) {
	h.tokens = h.tokens || part.Tokens
	if len(h.states) >= maxHinted {
		return
	}
	if part.Add != nil {
		h.states[part.Add.ID.String()] = part.Add.State
	}
	for i := range part.Update {
		h.states[part.Update[i].ID.String()] = part.Update[i].State
	}
}

const (
	tokensWord  = "tokens"
	longestHint = 7900 // bytes
)

// take removes and returns the texts to announce.
func (h *hints) take(server string) (texts []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := server
	if h.tokens {
		text += " " + tokensWord
	}
	for _, id := range slices.Sorted(maps.Keys(h.states)) {
		word := " " + id + "=" + string(h.states[id])
		if len(text)+len(word) > longestHint {
			texts, text = append(texts, text), server
		}
		text += word
	}
	h.tokens = false
	clear(h.states)
	return append(texts, text)
}

// receive delivers a notification to the subscribers, unless it is this server's own.
func (h *hints) receive(server, text string) {
	words := strings.Fields(text)
	if len(words) == 0 || words[0] == server {
		return
	}
	var hint store.Hint
	for _, word := range words[1:] {
		id, state, payment := strings.Cut(word, "=")
		if !payment {
			hint.Tokens = hint.Tokens || word == tokensWord
			continue
		}
		if known, err := ledger.ParseTransactionID(id); err == nil {
			hint.Payments = append(hint.Payments, store.Progress{ID: known, State: store.State(state)})
		}
	}
	h.deliver(hint)
}

func (h *hints) deliver(hint store.Hint) {
	h.mu.Lock()
	hearers := slices.Collect(maps.Values(h.subscribers))
	h.mu.Unlock()
	for _, see := range hearers {
		see(hint)
	}
}

func (h *hints) subscribe(see func(store.Hint)) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.number++
	n := h.number
	h.subscribers[n] = see
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subscribers, n)
	}
}

const (
	// hintPause is the pause between two hints: what is changed meanwhile goes into one.
	hintPause = 5 * time.Millisecond

	// listenPause is the pause between attempts to listen.
	listenPause = time.Second

	// notifyHint runs on its own, after the commit: within one it would take a lock that all servers wait for. Nobody
	// waits for it to reach the disk, or a standby.
	notifyHint = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('billfold', ?)`
)

// SubscribeHints calls notify with what other servers changed.
func (f *file) SubscribeHints(notify func(store.Hint)) (stop func()) {
	return f.hints.subscribe(notify)
}

// sendHints notifies the other servers of this one's changes, until ctx ends. A notification that fails is not repeated,
// because the others also poll.
func (f *file) sendHints(ctx context.Context) {
	for {
		select {
		case <-f.hints.wake:
		case <-ctx.Done():
			return
		}
		for _, text := range f.hints.take(f.Server()) {
			limited, cancel := context.WithTimeout(ctx, f.config.ConnectTimeout)
			_, _ = f.notifier.ExecContext(limited, notifyHint, text)
			cancel()
		}
		select {
		case <-time.After(hintPause):
		case <-ctx.Done():
			return
		}
	}
}

// listen receives what other servers announce, until ctx ends.
func (f *file) listen(ctx context.Context) {
	for {
		if err := f.listenOnce(ctx); ctx.Err() != nil {
			return
		} else if err != nil {
			f.opt.Logger.Debug("store: cannot listen to other servers", "error", err)
		}
		select {
		case <-time.After(listenPause):
		case <-ctx.Done():
			return
		}
	}
}

// listenOnce receives hints over one connection, until it breaks or ctx ends.
func (f *file) listenOnce(ctx context.Context) error {
	c, err := pgx.ConnectConfig(context.WithValue(ctx, dialing{}, true), sessionConfig(f.config, "listen"))
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing was written
	if _, err := c.Exec(ctx, `LISTEN billfold`); err != nil {
		return err
	}
	f.hints.deliver(store.Hint{Missed: true})
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		f.hints.receive(f.Server(), n.Payload)
	}
}
