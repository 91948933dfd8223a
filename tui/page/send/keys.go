package send

import (
	"strings"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
	"billfold/walletcore/commandline"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doSign    action.ID = "review.sign"
	doPropose action.ID = "review.propose"
	doSave    action.ID = "review.save"
)

// Places returns the keys of form, drafts, review and sending.
func Places() []action.Place {
	return append(formPlaces(),
		draftsPlace(),
		action.Place{ID: "review", Title: "Review", Modal: true, Actions: append([]action.Action{
			{ID: doSign, Keys: []string{"S"}, Word: "sign", Help: "sign what is shown, and do what the button says", Hint: 1, Money: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, nothing lost", Hint: 2, Typing: true},
			{ID: doLater, Keys: []string{"l"}, Word: "later", Help: "approve it now, to leave at a time", Hint: 3},
			{ID: doPropose, Keys: []string{"p"}, Word: "propose instead", Help: "make it a proposal that others approve", Hint: 5},
			{ID: doSave, Keys: []string{"w"}, Word: "save unsigned", Help: "save what is shown unsigned to a file, for others to sign", Hint: 6},
			oldestRequest(),
		}, review.Keys(false)...)},
		filePlace(),
		action.Place{ID: "review.type", Title: "Review, typing", Modal: true, Actions: append([]action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, nothing lost", Hint: 1, Typing: true},
		}, review.Keys(true)...)},
		sendingPlace())
}

// filePlace returns the keys of the review of what this wallet may not sign alone.
func filePlace() action.Place {
	return action.Place{ID: "review.file", Title: "Review of a file", Modal: true, Actions: append([]action.Action{
		{ID: doSave, Keys: []string{"w"}, Word: "save unsigned", Help: "save what is shown unsigned to a file, for others to sign", Hint: 1},
		{ID: doPropose, Keys: []string{"p"}, Word: "propose instead", Help: "make it a proposal that others approve", Hint: 3},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, nothing lost", Hint: 2, Typing: true},
		oldestRequest(),
	}, review.Keys(false)...)}
}

// oldestRequest returns the action that opens a program's request over a review: the request may not wait until that is read.
func oldestRequest() action.Action {
	return action.Action{ID: "approval.oldest", Keys: []string{"!"}, Help: "oldest RPC approval; the review stays"}
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch m.stage {
	case stageReview:
		return m.doReview(env, id)
	case stageSending:
		return m.doSending(env, id)
	case stageDrafts:
		return m.leaveDrafts(m.drafts.do(env, id))
	}
	return m.doForm(env, id)
}

func (m *Model) doForm(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case id == "esc" && reviewBuilding(m.tasks):
		return stopBuilding(m.tasks, "The review was not opened")
	case id == "send.drafts":
		return m.openDrafts(env)
	case id == "send.review", id == "enter" && m.form.typing && (m.form.focus == fieldMemo || m.form.focus == fieldLabel):
		return m.buildPayment(env)
	case id == "refresh":
		m.form.recipients.searchedFor = ""
		return m.readSurroundings(env)
	}
	return m.form.do(env, id)
}

// openDrafts shows the drafts of the account.
func (m *Model) openDrafts(env screen.Env) tea.Cmd {
	if !env.Unlocked() { // drafts are encrypted with the wallet
		return screen.Request(screen.NeedUnlock{})
	}
	m.stage = stageDrafts
	return m.drafts.open(env)
}

// leaveDrafts returns to the form if the list of drafts is left.
func (m *Model) leaveDrafts(cmd tea.Cmd, leave bool) tea.Cmd {
	if leave {
		m.stage = stageForm
	}
	return cmd
}

func (m *Model) doReview(env screen.Env, id action.ID) tea.Cmd {
	if m.later.Form != nil {
		return m.later.Do(env, m.later.Form.Do(id))
	}
	switch id {
	case doLater:
		return m.askWhen(env)
	case "esc":
		if m.review.Raw() {
			return m.review.Do(env, "review.raw")
		}
		return m.cancelReview()
	case doSign:
		return m.sign(env)
	case doPropose:
		return m.propose(env)
	case doSave:
		return m.saveUnsigned(env)
	}
	return m.review.Do(env, id)
}

func (m *Model) doSending(env screen.Env, id action.ID) tea.Cmd {
	if m.labelForm.Form != nil {
		return m.labelForm.Do(env, m.labelForm.Form.Do(id))
	}
	switch id {
	case doLabel:
		return m.labelForm.open(env, &m.sending)
	case "esc":
		return m.leaveSending(env)
	case "up", "pgup":
		m.sending.scroll(env, -1)
	case "down", "pgdn":
		m.sending.scroll(env, 1)
	case doResend:
		return m.sending.resend(env)
	case "sending.again":
		return m.repeat(env)
	case doKeep:
		if who, is := m.sending.unsavedRecipient(env); is {
			return screen.Request(screen.Navigate{To: screen.Contacts, With: screen.NewContact{Account: who}})
		}
	case "enter":
		if !m.sending.busy {
			return screen.Request(screen.Navigate{To: screen.History})
		}
	}
	return nil
}

// typeKey types a key into the field in focus; in the review, into the confirmation.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch m.stage {
	case stageReview:
		if m.later.Form != nil {
			m.later.Form.Type(k)
			return nil
		}
		return m.review.Text(env, k)
	case stageForm:
		return m.form.typeKey(env, k)
	case stageSending:
		if m.labelForm.Form != nil {
			m.labelForm.Form.Type(k)
		}
	}
	return nil
}

func (m *Model) click(env screen.Env, c screen.Click) tea.Cmd {
	switch m.stage {
	case stageDrafts:
		m.drafts.jump(c.At)
	case stageReview:
		if m.later.Form != nil {
			m.later.Form.Click(c)
		}
	case stageSending:
		if m.labelForm.Form != nil {
			m.labelForm.Form.Click(c)
		}
	case stageForm:
		return m.form.click(env, c)
	}
	return nil
}

// Copies implements screen.Copier: the values of the payment that was sent.
func (m *Model) Copies(env screen.Env) []screen.Value {
	if m.stage != stageSending || !m.sending.idKnown {
		return nil
	}
	for _, p := range env.Payments {
		if p.ID == m.sending.id {
			return rows.CopiesOf(p)
		}
	}
	return nil
}

// Call implements screen.Caller: the operation makes the payment that was sent once more.
func (m *Model) Call(env screen.Env) string {
	if m.stage != stageSending {
		return ""
	}
	r := m.sending.shownReview(env)
	to := r.To.Name
	if to == "" {
		to = r.ToObject.String()
	}
	if !r.Pays() || !strings.HasPrefix(r.Operation, "transfer ") {
		return ""
	}
	return commandline.Write([]string{"transfer", r.From.Name, to}) + " " + format.Digits(r.Asset, r.Amount) + " " +
		commandline.Write([]string{r.Asset.Symbol, r.Memo}) + " true"
}
