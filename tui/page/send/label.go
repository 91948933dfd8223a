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

// Labeller saves a private label for the row that a payment has in the history.
type Labeller interface {
	Label(ctx context.Context, p payment.Payment, text string) error
}

const topicLabel = "label"

// labelForm is the form for the label of the payment that Sending shows.
type labelForm struct {
	ask.Work
	labels Labeller
}

func newLabelForm(labels Labeller, tasks *screen.Tasks) labelForm {
	return labelForm{ask.Work{Tasks: tasks, Topic: topicLabel, Limit: readLimit}, labels}
}

// whyNoLabel returns why the payment cannot have a label now; empty if it can.
func whyNoLabel(env screen.Env, s *sending) string {
	switch p, known := s.payment(env); {
	case s.several != nil:
		return "each payment of a table has its own label: History gives it"
	case !known || p.State != payment.InBlock && p.State != payment.Irreversible:
		return "the payment is in no block yet"
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

// open opens the form; a locked wallet must be unlocked first.
func (f *labelForm) open(env screen.Env, s *sending) tea.Cmd {
	if why := whyNoLabel(env, s); why != "" {
		return screen.NotNow(why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
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

// finish takes the end of saving.
func (f *labelForm) finish(msg screen.Result) tea.Cmd {
	if !f.Ended(msg) {
		return nil
	}
	f.Close()
	return screen.Request(screen.Toast{Line: canvas.In(theme.OK, theme.SignDone+" The label is kept in this wallet")})
}
