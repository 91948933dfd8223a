package messages

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
	"billfold/walletcore/vault"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := layout.MessageScreen(a.W, a.H, env.PanelClass())
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Single || m.focus == panelList {
		m.drawList(env, at(p.List))
	}
	if !p.Single || m.focus == panelTalk {
		m.drawTalk(env, at(p.Talk))
	}
	if m.form.Form != nil {
		m.form.Form.Draw(env, a)
	}
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	title := canvas.Join(canvas.Text("Conversations"), env.AsOf(m.readAt))
	if title.Width()+6 > a.W { // the banner shows it as well
		title = title[:1]
	}
	p := panel.Panel{ID: panelList, Focus: m.focus == panelList, Title: title,
		State: canvas.In(theme.Muted, format.Count(len(m.conversations))), Foot: "n new · / find"}
	in := p.Draw(env, a)
	if m.finding || !m.filter.Empty() {
		in.Put(2, 0, canvas.In(theme.Muted, "/ "))
		in.Put(4, 0, m.filter.Line(in.W-6, m.finding))
		in = in.Below(1)
	}
	shown := m.filtered()
	if len(shown) == 0 {
		panel.Put(in, 0, m.emptyText(env))
		return
	}
	gap := in.H >= 3*len(shown)
	p.Rows(in, &m.cursor, len(shown), func(i int) []canvas.Line {
		lines := m.listEntry(env, shown[i], in.W-4)
		if gap && i < len(shown)-1 {
			lines = append(lines, nil)
		}
		return lines
	})
}

// listEntry returns a conversation as the list shows it: the other side, how much is new, and the newest text.
func (m *Model) listEntry(env screen.Env, c message.Conversation, w int) []canvas.Line {
	who := format.Account(c.With)
	var mark canvas.Line
	if n := c.Unread(); n > 0 {
		mark = canvas.In(theme.Info, fmt.Sprintf("%s %d", theme.SignNew, n))
	}
	if _, is := LookAlike(env, c.With, m.paid); is {
		mark = canvas.Join(mark, canvas.Bold(theme.Warn, " "+theme.SignCareful))
	}
	lines := who.Wrap(max(w-mark.Width()-1, 8))
	lines[0] = canvas.Join(lines[0].Pad(w-mark.Width()), mark)
	if text := m.unsentText(c.With.ID); text != "" && env.Unlocked() {
		return append(lines, canvas.In(theme.Warn, canvas.Cut("not sent: "+format.Clean(text), w)))
	}
	last, _ := c.Last()
	return append(lines, briefLine(last, w))
}

// unsentText returns what was typed to an account and not sent; empty while it is being typed.
func (m *Model) unsentText(with ledger.AccountID) string {
	switch u, is := m.writing.unsent.byPair[pair{m.account, with}]; {
	case with == m.with.ID && (m.writing.live || m.writing.box.Empty() || m.writing.state.is(statusSent)):
		return ""
	case with == m.with.ID:
		return m.writing.box.Value()
	case is && !u.empty():
		return u.text
	}
	return ""
}

// briefLine returns a message in one line.
func briefLine(item message.Item, w int) canvas.Line {
	switch item.State {
	case vault.MemoOpen, vault.MemoPlain:
		return format.Quote(item.Text, w)
	case vault.MemoNone, vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
	}
	return canvas.In(theme.Muted, canvas.Cut(unreadableText(item.State), w))
}

// unreadableText returns why a text cannot be shown.
func unreadableText(state vault.MemoState) string {
	switch state {
	case vault.MemoLocked:
		return "locked"
	case vault.MemoDamaged:
		return "damaged: checksum does not match"
	case vault.MemoForeign:
		return "encrypted, not for a key in this wallet"
	case vault.MemoNone, vault.MemoOpen, vault.MemoPlain:
	}
	return "no text"
}

// emptyText returns what stands in place of the rows while the list has none.
func (m *Model) emptyText(env screen.Env) canvas.Line {
	switch {
	case len(env.Accounts) == 0:
		return canvas.Text("This wallet has no account yet. On Home, i imports a key.")
	case len(m.conversations) > 0:
		return canvas.Text("No conversation matches. esc shows all.")
	case m.fault != nil:
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text("Messages cannot be read. "),
			canvas.In(theme.Muted, advice.Sentence(m.fault)+" = picks a node that offers messaging."))
	case m.readAt.IsZero() && !env.Live():
		return canvas.In(theme.Muted, "Messages cannot be read now: no node is live.")
	case m.readAt.IsZero():
		return canvas.In(theme.Pending, env.Spinner()+" Reading messages …")
	}
	return canvas.Text("No messages. n writes one; it is encrypted to the recipient's memo key.")
}

// minBoxRows is the least height of the box: its frame, a row of text, and the note below.
const minBoxRows = 4

func (m *Model) drawTalk(env screen.Env, a canvas.Area) {
	c, there := m.conversation()
	title := canvas.Text("Conversation")
	var state canvas.Line
	if there {
		title, state = format.Account(c.With), m.relationText(env, c.With)
	}
	foot := "i write · esc to the list"
	if m.writing.live {
		foot = "↵ review · alt+↵ new line · ctrl+t " + map[bool]string{true: "encrypted", false: "plain"}[m.writing.plain]
	}
	in := panel.Panel{ID: panelTalk, Focus: m.focus == panelTalk, Title: title, State: state, Foot: foot}.Draw(env, a)
	if !there {
		panel.Put(in, 0, canvas.In(theme.Muted, "The messages of the conversation in focus appear here."))
		return
	}
	if h := m.boxRows(in.W, in.H); h > 0 && env.Unlocked() {
		m.drawBox(in.Sub(0, in.H-h, in.W, h))
		in = in.Top(in.H - h)
	}
	lines := m.conversationLines(env, c, in.W-4)
	top := max(len(lines)-in.H-m.scrolledUp, 0)
	for y := 0; y < in.H && top+y < len(lines); y++ {
		in.Put(2, y, lines[top+y])
	}
	list.Scroll(in, top, min(in.H, len(lines)), len(lines))
}

