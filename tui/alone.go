package tui

import (
	"time"

	"billfold/tui/action"
	"billfold/tui/screen"
)

// alone is how long nothing may follow a key that signs, approves or deletes: in a paste that the terminal does not mark, more does.
const alone = 50 * time.Millisecond

// hold keeps such a key until it is known that it came alone.
func (s *stack) hold(id action.ID) *heldKey {
	place, _ := s.front().Place()
	s.held = &heldKey{id, shown{s.front(), place}}
	return s.held
}

// overtake drops a key that was held: what follows it so soon belongs to it, and the quiet begins anew.
func (s *stack) overtake(env *screen.Env) {
	if s.held != nil {
		s.held, env.Since = nil, env.Now
	}
}

// stands reports whether a key came alone, and what it was pressed for is still in front.
func (s *stack) stands(k *heldKey) bool {
	place, _ := s.front().Place()
	still := s.held == k && k.where == shown{s.front(), place}
	if s.held == k {
		s.held = nil
	}
	return still
}
