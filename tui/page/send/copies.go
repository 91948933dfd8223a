package send

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
	"billfold/walletcore/commandline"
)

// Copies implements screen.Copier: the payment that is on its way.
func (m *Model) Copies(env screen.Env) []screen.Value {
	if m.stage != stageSending || !m.sending.known {
		return nil
	}
	for _, p := range env.Payments {
		if p.ID == m.sending.id {
			return rows.CopiesOf(p)
		}
	}
	return nil
}

// Call implements screen.Caller: the payment that was sent, once more.
func (m *Model) Call(env screen.Env) string {
	if m.stage != stageSending {
		return ""
	}
	r := m.sending.paid(env)
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