// boxRows returns how many of h rows the box takes; 0 while it is closed and empty, or if it has no room.
func (m *Model) boxRows(w, h int) int {
	if !m.writing.open && m.writing.box.Empty() || h <= minBoxRows {
		return 0
	}
	return min(2+len(m.boxNote(w-4))+min(m.writing.box.Height(w-7), max(h/3, 1)), h-1)
}

// boxNote returns the kind and size of the message in the box, or why it was not built, w cells wide.
func (m *Model) boxNote(w int) []canvas.Line {
	w = max(w, 2)
	text := &m.writing
	size := format.Bytes(len(text.box.Value()))
	switch {
	case text.fault != "":
		lines := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(text.fault)).Wrap(w)
		return lines[:min(len(lines), 3)]
	case text.plain:
		return canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" plain, anyone can read it, for ever"),
			canvas.In(theme.Muted, " · "+size)).Wrap(w)
	}
	return canvas.In(theme.Muted, "encrypted · "+size+" · the review shows the fee").Wrap(w)
}

// drawBox draws the box with the message, and the note below.
func (m *Model) drawBox(a canvas.Area) {
	about := m.boxNote(a.W - 4)
	frame := canvas.Frame{Title: canvas.Join(canvas.Text("To "), format.Account(m.with)), Heavy: m.writing.live}
	in := a.Sub(1, 0, a.W-2, a.H-len(about)).Box(frame)
	m.writing.box.Draw(in.Inset(1, 0), m.writing.live)
	for i, l := range about {
		a.Put(2, a.H-len(about)+i, l)
	}
}

// conversationLines returns a whole conversation, w cells wide.
func (m *Model) conversationLines(env screen.Env, c message.Conversation, w int) (out []canvas.Line) {
	day := ""
	for _, item := range c.Items {
		if on := env.Times().LongDay(item.At.Time()) + ", " + env.Times().Zone(item.At.Time()); on != day {
			day = on
			label := "── " + on + " ──"
			out = append(out, canvas.In(theme.Muted, strings.Repeat(" ", max((w-canvas.Width(label))/2, 0))+label), nil)
		}
		out = append(append(out, messageLines(env, c, item, w)...), nil)
	}
	if len(c.Items) == 0 {
		out = append(out, canvas.In(theme.Muted, "No message yet."))
	}
	return out
}

// messageLines returns one message: when it was sent, by whom, how, and its text.
func messageLines(env screen.Env, c message.Conversation, item message.Item, w int) []canvas.Line {
	head := canvas.Join(canvas.In(theme.Muted, env.Times().Minute(item.At.Time())+"  "), format.Name(item.From))
	if len(item.To) > 1 {
		head = canvas.Join(head, canvas.In(theme.Muted, fmt.Sprintf(" to %d accounts", len(item.To))))
	}
	switch item.State {
	case vault.MemoPlain:
		head = canvas.Join(head, canvas.In(theme.Warn, "  plain "+theme.SignCareful+" anyone can read this"))
	case vault.MemoOpen, vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged, vault.MemoNone:
		head = canvas.Join(head, canvas.In(theme.Muted, "  encrypted"))
	}
	if item.Doubtful {
		head = canvas.Join(head, canvas.Bold(theme.Warn, "  "+theme.SignCareful+" named by the node, not by the key"))
	}
	if c.IsNew(item) {
		if fresh := canvas.In(theme.Info, theme.SignNew+" new"); head.Width()+fresh.Width()+2 <= w {
			head = canvas.Join(head.Pad(w-fresh.Width()), fresh)
		} else {
			head = canvas.Join(head, canvas.Text(" "), fresh)
		}
	}
	switch item.State {
	case vault.MemoOpen, vault.MemoPlain:
		return append(head.Wrap(w), format.Gutter(item.Text, w)...)
	case vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged, vault.MemoNone:
	}
	return append(head.Wrap(w), canvas.In(theme.Muted, unreadableText(item.State)))
}

// scroll scrolls the conversation and reports whether the key does that.
func (m *Model) scroll(env screen.Env, id action.ID) bool {
	c, there := m.conversation()
	p := layout.MessageScreen(env.W, env.H, env.PanelClass()).Talk
	rows, room := 0, max(p.H-2-m.boxRows(p.W-2, p.H-2), 1)
	if there {
		rows = len(m.conversationLines(env, c, max(p.W-6, 8)))
	}
	most := max(rows-room, 0)
	lines := list.Cursor{At: most - m.scrolledUp}
	if !lines.Do(id, most+1) {
		return false
	}
	m.scrolledUp = most - lines.At
	return true
}

// relationText returns who the other side is to this wallet: an own account, a contact, a look-alike, or neither.
func (m *Model) relationText(env screen.Env, a ledgerview.AccountRef) canvas.Line {
	if env.Owns(a.ID) {
		return canvas.In(theme.OK, theme.SignDone+" yours")
	}
	if _, saved := env.Contact(a.ID); saved {
		return canvas.In(theme.OK, theme.SignDone+" contact")
	}
	if like, is := LookAlike(env, a, m.paid); is {
		return canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" looks like "), format.Account(like))
	}
	return canvas.In(theme.Muted, "no contact")
}
