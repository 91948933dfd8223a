package tui

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"billfold/tui/page/messages"
	"billfold/tui/page/send"
	"billfold/tui/screen"
)

const (
	keepLimit = 5 * time.Second        // how long the end of the program waits for the disk
	lockLimit = 200 * time.Millisecond // how long a lock does
	lockNear  = 10 * time.Second       // how long before it locks by itself the wallet keeps what is typed
)

// unsaved returns what was typed and is lost when the program ends, a sentence each.
func (s *stack) unsaved(env screen.Env) (out []string) {
	for _, one := range []string{
		send.Unsaved(env, s.screens[screen.Send].(*send.Model)),
		messages.Unsaved(env, s.screens[screen.Messages].(*messages.Model)),
	} {
		if one != "" {
			out = append(out, one)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.screens)) {
		if h, is := s.screens[id].(screen.Holder); is && h.Unsaved() != "" {
			out = append(out, h.Unsaved())
		}
	}
	return out
}

// keep saves what was typed and is of use later, however the program ends; ctx may have ended by then. told says what is kept, a
// sentence each.
func (s *stack) keep(ctx context.Context, env screen.Env, limit time.Duration) (told []string, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	payment, unpaid := send.Keep(ctx, env, s.screens[screen.Send].(*send.Model))
	message, unwritten := messages.Keep(ctx, env, s.screens[screen.Messages].(*messages.Model))
	for _, one := range []string{payment, message} {
		if one != "" {
			told = append(told, one)
		}
	}
	return told, errors.Join(unpaid, unwritten)
}

// keepBeforeLock saves what is half typed while the wallet can: it stays on the pages, but a locked program may be ended as well. What
// the disk does not take in time is kept by the pages alone.
func keepBeforeLock(m *Model) {
	if m.env.Unlocked() {
		_, _ = m.keep(m.ctx, m.env, lockLimit)
	}
}
