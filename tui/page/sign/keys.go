package sign

import (
	"billfold/tui/action"
	"billfold/tui/overlay/card"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/proposal"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doApprove  action.ID = "sign.approve"
	doWithdraw action.ID = "sign.withdraw"
	doNew      action.ID = "sign.new"
	doJSON     action.ID = "sign.json"
	doTree     action.ID = "sign.tree"
	doOrder    action.ID = "sign.order"
	doFilter   action.ID = "sign.filter"
	doOpen     action.ID = "sign.open"
	doSign     action.ID = "sign.file.sign"
	doSend     action.ID = "sign.file.send"
)

// Places returns the page's keys: those of the proposals, of the fields, and of a file.
func Places() []action.Place {
	return []action.Place{
		{ID: "sign", Title: "Sign", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the card of the proposal in focus", Hint: 1},
			{ID: doApprove, Keys: []string{"a"}, Word: "approve…", Help: "approve: opens the review", Hint: 2},
			{ID: doWithdraw, Keys: []string{"d"}, Word: "withdraw approval…", Help: "take your approval back: opens the review", Hint: 3},
			{ID: doNew, Keys: []string{"n"}, Word: "new", Help: "new proposal: a payment that others approve", Hint: 4},
			{ID: doJSON, Keys: []string{"v"}, Word: "json", Help: "JSON of the operations, or words again", Hint: 5},
			{ID: doTree, Keys: []string{"u"}, Word: "x-ray", Help: "who acts for the accounts that still must approve", Hint: 6},
			{ID: doOrder, Keys: []string{"o"}, Help: "order: ends first, newest first"},
			{ID: doFilter, Keys: []string{"/"}, Help: "filter by id, account or words"},
			{ID: doOpen, Keys: []string{"f"}, Word: "file", Help: "open a transaction file that several sign", Hint: 7},
			{ID: "esc", Keys: []string{"esc"}, Help: "back to the list; clear the filter; back to Home", Typing: true},
		}},
		{ID: "sign.type", Title: "Sign, filter", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter", "tab"}, Word: "to the list", Help: "go to what was found", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "all", Help: "all proposals again", Hint: 2, Typing: true},
		}},
		{ID: "sign.path", Title: "Sign, file name", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the file", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the proposals", Hint: 2, Typing: true},
		}},
		{ID: "sign.file", Title: "Transaction file", Modal: true, Actions: append([]action.Action{
			{ID: doSign, Keys: []string{"S"}, Word: "sign the file", Help: "add the signatures of this wallet, into a new file", Hint: 1, Money: true},
			{ID: doSend, Keys: []string{"b"}, Word: "send…", Help: "send it, once it has all signatures: opens the review", Hint: 2},
			{ID: "copy", Keys: []string{"y"}, Help: "copy the file's name or the transaction id"},
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the proposals, sign nothing", Hint: 3, Typing: true},
		}, review.Keys(false)...)},
		{ID: "sign.file.type", Title: "Transaction file, typing", Modal: true, Actions: append([]action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the proposals, sign nothing", Hint: 1, Typing: true},
		}, review.Keys(true)...)},
	}
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.typing == inPath:
		return m.doPath(env, id)
	case m.typing == inFilter:
		return m.doTyping(id)
	case m.file != nil:
		return m.doFile(env, id)
	}
	if m.move(env, id) {
		return nil
	}
	switch id {
	case "next", "prev":
		m.focus = (m.focus + 1) % panels
	case "enter":
		return m.openCard(env)
	case "refresh":
		return m.readProposals(env)
	case doFilter:
		m.typing, m.focus = inFilter, panelList
	case doOpen:
		m.typing, m.note = inPath, ""
	case doOrder:
		m.newest = !m.newest
	case doTree:
		m.tree, m.asJSON = !m.tree, false
	case doJSON:
		m.asJSON, m.scrolled = !m.asJSON, 0
	case doNew:
		return m.startProposal(env)
	case doApprove, doWithdraw:
		return m.buildApproval(env, id)
	case "esc":
		return m.back()
	}
	return nil
}

