package messages

import (
	"context"
	"maps"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// readDrafts starts reading, once per account, the messages that were kept when the program ended.
func (m *Model) readDrafts(env screen.Env) tea.Cmd {
	account := m.account
	if _, busy := m.tasks.Busy(topicDrafts); busy || !env.Unlocked() || account == 0 || m.writing.unsent.accountsRead[account] {
		return nil
	}
	keeper, finder := m.core.Drafts, m.core.Finder
	return m.tasks.Start(env, topicDrafts, readLimit, func(ctx context.Context) (any, error) {
		kept, err := keeper.Messages(ctx, account)
		out := drafts{account: account}
		for _, one := range kept {
			to, err := finder.Named(ctx, one.To.String())
			if err != nil {
				to = ledgerview.AccountRef{ID: one.To}
			}
			out.messages = append(out.messages, unsent{to: to, text: one.Text, plain: one.Plain, draft: one.Number,
				saved: content(one.Text, one.Plain), state: new(sendState)})
		}
		return out, err
	})
}

// drafts are the kept messages of an account.
type drafts struct {
	account  ledger.AccountID
	messages []unsent // newest first
}

// restoreDrafts puts kept messages back into their conversations and shows the newest one.
func (m *Model) restoreDrafts(d drafts) tea.Cmd {
	m.writing.stash(m.account, m.with)
	m.writing.unsent.accountsRead[d.account] = true
	var restored []string
	for _, u := range d.messages {
		at := pair{d.account, u.to.ID}
		if _, typed := m.writing.unsent.byPair[at]; !typed {
			m.writing.unsent.byPair[at] = u
			restored = append(restored, format.Name(u.to).String())
		}
	}
	if len(restored) == 0 || d.account != m.account {
		return nil
	}
	if m.writing.box.Empty() && !m.writing.live {
		m.with = ledgerview.AccountRef{}
		m.showConversation(d.messages[0].to)
		if _, listed := m.conversation(); !listed {
			m.focus = panelTalk
		}
		m.writing.open = true
		m.restoreCursor()
	}
	return screen.Request(screen.Toast{Line: canvas.In(theme.Info, theme.SignNew+" Not sent yet: your message to "+
		strings.Join(restored, ", ")+"; it is in its conversation")})
}

// Resume implements screen.Resumer: messages that were typed and not sent come back into the boxes of their conversations,
// and so does the form for a recipient.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.form.Resume(before.form)
	before.writing.stash(before.account, before.with)
	m.writing.unsent = before.writing.unsent.clone()
	m.account, m.with, m.focus, m.scrolledUp = before.account, before.with, before.focus, before.scrolledUp
	if before.writing.box.Empty() || before.writing.state.is(statusSent) {
		return
	}
	m.account, m.with, m.focus = before.account, before.with, panelTalk
	m.writing.unstash(m.account, m.with) // the box opens once the wallet is unlocked
}

// Unsaved returns a warning about a message that is lost when the program ends, because Keep cannot keep it; empty if there is none.
func (m *Model) Unsaved(env screen.Env) string {
	m.writing.stash(m.account, m.with)
	for _, at := range slices.SortedFunc(maps.Keys(m.writing.unsent.byPair), func(a, b pair) int { return int(a.with) - int(b.with) }) {
		switch u := m.writing.unsent.byPair[at]; {
		case u.empty() || u.state.is(statusSending) || u.draft != 0 && u.content() == u.saved:
		case ledger.SecretIn(u.text) != "":
			return "A message to " + format.Name(u.to).String() + " is not sent, and is not kept: it holds " + ledger.SecretIn(u.text) + "."
		case !env.Unlocked():
			return "A message to " + format.Name(u.to).String() + " is not sent; only an unlocked wallet can keep it as a draft."
		}
	}
	return ""
}

// Keep saves the messages that were typed and not sent as drafts, before the program ends. Nothing else may call the page meanwhile.
// The report names the recipients of the messages that were saved; it is empty if there are none.
func Keep(ctx context.Context, env screen.Env, m *Model) (report string, err error) {
	m.writing.stash(m.account, m.with)
	var to []string
	for at, u := range m.writing.unsent.byPair {
		number, err := screen.Within(ctx, func(ctx context.Context) (int64, error) { return saveDraft(ctx, env, m.core.Drafts, at.own, u) })
		if err != nil {
			return "", err
		}
		if number != 0 && number != u.draft {
			to = append(to, format.Name(u.to).String())
		}
		if u.draft, u.saved = number, u.content(); at == (pair{m.account, m.with.ID}) {
			m.writing.draft, m.writing.saved = u.draft, u.saved
		}
		m.writing.unsent.byPair[at] = u
	}
	if len(to) == 0 {
		return "", nil
	}
	slices.Sort(to)
	return "What you wrote to " + strings.Join(to, ", ") + " and did not send is kept: it is in its conversation on Messages.", nil
}

// saveDraft saves one message in place of its earlier draft and returns its number; 0 if it is not kept.
func saveDraft(ctx context.Context, env screen.Env, keeper Keeper, own ledger.AccountID, u unsent) (number int64, err error) {
	switch {
	case u.empty() && u.draft != 0:
		_, err := keeper.Drop(ctx, u.draft)
		return 0, err
	case u.empty(), u.state.is(statusSending), u.draft != 0 && u.content() == u.saved, ledger.SecretIn(u.text) != "", !env.Unlocked():
		return u.draft, nil
	}
	number, err = keeper.SaveMessage(ctx, own, draft.Message{To: u.to.ID, Text: u.text, Plain: u.plain})
	if err == nil && u.draft != 0 {
		_, err = keeper.Drop(ctx, u.draft)
	}
	return number, err
}
