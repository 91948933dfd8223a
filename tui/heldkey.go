package tui

import (
	"time"

	"billfold/tui/action"
	"billfold/tui/screen"
)

// aloneTime is the time for which nothing may follow a key that signs, approves or deletes: in a paste that the terminal does not
// mark, something would.
const aloneTime = 50 * time.Millisecond

// hold holds back such a key until it is known that it came alone.
func (s *stack) hold(id action.ID) *heldKey {
	place, _ := s.front().Place()
	s.held = &heldKey{id, shown{s.front(), place}}
	return s.held
}

// dropHeldKey drops a key that was held back, because a key that follows it so soon belongs to the same input, as does the next one.
func (s *stack) dropHeldKey(env *screen.Env) {
	if s.held != nil {
		s.held, env.StrayAt = nil, env.Now
	}
}

// cameAlone reports whether a held key came alone and what it was pressed for is still in front.
func (s *stack) cameAlone(k *heldKey) bool {
	place, _ := s.front().Place()
	still := s.held == k && k.where == shown{s.front(), place}
	if s.held == k {
		s.held = nil
	}
	return still
}