// openCard opens the card of the proposal in focus.
func (m *Model) openCard(env screen.Env) tea.Cmd {
	p, there := m.focused()
	if !there {
		return screen.NotNow(m.Off(env, "enter"))
	}
	off := func(env screen.Env, do action.ID) string {
		if now, there := m.focused(); !there || now.ID != p.ID {
			return "the proposal is not on the list any more"
		}
		return m.Off(env, do)
	}
	return screen.Request(card.Show{Card: card.Card{Title: "Proposal card", Rows: func(env screen.Env) []card.Row { return Rows(env, p) },
		Can: func(env screen.Env) []card.Offer {
			return []card.Offer{{Do: card.Approve, Off: off(env, doApprove), Then: screen.Command{ID: doApprove}},
				{Do: card.Withdraw, Off: off(env, doWithdraw), Then: screen.Command{ID: doWithdraw}}}
		}, Copies: m.Copies(env)}})
}

// move moves through the list or scrolls the detail, and reports whether the key does that.
func (m *Model) move(env screen.Env, id action.ID) bool {
	if m.focus == panelDetail {
		lines := list.Cursor{At: m.scrolled}
		if !lines.Do(id, max(len(m.detailLines(env, m.detailWidth(env)))-m.detailRows(env)+1, 1)) {
			return false
		}
		m.scrolled = lines.At
		return true
	}
	if !m.cursor.Do(id, len(m.filtered())) {
		return false
	}
	m.scrolled, m.note = 0, ""
	return true
}

// back leaves the detail, then the filter, then the page.
func (m *Model) back() tea.Cmd {
	switch {
	case m.asJSON:
		m.asJSON, m.scrolled = false, 0
	case m.focus == panelDetail:
		m.focus = panelList
	case !m.filter.Empty():
		m.filter.Set("")
	default:
		return screen.Request(screen.Back{})
	}
	return nil
}

func (m *Model) doTyping(id action.ID) tea.Cmd {
	switch id {
	case "enter":
		m.typing = nowhere
	case "esc":
		m.typing = nowhere
		m.filter.Set("")
	case "clear":
		m.filter.Set("")
	}
	m.cursor = list.Cursor{}
	return nil
}

// startProposal opens the form of a payment that is proposed. If no account of the wallet can pay for a proposal, it opens the form of a
// payment, which becomes a file.
func (m *Model) startProposal(env screen.Env) tea.Cmd {
	if payerID(env) != "" {
		return screen.Request(screen.Navigate{To: screen.Send, With: screen.Proposal{}})
	}
	const next = "No account here can pay for a proposal: fill in the payment, and its review saves it as a file that others sign"
	return tea.Batch(screen.Request(screen.Navigate{To: screen.Send, With: screen.Pay{}}), screen.Request(screen.Toast{Urgent: true, Line: canvas.Text(next)}))
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	if m.file != nil {
		return m.file.off(env, do)
	}
	p, there := m.focused()
	switch do {
	case doFilter:
		if len(m.proposals) == 0 {
			return "there is no proposal"
		}
	case "enter":
		if !there && m.typing == nowhere {
			return "there is no proposal"
		}
	case doApprove, doWithdraw, doJSON, doTree:
		if !there {
			return "there is no proposal"
		}
	}
	if do != doApprove && do != doWithdraw {
		return ""
	}
	switch {
	case !env.Online():
		return env.NoNode()
	case env.Status.Stale:
		return "the node is behind"
	case payerID(env) == "":
		return noPayer
	case do == doApprove:
		return whyNoApproval(p, env)
	case p.Take.Empty():
		return "there is no approval of yours"
	}
	return ""
}

// whyNoApproval returns why this wallet cannot approve a proposal now; empty if it can.
func whyNoApproval(p proposal.Proposal, env screen.Env) string {
	switch {
	case p.Closed(chainTime(env)):
		return "its review period has begun: approvals can only be taken back"
	case p.Enough:
		return "it has all approvals that it needs"
	case p.Give.Empty() && !p.Take.Empty():
		return "you have approved it"
	case p.Give.Empty():
		return "no key in this wallet can approve it"
	}
	return ""
}
