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
	saveLimit     = 5 * time.Second        // how long the program waits for the disk when it ends
	lockSaveLimit = 200 * time.Millisecond // how long it waits when the wallet locks
	lockNear      = 10 * time.Second       // how long before an automatic lock what is typed is saved
)

// unsaved returns what was typed and would be lost if the program ended, a sentence each.
func (s *stack) unsaved(env screen.Env) (out []string) {
	for _, one := range []string{
		(s.screens[screen.Send].(*send.Model)).Unsaved(env),
		(s.screens[screen.Messages].(*messages.Model)).Unsaved(env),
		(s.screens[screen.Send].(*send.Model)).Waiting(),
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

// saveTyped saves what was typed and is useful later, however the program ends; it works even if ctx is done. saved says what was
// saved, a sentence each.
func (s *stack) saveTyped(ctx context.Context, env screen.Env, limit time.Duration) (saved []string, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	payment, unpaid := send.Keep(ctx, env, s.screens[screen.Send].(*send.Model))
	message, unwritten := messages.Keep(ctx, env, s.screens[screen.Messages].(*messages.Model))
	for _, one := range []string{payment, message} {
		if one != "" {
			saved = append(saved, one)
		}
	}
	return saved, errors.Join(unpaid, unwritten)
}

// saveBeforeLock saves what is half typed while the wallet is still open: a lock leaves it on the pages, but a locked program may be
// quit as well. What the disk does not accept in time stays on the pages only.
func saveBeforeLock(m *Model) {
	if m.env.Unlocked() {
		_, _ = m.saveTyped(m.ctx, m.env, lockSaveLimit)
	}
}
