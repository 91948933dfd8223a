package tui

import (
	"cmp"
	"slices"

	"billfold/tui/action"
	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/copymenu"
	"billfold/tui/overlay/help"
	"billfold/tui/overlay/palette"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// maxPopups is the maximum number of stacked pop-ups.
const maxPopups = 2

// stack is all pages, the one that is shown, and the pop-ups over it.
type stack struct {
	screens   map[screen.ID]screen.Screen
	page      screen.ID
	popups    []screen.Screen
	trail     []wayBack // the cards that esc leads back to, the latest last
	lastShown shown     // what was in front after the last message: see followFront
	held      *heldKey
}

// shown is the owner of the keyboard: a screen, and the place in it. A page and its text fields count as one place.
type shown struct {
	front screen.Screen
	place string
}

// heldKey is a key that is held back until it is known that it came alone, and where it was pressed.
type heldKey struct {
	id    action.ID
	where shown
}

// front returns what has the keyboard: the top pop-up, or the page.
func (s *stack) front() screen.Screen {
	if n := len(s.popups); n > 0 {
		return s.popups[n-1]
	}
	return s.screens[s.page]
}

// push puts a pop-up over the rest, unless maxPopups are open.
func (s *stack) push(p screen.Screen) {
	if len(s.popups) < maxPopups {
		s.popups = append(s.popups, p)
	}
}

// pop closes the top pop-up and reports whether there was one.
func (s *stack) pop() bool {
	if len(s.popups) == 0 {
		return false
	}
	s.popups = s.popups[:len(s.popups)-1]
	return true
}

// show brings a page to the front and closes all pop-ups.
func (s *stack) show(id screen.ID) { s.page, s.popups = id, nil }

// typing reports whether letters are text now.
func (s *stack) typing() bool {
	_, mode := s.front().Place()
	return mode == screen.TYPE
}

// markedPage returns the page that is marked in the nav row: for a review, the page that asked for it, although Send shows it.
func (s *stack) markedPage() screen.ID {
	if s.page != screen.Send {
		return s.page
	}
	return cmp.Or((s.screens[screen.Send].(*send.Model)).OpenedBy(), screen.Send)
}

// crumb returns the path to what is in front.
func (s *stack) crumb() string {
	text := s.screens[s.page].Crumb()
	if len(s.popups) > 0 {
		text += " " + theme.SignCrumb + " " + s.front().Crumb()
	}
	return text
}

// whyOff returns why an action is not possible now; empty if it is.
func (s *stack) whyOff(env screen.Env, id action.ID) string {
	if f := s.askForm(); f != nil { // the form has its own keys, not the page's
		return f.Off(id)
	}
	if l, ok := s.front().(screen.Limiter); ok {
		return l.Off(env, id)
	}
	return ""
}

// askForm returns the form that has the keyboard; nil if none has.
func (s *stack) askForm() *ask.Form {
	if a, may := s.front().(ask.Asker); may {
		return a.Asking()
	}
	return nil
}

// withWords returns a place with the words that its keys have in front now.
func (s *stack) withWords(env screen.Env, here action.Place) action.Place {
	say := func(action.ID) string { return "" }
	if words, is := s.front().(screen.Worder); is {
		say = func(do action.ID) string { return words.Word(env, do) }
	}
	if f := s.askForm(); f != nil {
		say = f.Say
	}
	here.Actions = slices.Clone(here.Actions)
	for i := range here.Actions {
		a := &here.Actions[i]
		a.Word = cmp.Or(say(a.ID), a.Word)
	}
	return here
}

// publish passes an event of the wallet to every page, so that one that comes to the front later is not stale; only the page that is
// shown gets block events.
func (s *stack) publish(env screen.Env, e event.Event) tea.Cmd {
	var cmds []tea.Cmd
	for id, page := range s.screens {
		if id == s.page || e.Kind != event.Block {
			cmds = append(cmds, page.Update(env, e))
		}
	}
	return tea.Batch(cmds...)
}

// banner returns the standing condition that all pages show; the first page has its own lines for that.
func (s *stack) banner(env screen.Env) canvas.Line {
	if s.page == screen.FirstRun {
		return nil
	}
	return frame.Banner(env)
}

// lookForUnread sends a block event to the pages that count unread items, as if they were shown.
func (s *stack) lookForUnread(env screen.Env) tea.Cmd {
	var cmds []tea.Cmd
	for id, page := range s.screens {
		if _, has := page.(screen.UnreadCounter); has && id != s.page {
			cmds = append(cmds, page.Update(env, event.Event{Kind: event.Block}))
		}
	}
	return tea.Batch(cmds...)
}

// withUnread marks the pages that have something unread.
func (s *stack) withUnread(list []frame.Page) []frame.Page {
	for i := range list {
		if n, has := s.screens[list[i].ID].(screen.UnreadCounter); has {
			list[i].Unread = n.Unread() > 0
		}
	}
	return list
}

// stillWanted reports whether what a page asked to open is still wanted: a review that took long to build is not, if its page was
// left.
func (s *stack) stillWanted(with any) bool {
	spend, is := with.(screen.Spend)
	return !is || s.page == spend.Back || s.page == screen.FirstRun // which leads back to an earlier page
}

// typingPayment reports whether the account in focus must not change on its own: on any page but Home, a payment of that account may
// be half typed.
func (s *stack) typingPayment() bool { return s.page != screen.Home }

// showHelp opens the help for what is in front.
func (s *stack) showHelp(table action.Table) {
	if place, _ := s.front().Place(); !help.Is(place) {
		s.push(help.New(table, place))
	}
}

// showCopies opens the menu of what can be copied from the thing in focus, and reports whether there is anything.
func (s *stack) showCopies(env screen.Env) bool {
	copier, ok := s.front().(screen.Copier)
	if !ok {
		return false
	}
	values := copier.Copies(env)
	if len(values) > 0 {
		s.push(copymenu.New(values))
	}
	return len(values) > 0
}

// showPalette opens the palette, except over pop-ups and the pages before a wallet is open. It is nil where none was opened.
func (s *stack) showPalette(env screen.Env, table action.Table, core Core) *palette.Model {
	if len(s.popups) > 0 || s.page == screen.Unlock || s.page == screen.FirstRun {
		return nil
	}
	place, _ := s.front().Place()
	pop := palette.New(palette.Sources{Table: table, Place: place, Pages: pagesWithKeys(table), Env: env,
		Settings: settingNames(core), Calls: operationNames(core), Off: func(id action.ID) string { return s.whyOff(env, id) }})
	s.push(pop)
	return pop
}
