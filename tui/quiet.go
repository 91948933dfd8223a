package tui

import (
	"strings"
	"time"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// followFront restarts the quiet if something else came to the front: keys that are still arriving were meant for what was there
// before. Its command redraws a decision when the quiet is over.
func (s *stack) followFront(env *screen.Env, table action.Table, said *toasts) tea.Cmd {
	place, _ := s.front().Place()
	now := shown{s.front(), strings.TrimSuffix(place, ".type")}
	if now == s.lastShown {
		return nil
	}
	s.lastShown = now
	if here := table.At(now.place); here.Modal {
		said.clearAnswer()
	}
	return restartQuiet(env, table.At(now.place))
}

// restartQuiet restarts the quiet.
func restartQuiet(env *screen.Env, here action.Place) tea.Cmd {
	env.QuietSince = env.Now
	if !isDecision(here) {
		return nil
	}
	return screen.Request(screen.Wake{In: screen.Quiet})
}

// isDecision reports whether a place has the keyboard for itself and has a key that signs, approves, deletes or quits.
func isDecision(p action.Place) bool {
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

// aloneBefore is the time for which nothing may have been typed before a key that signs, approves or deletes: whoever types a text at
// a review pauses less between two letters.
const aloneBefore = 200 * time.Millisecond

// rejectEarlyKey reports whether a key is ignored, because it may have been meant for what was in front before, or for nothing here;
// its command says why. Keys that are still arriving when a decision opens lengthen its quiet; once it is over, a key without a
// meaning only keeps the one that signs from following it at once. Keys that type nothing, such as esc and arrows, are never ignored,
// and neither is text in a field once the quiet is over.
func (s *stack) rejectEarlyKey(env *screen.Env, table action.Table, k tea.KeyMsg) (cmd tea.Cmd, ignored bool) {
	place, mode := s.front().Place()
	here := table.At(strings.TrimSuffix(place, ".type"))
	a, bound := table.Find(place, k.String(), mode == screen.TYPE)
	if !bound { // a field may cover the decision that the key is meant for
		a, _ = table.Find(here.ID, k.String(), false)
	}
	typed := k.Type == tea.KeyRunes || k.Type == tea.KeySpace || k.Type == tea.KeyEnter || k.Type == tea.KeyBackspace
	quiet := env.Quiet()
	switch {
	case !isDecision(here) && !a.Money, !typed:
		return nil, false
	case quiet && a.Money && bound && env.Now.Sub(env.StrayAt) < aloneBefore:
		env.StrayAt = time.Time{} // it is shown why: pressed again, the key works
		return ignoredKey(k, "it came right after other keys"), true
	case quiet && (bound || mode == screen.TYPE || isHeldDown(k)):
		return nil, false
	case quiet:
		env.StrayAt = env.Now
		return nil, true
	case isDecision(here) && a.Money: // the button that signs shows why
		return restartQuiet(env, here), true
	case !bound:
		return restartQuiet(env, here), true
	}
	return tea.Batch(restartQuiet(env, here), ignoredKey(k, "it came while this opened")), true
}

// ignoredKey shows why a key did nothing.
func ignoredKey(k tea.KeyMsg, why string) tea.Cmd {
	return screen.Request(screen.Toast{Urgent: true, Here: true, Line: canvas.Text(k.String() + " did nothing: " + why + ". Press it again")})
}

// isHeldDown reports whether a key is held down: the same letter over and over.
func isHeldDown(k tea.KeyMsg) bool {
	return len(k.Runes) > 1 && strings.Trim(string(k.Runes), string(k.Runes[:1])) == ""
}
