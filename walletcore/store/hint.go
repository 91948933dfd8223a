package store

import (
	"context"
	"strings"

	"billfold/ledger"
)

// Hint says what another server has changed. It may be lost, and come twice: it is a reason to look now and not later.
type Hint struct {
	Payments []Progress
	Tokens   bool
	Missed   bool // for a while nobody listened: anything may have changed
}

// Progress is how far a payment has come.
type Progress struct {
	ID    ledger.TransactionID
	State State
}

// Hinting is an engine whose servers tell each other what they have changed.
type Hinting interface {
	// SubscribeHints has see called with what others changed until stop is called, or the store is closed. See must be quick.
	SubscribeHints(see func(Hint)) (stop func())
}

// SubscribeHints is that of Hinting; nothing is heard where the journal is this program's alone.
func (j *Journal) SubscribeHints(see func(Hint)) (stop func()) { return subscribeHints(j.engine, see) }

// SubscribeHints is that of Hinting; nothing is heard where nobody else has the tokens.
func (t *Tokens) SubscribeHints(see func(Hint)) (stop func()) { return subscribeHints(t.engine, see) }

func subscribeHints(e Engine, see func(Hint)) (stop func()) {
	if h, ok := e.(Hinting); ok {
		return h.SubscribeHints(see)
	}
	return func() {}
}

// mostForeign is how many payments of other servers are looked at.
const mostForeign = 1000

// ForeignProgress reads how far the latest open payments of other servers have come, and those that are known. Only a store that several
// servers share has any.
func (j *Journal) ForeignProgress(ctx context.Context, known []ledger.TransactionID) (list []Progress, err error) {
	if known = known[:min(len(known), mostForeign)]; j.Server() == "" {
		return nil, nil
	}
	args := []any{j.Server()}
	query := `SELECT id, state FROM (SELECT id, state FROM payments WHERE owner <> ? AND ` + OpenPayments + `
		ORDER BY prepared_at DESC LIMIT ?) AS latest`
	args = append(args, mostForeign)
	if len(known) > 0 {
		query += ` UNION SELECT id, state FROM payments WHERE id IN (?` + strings.Repeat(`, ?`, len(known)-1) + `)`
		for _, id := range known {
			args = append(args, id.String())
		}
	}
	rows, err := j.engine.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, j.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var p Progress
		if err := rows.Scan(&id, &p.State); err != nil {
			return nil, err
		}
		if p.ID, err = ledger.ParseTransactionID(id); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, j.engine.Explain(rows.Err())
}
