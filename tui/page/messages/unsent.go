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

// readDrafts asks once for the messages that were kept when the program ended.
func readDrafts(m *Model, env screen.Env) tea.Cmd {
	account := m.account
	if _, busy := m.tasks.Busy(topicDrafts); busy || !env.Unlocked() || account == 0 || m.writing.begun.read[account] {
		return nil
	}
	keeper, finder := m.core.Drafts, m.core.Finder
	return m.tasks.Start(env, topicDrafts, askLimit, func(ctx context.Context) (any, error) {
		kept, err := keeper.Messages(ctx, account)
		out := drafts{of: account}
		for _, one := range kept {
			to, err := finder.Named(ctx, one.To.String())
			if err != nil {
				to = ledgerview.AccountRef{ID: one.To}
			}
			out.kept = append(out.kept, unsent{to: to, text: one.Text, plain: one.Plain, draft: one.Number,
				kept: typed(one.Text, one.Plain), sent: new(fate)})
		}
		return out, err
	})
}

// drafts are the messages of an account that were kept.
type drafts struct {
	of   ledger.AccountID
	kept []unsent // newest first
}

// take puts kept messages back, each into its conversation, and turns to the newest one.
func take(m *Model, d drafts) tea.Cmd {
	m.writing.stash(m.account, m.with)
	m.writing.begun.read[d.of] = true
	var back []string
	for _, u := range d.kept {
		at := pair{d.of, u.to.ID}
		if _, typed := m.writing.begun.texts[at]; !typed {
			m.writing.begun.texts[at] = u
			back = append(back, format.Name(u.to).String())
		}
	}
	if len(back) == 0 || d.of != m.account {
		return nil
	}
	if m.writing.box.Empty() && !m.writing.live {
		m.with = ledgerview.AccountRef{}
		m.turn(d.kept[0].to)
		if _, listed := m.talk(); !listed {
			m.focus = panelTalk
		}
		m.writing.open = true
		m.keep()
	}
	return screen.Request(screen.Toast{Line: canvas.In(theme.Info, theme.SignNew+" Not sent yet: your message to "+
		strings.Join(back, ", ")+"; it stands in its conversation")})
}

// Resume implements screen.Resumer: messages that were written and not sent stand in the boxes of their conversations
// again, and so does for whom a new one is.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.form.Resume(before.form)
	before.writing.stash(before.account, before.with)
	m.writing.begun = before.writing.begun.clone()
	if before.writing.box.Empty() || before.writing.sent.is(onItsWay) {
		return
	}
	m.account, m.with, m.focus = before.account, before.with, panelTalk
	m.writing.unstash(m.account, m.with) // it opens with the wallet
}

// Unsaved returns what of a page is lost when the program ends, because Keep cannot keep it; empty is nothing.
func Unsaved(env screen.Env, m *Model) string {
	m.writing.stash(m.account, m.with)
	for _, at := range slices.SortedFunc(maps.Keys(m.writing.begun.texts), func(a, b pair) int { return int(a.with) - int(b.with) }) {
		switch u := m.writing.begun.texts[at]; {
		case u.empty() || u.sent.is(leaving) || u.draft != 0 && u.typed() == u.kept:
		case ledger.HoldsWIF(u.text):
			return "A message to " + format.Name(u.to).String() + " is not sent, and is not kept: it holds a private key."
		case !env.Unlocked():
			return "A message to " + format.Name(u.to).String() + " is not sent; only an open wallet can keep it as a draft."
		}
	}
	return ""
}

// Keep saves as drafts the messages that were begun and not sent, before the program ends. It is called where no other call is made.
// told says to whom those are that were saved; empty is none.
func Keep(ctx context.Context, env screen.Env, m *Model) (told string, err error) {
	m.writing.stash(m.account, m.with)
	var to []string
	for at, u := range m.writing.begun.texts {
		number, err := screen.Within(ctx, func(ctx context.Context) (int64, error) { return keep(ctx, env, m.core.Drafts, at.own, u) })
		if err != nil {
			return "", err
		}
		if number != 0 && number != u.draft {
			to = append(to, format.Name(u.to).String())
		}
		if u.draft, u.kept = number, u.typed(); at == (pair{m.account, m.with.ID}) {
			m.writing.draft, m.writing.kept = u.draft, u.kept
		}
		m.writing.begun.texts[at] = u
	}
	if len(to) == 0 {
		return "", nil
	}
	slices.Sort(to)
	return "What you wrote to " + strings.Join(to, ", ") + " and did not send is kept: it stands in its conversation on Messages.", nil
}

// keep saves one message, in place of what was kept of it, and returns its number; 0 is none.
func keep(ctx context.Context, env screen.Env, keeper Keeper, own ledger.AccountID, u unsent) (number int64, err error) {
	switch {
	case u.empty() && u.draft != 0:
		_, err := keeper.Drop(ctx, u.draft)
		return 0, err
	case u.empty(), u.sent.is(leaving), u.draft != 0 && u.typed() == u.kept, ledger.HoldsWIF(u.text), !env.Unlocked():
		return u.draft, nil
	}
	number, err = keeper.SaveMessage(ctx, own, draft.Message{To: u.to.ID, Text: u.text, Plain: u.plain})
	if err == nil && u.draft != 0 {
		_, err = keeper.Drop(ctx, u.draft)
	}
	return number, err
}
