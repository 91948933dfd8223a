package messages

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// setMark saves a mark, and shows it at once.
func (m *Model) setMark(env screen.Env, mark message.Mark) tea.Cmd {
	if mark.Account == 0 {
		return nil
	}
	for i := range m.conversations {
		if c := &m.conversations[i]; c.With.ID == mark.Other {
			if c.Mark == mark {
				return nil
			}
			c.Mark = mark
		}
	}
	if mark.ShownFrom > 0 {
		m.dropHidden()
	}
	return m.tasks.Start(env, topicMark, readLimit, func(ctx context.Context) (any, error) { return nil, m.core.Box.Mark(ctx, mark) })
}

// startMessage shows the conversation with an account, which may be new, and focuses the box.
func (m *Model) startMessage(env screen.Env, to ledgerview.AccountRef) {
	m.filter.Set("")
	if m.with.ID != to.ID {
		m.showConversation(to)
	}
	m.focus, m.writing.open = panelTalk, true
	m.focusBox(env)
	m.restoreCursor()
}

// openRecipientForm opens the form for the recipient of a new message.
func openRecipientForm(env screen.Env, work *ask.Work, core Core) {
	form := &ask.Form{Title: "New message", Word: "write", Text: []canvas.Line{
		canvas.In(theme.Muted, "A message is an operation on the ledger and costs a fee. It is encrypted to the recipient's memo key."),
	}, Fields: []ask.Field{{Label: "To"}}, Keep: true}
	form.Missing = func(values []string) string {
		if strings.TrimSpace(values[0]) == "" {
			return "type the name or id of an account"
		}
		return ""
	}
	work.Open(form, "Looking", func(ctx context.Context, values []string) (any, error) {
		found, err := core.Finder.Named(ctx, strings.ToLower(strings.TrimSpace(values[0])))
		if err != nil {
			return nil, err
		}
		return recipient{found, Paid(ctx, env, core.Past, found)}, nil
	})
}

// dropHidden takes hidden conversations off the list.
func (m *Model) dropHidden() {
	var left []message.Conversation
	for _, c := range m.conversations {
		if last, is := c.Last(); is && last.Number() >= c.Mark.ShownFrom {
			left = append(left, c)
		}
	}
	if len(left) < len(m.conversations) {
		m.conversations, m.focus = left, panelList
		m.with = ledgerview.AccountRef{}
		m.showAtCursor()
	}
}

// conversations are those of an account, and what Paid returns about the other sides.
type conversations struct {
	all  []message.Conversation
	paid map[ledger.AccountID]bool
}

// readConversations starts reading the conversations of the account in focus.
func (m *Model) readConversations(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(topicRead); busy || len(env.Accounts) == 0 || !env.Online() {
		return nil
	}
	m.askedAt = env.Now
	account := m.account
	return m.tasks.Start(env, topicRead, readLimit, func(ctx context.Context) (any, error) {
		all, err := m.core.Box.Conversations(ctx, account, maxMessages)
		if err != nil {
			return nil, err
		}
		with := make([]ledgerview.AccountRef, len(all))
		for i, c := range all {
			with[i] = c.With
		}
		return conversations{all, Paid(ctx, env, m.core.Past, with...)}, nil
	})
}

// buildMessage starts building the message; its review opens once it is built.
func (m *Model) buildMessage(env screen.Env) tea.Cmd {
	w := &m.writing
	if _, busy := m.tasks.Busy(topicBuild); busy {
		return nil
	}
	w.fault = w.box.Fault()
	switch {
	case w.fault != "":
		return nil
	case w.box.Empty():
		w.fault = "write something first"
		return nil
	case !env.Live():
		w.fault = "not now: no node is live"
		return nil
	}
	req := txbuild.MessageParams{From: env.Account.ID.String(), To: []string{m.with.ID.String()}, Text: w.box.Value()}
	plain, state, number := w.plain, w.state, w.draft
	return m.tasks.Start(env, topicBuild, screen.BuildLimit, func(ctx context.Context) (any, error) {
		built, err := m.core.Writer.Write(ctx, req, plain)
		if _, others := built.(screen.Unsigned); others || err != nil { // the text stays in the box: others have to sign and send it
			return built, err
		}
		return state.track(built, number), nil
	})
}

// openReview opens the review of what was built, or shows why nothing was.
func (m *Model) openReview(msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		m.writing.fault = advice.Sentence(msg.Err)
		return nil
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: msg.Body.(screen.Built), Back: screen.Messages}})
}

// focusBox opens and focuses the box, if the wallet is unlocked and can sign for the account in focus.
func (m *Model) focusBox(env screen.Env) tea.Cmd {
	if own, listed := env.Listed(env.Account.ID); !env.Unlocked() || !listed || !own.CanSign() {
		return nil
	}
	m.writing.open, m.writing.live, m.scrolledUp = true, true, 0
	return nil
}

func toast(text string) tea.Cmd { return screen.Request(screen.Toast{Line: canvas.Text(text)}) }

// Read returns the mark of a conversation all of which is read.
func Read(c message.Conversation) message.Mark {
	if last, is := c.Last(); is {
		c.Mark.UnreadFrom = last.Number() + 1
	}
	return c.Mark
}

// Unread returns the mark of a conversation in which the latest message from the other side is unread.
func Unread(c message.Conversation) message.Mark {
	for _, item := range c.Items {
		if item.From.ID == c.With.ID {
			c.Mark.UnreadFrom = item.Number()
		}
	}
	return c.Mark
}

// Hidden returns the mark of a conversation that is hidden until a new message comes.
func Hidden(c message.Conversation) message.Mark {
	c.Mark = Read(c)
	c.Mark.ShownFrom = c.Mark.UnreadFrom
	return c.Mark
}

// Holds reports whether the account or a message of a conversation contains text, which is in lower case.
func Holds(c message.Conversation, text string) bool {
	if strings.Contains(c.With.Name, text) || strings.Contains(c.With.ID.String(), text) {
		return true
	}
	for _, item := range c.Items {
		if strings.Contains(strings.ToLower(item.Text), text) {
			return true
		}
	}
	return false
}
