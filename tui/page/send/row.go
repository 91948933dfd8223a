package send

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

const topicRow = "row"

// row is the one that a payment has in the history; the zero value: none is known.
type row struct {
	id    ledger.HistoryID
	block uint32 // that the payment is in; in another one after a fork it has another row
}

// findRow looks for the row of the payment that Sending shows, once it is in a block.
func (m *Model) findRow(env screen.Env) tea.Cmd {
	p, known := m.sending.payment(env)
	_, busy := m.tasks.Busy(topicRow)
	inBlock := p.State == payment.InBlock || p.State == payment.Irreversible
	if m.stage != stageSending || !known || busy || !inBlock || m.sending.row.block == p.Block {
		return nil
	}
	past := m.form.history
	return m.tasks.Start(env, topicRow, askLimit, func(ctx context.Context) (any, error) {
		rows, err := past.Entries(ctx, p.Review.From.ID, 0, pastRows)
		found := row{}
		for _, e := range rows { // the newest first: the first operation of several comes last
			if e.Block == p.Block && e.TrxInBlock == p.TrxInBlock {
				found = row{e.ID, e.Block}
			}
		}
		return found, err
	})
}

// rowFound takes what was found. What was not is looked for with the next block.
func (s *sending) rowFound(msg screen.Result) {
	if found, is := msg.Body.(row); is && msg.Err == nil {
		s.row = found
	}
}
