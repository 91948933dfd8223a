package send

import (
	"context"
	"strings"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/label"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

// Labeller writes a private label on the row that a payment has in the history.
type Labeller interface {
	Label(ctx context.Context, p payment.Payment, text string) error
}

const topicLabel = "label"

// labelForm asks for the label of the payment that Sending shows.
type labelForm struct {
	ask.Work
	labels Labeller
}

func newLabelForm(labels Labeller, tasks *screen.Tasks) labelForm {
	return labelForm{ask.Work{Tasks: tasks, Topic: topicLabel, Limit: askLimit}, labels}
}

// noLabel is why the payment cannot have a label now.
func noLabel(env screen.Env, s *sending) string {
	switch p, known := s.payment(env); {
	case !known || p.State != payment.InBlock && p.State != payment.Irreversible:
		return "the payment is in no block yet"
	case !env.Online():
		return "no node answers"
	}
	return ""
}

// ask asks for the label; a locked wallet is opened first.
func (f *labelForm) ask(env screen.Env, s *sending) tea.Cmd {
	if why := noLabel(env, s); why != "" {
		return screen.NotNow(why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	p, _ := s.payment(env)
	form := &ask.Form{Title: "Label of this payment", Word: "save",
		Text:   []canvas.Line{canvas.In(theme.Muted, "Encrypted with the wallet; it never leaves it. History finds it: label:rent.")},
		Fields: []ask.Field{{Label: "Label"}},
		Missing: func(values []string) string {
			if strings.TrimSpace(values[0]) == "" {
				return "type a label"
			}
			return ""
		}}
	form.Fields[0].Input.Limit = label.Size
	f.Open(form, "Writing", func(ctx context.Context, values []string) (any, error) {
		return nil, f.labels.Label(ctx, p, strings.TrimSpace(values[0]))
	})
	return nil
}

// ended takes how the writing went.
func (f *labelForm) ended(msg screen.Result) tea.Cmd {
	if !f.Ended(msg) {
		return nil
	}
	f.Close()
	return screen.Request(screen.Toast{Line: canvas.In(theme.OK, theme.SignDone+" The label is kept in this wallet")})
}
