package send

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
	"billfold/walletcore/commandline"
)

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
