package send

import (
	"billfold/tui/action"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// The actions that more than one file names.
const (
	doSign   action.ID = "review.sign"
	doResend action.ID = "sending.resend"
)

// Places are the keys of form, review and sending.
func Places() []action.Place {
	return []action.Place{
		{ID: "send.type", Title: "Send form, typing", Actions: []action.Action{
			{ID: "next", Keys: []string{"tab"}, Word: "next", Help: "next field", Hint: 1, Typing: true},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "last field", Typing: true},
			{ID: "send.review", Keys: []string{"ctrl+s"}, Word: "review", Help: "build the payment and review it", Hint: 2, Typing: true},
			{ID: "send.most", Keys: []string{"ctrl+g"}, Word: "max", Help: "all there is, less the fee", Hint: 3, Typing: true},
			{ID: "send.kind", Keys: []string{"ctrl+t"}, Word: "memo kind", Help: "memo encrypted, plain", Hint: 4, Typing: true},
			{ID: "send.clear", Keys: []string{"ctrl+x"}, Word: "clear", Help: "clear the form; again brings it back", Hint: 5, Typing: true},
			{ID: "enter", Keys: []string{"enter"}, Help: "take the suggestion, next field; in the memo: review", Typing: true},
			{ID: "send.up", Keys: []string{"up"}, Show: "↑↓", Help: "choose a suggestion or an asset", Typing: true},
			{ID: "send.down", Keys: []string{"down"}, Help: "choose a suggestion or an asset", Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Help: "leave the field, keep its text", Typing: true},
		}},
		{ID: "send.form", Title: "Send form", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "edit", Help: "edit the field", Hint: 1},
			{ID: "send.edit", Keys: []string{"i"}, Help: "edit the field"},
			{ID: "send.review", Keys: []string{"s", "ctrl+s"}, Word: "review", Help: "build the payment and review it", Hint: 2},
			{ID: "send.drafts", Keys: []string{"d"}, Word: "drafts", Help: "drafts: keep what is typed, take what was kept", Hint: 3},
			{ID: "send.clear", Keys: []string{"x", "ctrl+x"}, Word: "clear", Help: "clear the form; again brings it back", Hint: 4},
		}},
		draftKeys(),
		{ID: "review", Title: "Review", Modal: true, Actions: append([]action.Action{
			{ID: doSign, Keys: []string{"S"}, Word: "sign and send", Help: "sign and send what is shown", Hint: 1, Money: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, nothing lost", Hint: 2, Typing: true},
		}, review.Keys(false)...)},
		{ID: "review.type", Title: "Review, typing", Modal: true, Actions: append([]action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, nothing lost", Hint: 1, Typing: true},
		}, review.Keys(true)...)},
		{ID: "sending", Title: "Sending", Actions: []action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "leave", Help: "leave; progress goes on and stays on Home", Hint: 1, Typing: true},
			{ID: doResend, Keys: []string{"r"}, Word: "re-send same bytes", Help: "re-send the same signed bytes, only while unknown", Hint: 2},
			{ID: "sending.again", Keys: []string{"b"}, Word: "new payment like this", Help: "another payment like this: fills the form", Hint: 3},
			{ID: "enter", Keys: []string{"enter"}, Word: "history", Help: "open the history", Hint: 4},
		}},
	}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.stage == stageSending:
		return "sending", screen.KEYS
	case m.stage == stageDrafts:
		return "send.drafts", screen.KEYS
	case m.stage == stageReview && m.review.Typing():
		return "review.type", screen.TYPE
	case m.stage == stageReview:
		return "review", screen.MODAL
	case m.typing:
		return "send.type", screen.TYPE
	}
	return "send.form", screen.KEYS
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch m.stage {
	case stageReview:
		return m.doReview(env, id)
	case stageSending:
		return m.doSending(env, id)
	case stageDrafts:
		return m.doDrafts(env, id)
	}
	return m.doForm(env, id)
}

func (m *Model) doForm(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "next", "down":
		m.turn(1)
		return m.lookAgain(env)
	case "prev", "up":
		m.turn(-1)
		return m.lookAgain(env)
	case "send.up", "send.down":
		m.choose(env, id)
	case "send.edit":
		m.typing = true
	case "send.drafts":
		return m.openDrafts(env)
	case "send.review":
		return m.build(env)
	case "send.most":
		m.most()
	case "send.kind":
		m.plain = !m.plain
	case "send.clear":
		m.clear()
	case "clear":
		if m.typing {
			m.fields[m.focus].Set("")
		}
	case "enter":
		return m.enter(env)
	case "esc":
		if !m.typing {
			return screen.Request(screen.Back{})
		}
		m.typing = false
	case "refresh":
		m.foundFor = ""
		return m.readAround(env)
	}
	return nil
}

func (m *Model) turn(by int) {
	m.focus = (m.focus + fieldID(by) + fieldCount) % fieldCount
	m.pick = list.Cursor{}
}

// choose moves in the suggestions, or steps through the assets held.
func (m *Model) choose(env screen.Env, id action.ID) {
	by := 1
	if id == "send.up" {
		by = -1
	}
	switch m.focus {
	case fieldTo:
		m.pick.Move(by, len(m.suggestions(env)))
	case fieldAsset:
		m.stepAsset(by)
	default:
		m.turn(by)
	}
}

func (m *Model) stepAsset(by int) {
	n := len(m.balances)
	if n == 0 {
		return
	}
	at := 0
	now, _ := m.balance()
	for i, b := range m.balances {
		if b.Asset.ID == now.Asset.ID {
			at = i + by
		}
	}
	m.fields[fieldAsset].Set(m.balances[(at+n)%n].Asset.Symbol)
}

// enter goes on: into the field, to the next one, or to the review.
func (m *Model) enter(env screen.Env) tea.Cmd {
	if !m.typing {
		m.typing = true
		return nil
	}
	var cmd tea.Cmd
	switch m.focus {
	case fieldTo:
		if _, ok, _ := m.recipient(env); !ok {
			cmd = m.take(env)
		}
	case fieldMemo:
		return m.build(env)
	}
	m.turn(1)
	return cmd
}

// typeKey types into the field in focus; in the review, into the confirmation.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	if m.stage == stageReview {
		return m.review.Text(env, k)
	}
	if m.stage != stageForm || !m.fields[m.focus].Key(k) {
		return nil
	}
	m.fault = ""
	switch m.focus {
	case fieldTo:
		m.pick = list.Cursor{}
		return m.look(env)
	case fieldAmount:
		m.followSymbol()
	case fieldAsset:
		return m.lookAsset(env)
	}
	return nil
}

// click puts the focus on a field, or takes a suggestion.
func (m *Model) click(env screen.Env, r screen.Click) tea.Cmd {
	switch {
	case m.stage == stageDrafts && r.Panel == clickDraft:
		m.drafts.at.Jump(r.At, len(m.drafts.forms)+1)
	case m.stage != stageForm:
	case r.Panel == clickField:
		m.focus, m.typing = fieldID(r.At), true
	case r.Panel == clickSuggestion:
		m.pick.Jump(r.At, len(m.suggestions(env)))
		return m.take(env)
	}
	return nil
}

// What a click in the form may hit.
const (
	clickField = iota
	clickSuggestion
	clickDraft
)
