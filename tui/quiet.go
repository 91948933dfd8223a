package tui

import (
	"strings"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// settle begins the quiet anew where something else came to the front: keys that are on their way were meant for what was there
// before. Its command draws what decides again when it is over.
func (s *stack) settle(env *screen.Env, table action.Table, said *toasts) tea.Cmd {
	place, _ := s.front().Place()
	now := shown{s.front(), strings.TrimSuffix(place, ".type")}
	if now == s.was {
		return nil
	}
	s.was = now
	if here := table.At(now.place); here.Modal {
		said.covered()
	}
	return disturb(env, table.At(now.place))
}

// disturb begins the quiet anew.
func disturb(env *screen.Env, here action.Place) tea.Cmd {
	env.Since = env.Now
	if !decides(here) {
		return nil
	}
	return screen.Request(screen.Wake{In: screen.Quiet})
}

// decides reports whether a place has the keyboard for itself and a key in it signs, approves, deletes or quits.
func decides(p action.Place) bool {
	if p.ID == quitPlace {
		return true
	}
	if !p.Modal {
		return false
	}
	for _, a := range p.Actions {
		if a.Money {
			return true
		}
	}
	return false
}

// meantElsewhere reports whether a key is not to be heard, and why in a command: it may have been meant for what was in front
// before, or for nothing here. Keys that type nothing, such as esc and arrows, are always heard, and so is text in a field once
// it was quiet.
func (s *stack) meantElsewhere(env *screen.Env, table action.Table, k tea.KeyMsg) (cmd tea.Cmd, deaf bool) {
	place, mode := s.front().Place()
	here := table.At(strings.TrimSuffix(place, ".type"))
	a, bound := table.Find(place, k.String(), mode == screen.TYPE)
	if !bound { // a field may be in front of what decides, and the key meant for that
		a, _ = table.Find(here.ID, k.String(), false)
	}
	typed := k.Type == tea.KeyRunes || k.Type == tea.KeySpace || k.Type == tea.KeyEnter || k.Type == tea.KeyBackspace
	quiet := env.Quiet()
	switch {
	case !decides(here) && !a.Money, !typed, quiet && (bound || mode == screen.TYPE || held(k)):
		return nil, false
	case decides(here) && (a.Money || quiet): // of what signs its button says why
		return disturb(env, here), true
	}
	return tea.Batch(disturb(env, here), screen.Request(screen.Toast{Urgent: true, Here: true,
		Line: canvas.Text("Not heard: this opened just now; press the key again")})), true
}

// held reports whether a key is held down: the same letter over and over.
func held(k tea.KeyMsg) bool {
	return len(k.Runes) > 1 && strings.Trim(string(k.Runes), string(k.Runes[:1])) == ""
}
