package send

import (
	"context"
	"fmt"
	"path/filepath"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"

	tea "github.com/charmbracelet/bubbletea"
)

// look asks the core what a file of the payment would hold: the keys here may not act for the account, and no account
// of this wallet can pay for a proposal.
func look(env screen.Env, m *Model) tea.Cmd {
	req := m.form.request(env)
	return m.tasks.Start(env, topicLook, askLimit, func(ctx context.Context) (any, error) { return m.proposer.Look(ctx, req) })
}

// looked turns to the review of the file.
func looked(env screen.Env, m *Model, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return unbuilt(m, msg.Err)
	}
	m.form.typing, m.back, m.proposal, m.prepared, m.stage = true, "", false, nil, stageReview
	m.review = FilePage(env, msg.Body.(build.Review), "w")
	return m.review.Wake()
}

// FilePage is the review of a payment that becomes a file; key is what writes it.
func FilePage(env screen.Env, r build.Review, key string) review.Page {
	next := "No key of this wallet counts for it: save it, and give the file to those who sign. " +
		"The page Sign sends it once it has all signatures."
	if len(r.SignsWith) > 0 {
		next = "Save it, and sign the file on the page Sign too. " +
			"The signature of this wallet alone is not enough: give it to the others then."
	}
	return review.New(env, r, review.Prompt{Key: key, Word: "Save unsigned", Back: "Back, change it",
		Intro: "The keys in this wallet may not sign this alone. It becomes a file that others sign:",
		Life:  "1 h after you save it",
		Below: []review.Row{
			{Label: "Next", Line: canvas.Text(next)},
			{Label: "Proposal", Line: canvas.In(theme.Muted, "none: no account of this wallet can pay the fee of a proposal")},
		}})
}

// savedRow says where the file is.
func savedRow(file Saved) review.Row {
	return review.Row{Label: "Saved", Line: canvas.In(theme.OK, theme.SignDone+" "+format.Clean(file.Path)+
		", to be sent by "+format.Clock(file.Until.Time())+" UTC")}
}

// noFile is why the payment of the form cannot be saved unsigned.
func noFile(env screen.Env, m *Model) string {
	switch {
	case m.back != "":
		return "only a payment of the form can be saved"
	case !env.Online():
		return "no node answers"
	}
	return ""
}

// noSave is noFile, and in the review of a file why that is not written yet.
func noSave(env screen.Env, m *Model) string {
	if written(m) {
		return m.review.Blocked(env)
	}
	return noFile(env, m)
}

// save has the payment of the form written to a file, unsigned.
func (m *Model) save(env screen.Env) tea.Cmd {
	if why := noSave(env, m); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("w is off: " + why)})
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	req := m.form.request(env)
	return m.tasks.Start(env, "unsigned", askLimit, func(ctx context.Context) (any, error) { return m.proposer.Unsigned(ctx, req) })
}

// saved says where the file is.
func (m *Model) saved(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Said(msg.Err))})
	}
	file, _ := msg.Body.(Saved)
	if written(m) { // the toast goes, and the file is all that there is of the payment
		m.review.Add(env, savedRow(file))
	}
	return screen.Request(screen.Toast{Line: canvas.Text(fmt.Sprintf("Saved unsigned: %s, to be sent by %s UTC",
		format.Clean(filepath.Base(file.Path)), format.Clock(file.Until.Time())))})
}
