package messages

import (
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doNew     action.ID = "messages.new"
	doFind    action.ID = "messages.find"
	doAgain   action.ID = "messages.again"
	doUnread  action.ID = "messages.unread"
	doHide    action.ID = "messages.hide"
	doKind    action.ID = "messages.kind"
	doWrite   action.ID = "messages.write"
	doReview  action.ID = "messages.review"
	doContact action.ID = "messages.contact"
	doNewLine action.ID = "messages.newline"
	doCard    action.ID = "messages.card"
)

// Places returns the page's keys: those in the list, in a conversation, and while something is typed.
func Places() []action.Place {
	about := []action.Action{
		{ID: doNew, Keys: []string{"n"}, Word: "new", Help: "write to another account", Hint: 2},
		{ID: doUnread, Keys: []string{"u"}, Word: "unread", Help: "mark the conversation as unread", Hint: 4},
		{ID: doAgain, Keys: []string{"m"}, Help: "read and decrypt again"},
		{ID: doCard, Keys: []string{"a"}, Help: "account card of the other side"},
		{ID: doContact, Keys: []string{"s"}, Help: "save the other side as a contact"},
		{ID: doHide, Keys: []string{"x"}, Help: "hide the conversation here until a new message comes"},
	}
	return []action.Place{
		{ID: "messages", Title: "Messages", Actions: append([]action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the conversation; it counts as read", Hint: 1},
			{ID: doFind, Keys: []string{"/"}, Word: "find", Help: "find by name, id or text", Hint: 3},
			{ID: "esc", Keys: []string{"esc"}, Help: "clear the filter; back", Typing: true},
		}, about...)},
		{ID: "messages.talk", Title: "Conversation", Actions: append([]action.Action{
			{ID: doWrite, Keys: []string{"i", "enter"}, Word: "write", Help: "write a message", Hint: 1},
			{ID: "esc", Keys: []string{"esc"}, Word: "to the list", Help: "back to the list", Hint: 3, Typing: true},
		}, about...)},
		{ID: "messages.type", Title: "Message, typing", Actions: []action.Action{
			{ID: doReview, Keys: []string{"enter"}, Word: "review", Help: "build the message and review it; S in there sends it", Hint: 1, Typing: true},
			{ID: doNewLine, Keys: []string{"alt+enter", "ctrl+j"}, Word: "new line", Help: "new line", Hint: 2, Typing: true},
			{ID: doKind, Keys: []string{"ctrl+t"}, Word: "kind", Help: "encrypted, plain", Hint: 3, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "to list", Help: "back to the list, keep the text", Hint: 4, Typing: true},
		}},
		{ID: "messages.find", Title: "Messages, finding", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter", "tab"}, Word: "to the list", Help: "go to what was found", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "all", Help: "all conversations again", Hint: 2, Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, there := m.conversation()
	switch {
	case do == doNew && len(env.Accounts) == 0:
		return "this wallet has no account yet"
	case !there && (do == "enter" || do == doUnread || do == doHide || do == doWrite || do == doContact || do == doCard):
		return "there is no message"
	case do == doFind && len(m.conversations) == 0:
		return "there is no message"
	case do == doReview && !env.Live(), do == doNew && !env.Online():
		return env.NoNode()
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.form.Form != nil && id == "next":
		m.takeSuggested(env)
		return nil
	case m.form.Form != nil:
		return m.form.Do(env, m.form.Form.Do(id))
	case m.finding:
		return m.doFinding(id)
	case m.writing.live:
		return m.doTyping(env, id)
	case m.focus == panelTalk && m.scroll(env, id):
		return nil
	case m.focus == panelList && m.cursor.Do(id, len(m.filtered())):
		m.showAtCursor()
		return nil
	}
	switch id {
	case "next", "prev":
		m.focus = (m.focus + 1) % panels
	case "refresh", doAgain:
		return m.readConversations(env)
	case doFind:
		m.finding, m.focus = true, panelList
	case "esc":
		return m.back()
	default:
		return m.perform(env, id)
	}
	return nil
}

// back leaves the conversation, then the filter, then the page.
func (m *Model) back() tea.Cmd {
	switch {
	case m.focus == panelTalk:
		m.focus = panelList
	case !m.filter.Empty():
		m.filter.Set("")
		m.restoreCursor()
	default:
		return screen.Request(screen.Back{})
	}
	return nil
}

// perform does what needs a conversation, an account or a node.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return toast("Not now: " + why)
	}
	c, _ := m.conversation()
	switch id {
	case "enter":
		m.focus = panelTalk
		return tea.Batch(m.focusBox(env), m.setMark(env, Read(c)))
	case doWrite:
		if !env.Unlocked() {
			return screen.Request(screen.NeedUnlock{})
		}
		return m.focusBox(env)
	case doNew:
		if !env.Unlocked() {
			return screen.Request(screen.NeedUnlock{})
		}
		openRecipientForm(env, &m.form, m.core)
	case doCard:
		return screen.Request(screen.ShowAccount{Account: c.With})
	case doContact:
		return screen.Request(screen.Navigate{To: screen.Contacts, With: screen.NewContact{Account: c.With}})
	case doUnread:
		return m.setMark(env, Unread(c))
	case doHide:
		return tea.Batch(m.setMark(env, Hidden(c)), toast("Hidden here until a new message comes"))
	}
	return nil
}

func (m *Model) doTyping(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case doReview:
		return m.buildMessage(env)
	case doNewLine:
		m.writing.box.Key(tea.KeyMsg{Type: tea.KeyCtrlJ})
	case doKind:
		m.writing.plain = !m.writing.plain
	case "esc":
		m.writing.live, m.focus = false, panelList
	}
	return nil
}

func (m *Model) doFinding(id action.ID) tea.Cmd {
	switch id {
	case "enter":
		m.finding = false
	case "esc":
		m.finding = false
		m.filter.Set("")
	case "clear":
		m.filter.Set("")
	}
	m.cursor = list.Cursor{}
	m.showAtCursor()
	return nil
}
