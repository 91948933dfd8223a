package history

import (
	"context"
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// rowInfo is what is known about the row in focus besides the row itself: the id of its transaction, and the person's label.
type rowInfo struct {
	ids    Transactions
	labels Labels
	tasks  *screen.Tasks

	row     label.Row // the row in focus
	id      string    // of its transaction; empty while it is not known
	final   time.Time // see Transaction
	missing bool      // the node has no such block
	failed  bool      // the node did not answer; it is asked again with the next block
}

// follow asks for the id of the transaction of the row in focus, if another row was in focus before. A node is asked only after the
// row has had the focus for a moment.
func (r *rowInfo) follow(env screen.Env, e history.Entry, there bool) tea.Cmd {
	row := label.Row{ID: e.ID, Block: e.Block}
	if !there {
		row = label.Row{}
	}
	if row == r.row {
		return nil
	}
	first := r.row == label.Row{}
	r.reset()
	if r.row = row; !there {
		return nil
	}
	ids, at, pause := r.ids, historyindex.TrxPosition{Block: e.Block, Trx: e.TrxInBlock}, restOnRow
	if first {
		pause = 0
	}
	return r.tasks.Start(env, topicTransaction, readLimit, func(ctx context.Context) (any, error) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return ids.Transaction(ctx, at)
	})
}

// restOnRow is how long a row is in focus before a node is asked for its block.
const restOnRow = 150 * time.Millisecond

// reset drops what is known, so that it is read again.
func (r *rowInfo) reset() {
	r.row, r.id, r.final, r.missing, r.failed = label.Row{}, "", time.Time{}, false, false
	r.tasks.Forget(topicTransaction)
}

// applyResult stores the transaction that was read.
func (r *rowInfo) applyResult(msg screen.Result) {
	is, _ := msg.Body.(Transaction)
	r.id, r.final, r.missing, r.failed = is.ID, is.Final, is.ID == "" && msg.Err == nil, msg.Err != nil
}

// labelOf returns the label of a row; the state is why there is none.
func (r *rowInfo) labelOf(e history.Entry) (string, vault.MemoState) {
	return r.labels.Of(label.Row{ID: e.ID, Block: e.Block})
}
