package store

import (
	"context"
	"strings"

	"billfold/ledger"
)

// Hint holds what another server says it has changed. Hints may be lost and may be repeated: a hint
// is a reason to read now rather than later.
type Hint struct {
	Payments []Progress
	Tokens   bool
	Missed   bool // hints may have been missed: anything may have changed
}

// Progress is the state of one payment.
type Progress struct {
	ID    ledger.TransactionID
	State State
}

// Hinting is an engine whose servers tell each other what they have changed.
type Hinting interface {
	// SubscribeHints calls notify with what other servers changed, until stop is called or the store is closed. notify must be quick.
	SubscribeHints(notify func(Hint)) (stop func())
}

// SubscribeHints is Hinting.SubscribeHints; nothing is reported if the journal is not shared.
func (j *Journal) SubscribeHints(notify func(Hint)) (stop func()) {
	return subscribeHints(j.engine, notify)
}

// SubscribeHints is Hinting.SubscribeHints; nothing is reported if the store is not shared.
func (t *Tokens) SubscribeHints(notify func(Hint)) (stop func()) {
	return subscribeHints(t.engine, notify)
}

func subscribeHints(e Engine, notify func(Hint)) (stop func()) {
	if h, ok := e.(Hinting); ok {
		return h.SubscribeHints(notify)
	}
	return func() {}
}

// maxForeign is the maximum number of payments of other servers that are read, and of the known ones.
const maxForeign = 1000

// ForeignProgress reads the states of the latest open payments of other servers, and of the known ones. It returns
// nothing if the store is not shared.
func (j *Journal) ForeignProgress(ctx context.Context, known []ledger.TransactionID) (list []Progress, err error) {
	if known = known[:min(len(known), maxForeign)]; j.Server() == "" {
		return nil, nil
	}
	args := []any{j.Server()}
	query := `SELECT id, state FROM (SELECT id, state FROM payments WHERE owner <> ? AND ` + OpenPayments + `
		ORDER BY prepared_at DESC LIMIT ?) AS latest`
	args = append(args, maxForeign)
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
