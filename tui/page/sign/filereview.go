package sign

import (
	"fmt"
	"strings"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/cosign"
)

// fileReview is a file with its review.
type fileReview struct {
	File
	page review.Page
}

func newFileReview(env screen.Env, f File) *fileReview {
	o := &fileReview{File: f}
	o.page = review.New(env, f.Review, review.Prompt{Key: "S", Word: "Sign the file", Back: "Back, sign nothing", Alone: true,
		Intro: "Read back from the bytes in the file. S adds the signatures of this wallet; nothing is sent.",
		Life:  lifeText(env, f.Holds), Below: o.fileRows("b"), Over: o.whyNoSignature})
	return o
}

// whyNoSignature returns why this wallet cannot sign the file; empty if it can, or if the file needs no more signatures.
func (f *fileReview) whyNoSignature(screen.Env) string {
	if f.Holds.Complete {
		return ""
	}
	return f.Off
}

// lifeText returns until when the transaction can be used.
func lifeText(env screen.Env, holds cosign.Inspection) string {
	if holds.Expired {
		return theme.SignCareful + " it EXPIRED " + env.Times().Stamp(holds.Expiration)
	}
	return env.Times().Stamp(holds.Expiration) + ", in " + timeLeft(holds.Expiration.Time().Sub(env.Now))
}

// fileRows returns what a review of the file shows besides its operations; send is the key that sends it.
func (f *fileReview) fileRows(send string) []review.Row {
	rows := []review.Row{{Label: "File", Line: canvas.Text(format.Clean(f.Path))}, {Label: "Tx id", Line: canvas.Text(f.Holds.ID.String())}}
	for _, memo := range f.Holds.Memos {
		rows = append(rows, memoRows(memo)...)
	}
	for _, n := range f.Holds.Needs {
		rows = append(rows, needRows(n)...)
	}
	for _, key := range f.Holds.Strangers {
		says := key.String() + " signed it, but is a key of none of its accounts"
		rows = append(rows, review.Row{Label: "Careful", Line: canvas.Bold(theme.Danger, says)})
	}
	for _, what := range f.Holds.Unchecked {
		rows = append(rows, review.Row{Label: "Unchecked", Line: canvas.In(theme.Muted, what)})
	}
	switch {
	case f.Holds.Complete:
		all := theme.SignDone + " It has all signatures: " + send + " sends it."
		rows = append(rows, review.Row{Label: "Then", Line: canvas.In(theme.OK, all)})
	case f.Off != "":
		rows = append(rows, review.Row{Label: "Then", Line: canvas.In(theme.Warn, theme.SignCareful+" "+f.Off)})
	case f.Plan.Complete:
		rows = append(rows, review.Row{Label: "Then", Line: canvas.Text("With your signature it can be sent.")})
	default:
		rows = append(rows, review.Row{Label: "Then", Line: canvas.Text("With your signature others still have to sign.")})
	}
	return rows
}

// memoRows returns a whole memo. Its text, which others wrote, has a gutter; a note that it cannot be read has none.
func memoRows(memo cosign.Memo) (rows []review.Row) {
	label := "Memo"
	if memo.Message {
		label = "Text"
	}
	if !memo.Open {
		return []review.Row{{Label: label, Line: canvas.In(theme.Muted, memo.String())}}
	}
	for i, l := range format.Gutter(memo.Text, 60) {
		rows = append(rows, review.Row{Label: []string{label, ""}[min(i, 1)], Line: l})
	}
	return rows
}

// needRows returns an authority that is needed, and who can sign for it.
func needRows(n cosign.Need) []review.Row {
	what := strings.TrimSpace(format.Clean(n.Name) + " " + n.Role)
	state := canvas.In(theme.Pending, "not yet")
	if n.Met {
		state = canvas.In(theme.OK, theme.SignDone+" signed")
	}
	rows := []review.Row{{Label: "Needs", Line: canvas.Join(canvas.Text(fmt.Sprintf("%s, threshold %d: ", what, n.Threshold)), state)}}
	if n.Parties == nil {
		return append(rows, review.Row{Line: canvas.In(theme.Muted, "the file does not say who may sign")})
	}
	for _, p := range n.Parties {
		sign := canvas.In(theme.Muted, theme.SignOff)
		if p.Signed {
			sign = canvas.In(theme.OK, theme.SignDone)
		}
		rows = append(rows, review.Row{Line: canvas.Join(sign, canvas.Text(" "+format.Clean(p.Name)),
			canvas.In(theme.Muted, fmt.Sprintf("  weight %d", p.Weight)))})
	}
	return rows
}

// off returns why a key of the file's page does nothing now; empty if it does something.
func (f *fileReview) off(env screen.Env, do action.ID) string {
	switch {
	case do == doSign && f.Off != "":
		return f.Off
	case do == doSign:
		return f.page.Blocked(env)
	case do != doSend:
		return ""
	case !f.Holds.Complete:
		return "it lacks signatures"
	case f.Holds.Expired:
		return "it has expired"
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

func (f *fileReview) draw(env screen.Env, a canvas.Area) {
	title := "Transaction file"
	if env.Status.Sandbox {
		title = theme.SignChip + " " + title + " " + theme.SignChip
	}
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Focus, title), State: f.page.State(), Heavy: true,
		Foot: canvas.In(theme.Muted, "enter does nothing here")}, env.Class > layout.Tiny)
	f.page.Draw(env, in)
}
