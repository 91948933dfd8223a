package send

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// Way is a way to leave the review of a file.
type Way struct {
	Key, Propose string // the keys that write the file, and propose it instead
	Back         string // what esc does
	Named        bool   // the name of the account whose signers change was typed already
	Chosen       bool   // who may act was chosen already, one by one
}

// FilePage returns the review of what becomes a file because the keys here may not sign it alone.
func FilePage(env screen.Env, u screen.Unsigned, way Way) review.Page {
	r := u.Review()
	next := "No key of this wallet counts for it: save it, and give the file to those who sign. " +
		"The page Sign sends it once it has all signatures."
	if len(r.SignsWith) > 0 {
		next = "Save it, and sign the file on the page Sign too. " +
			"The signature of this wallet alone is not enough: then give it to the others."
	}
	proposal := canvas.Text(way.Propose + " makes it a proposal instead: others approve it, and an account of this wallet pays its fee")
	if why := cmp.Or(NoPayer(u), noPayerText); NoPayer(u) != "" || len(Payers(env)) == 0 {
		proposal = canvas.In(theme.Muted, "none: "+why)
	}
	return review.New(env, r, review.Prompt{Key: way.Key, Word: "Save unsigned", Back: way.Back, Named: way.Named, Chosen: way.Chosen,
		Intro: "The keys in this wallet may not sign this alone. It becomes a file that others sign:",
		Life:  "1 h after you save it",
		Below: []review.Row{
			{Label: "Next", Line: canvas.Text(next)},
			{Label: "Proposal", Line: proposal},
		}})
}

// savedRow returns the row of the review that names the file.
func savedRow(env screen.Env, file screen.Saved) review.Row {
	return review.Row{Label: "Saved", Line: canvas.In(theme.OK, theme.SignDone+" "+format.Clean(file.Path)+
		", to be sent by "+env.Times().Clock(file.Until.Time()))}
}

// whyNoFile returns why what the form became cannot be saved unsigned; empty if it can.
func (m *Model) whyNoFile(env screen.Env) string {
	_, can := m.prepared.(screen.Saver)
	switch {
	case m.builtBy != "":
		return "only what the form became can be saved"
	case !can:
		return "this cannot be saved"
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

// whyNoSave returns why what is under review cannot be saved unsigned now; empty if it can.
func (m *Model) whyNoSave(env screen.Env) string {
	if m.reviewsFile() {
		return m.review.Blocked(env)
	}
	return m.whyNoFile(env)
}

// saveUnsigned starts writing what is under review to a file, unsigned.
func (m *Model) saveUnsigned(env screen.Env) tea.Cmd {
	if why := m.whyNoSave(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("w is off: " + why)})
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	by, is := m.prepared.(screen.Saver)
	if !is {
		return nil
	}
	return m.tasks.Start(env, "unsigned", screen.BuildLimit, func(ctx context.Context) (any, error) { return by.Save(ctx) })
}

// applySavedFile shows where the file is.
func (m *Model) applySavedFile(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(msg.Err))})
	}
	file, _ := msg.Body.(screen.Saved)
	if m.stage == stageReview { // the toast disappears, and names no folder
		m.review.Add(env, savedRow(env, file))
	}
	what := "Saved unsigned"
	if isProposal(m.review.Shown) {
		what = "Saved unsigned, as a proposal"
	}
	return screen.Request(screen.Toast{Line: canvas.Text(fmt.Sprintf("%s: %s, to be sent by %s", what,
		format.Clean(filepath.Base(file.Path)), env.Times().Clock(file.Until.Time())))})
}
