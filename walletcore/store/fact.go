package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
)

// AcceptedFact is something that a daemon said of the ledger, as it was when it was last accepted: what is signed may rest on it.
type AcceptedFact struct {
	Subject string // the id of an object, or a word such as "fees"
	Name    string // which of its facts
	Value   string
	Own     bool   // the value belongs to this subject alone: no other one has it under this name
	Source  string // who stated it
	Since   time.Time
}

// Facts reads everything that was accepted of subjects, and of others that have one of these values as their own.
func (p *Pins) Facts(ctx context.Context, chain ledger.ChainID, subjects, values []string) (found []AcceptedFact, err error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	for _, by := range []struct {
		which string
		of    []string
	}{{`subject`, subjects}, {`own_value = 1 AND value`, values}} {
		for some := range slices.Chunk(by.of, maxPerQuery) {
			marks := strings.Repeat(", ?", len(some))[2:]
			args := []any{chain.String()}
			for _, text := range some {
				args = append(args, text)
			}
			part, err := readFacts(ctx, db, `chain = ? AND `+by.which+` IN (`+marks+`)`, args...)
			if err != nil {
				return nil, p.engine.Explain(err)
			}
			found = append(found, part...)
		}
	}
	return found, nil
}

// ListFacts reads everything that was accepted on a chain, by subject.
func (p *Pins) ListFacts(ctx context.Context, chain ledger.ChainID) ([]AcceptedFact, error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	found, err := readFacts(ctx, db, `chain = ? ORDER BY subject, fact`, chain.String())
	return found, p.engine.Explain(err)
}

// KeepFacts stores each fact unless its subject has one of that name, or its value belongs to another subject, all in one commit.
func (p *Pins) KeepFacts(ctx context.Context, chain ledger.ChainID, facts ...AcceptedFact) error {
	return p.writeFacts(ctx, chain, facts, `ON CONFLICT DO NOTHING`)
}

// AcceptFacts stores facts, replacing what was accepted before, all in one commit.
func (p *Pins) AcceptFacts(ctx context.Context, chain ledger.ChainID, facts ...AcceptedFact) error {
	return p.writeFacts(ctx, chain, facts, `ON CONFLICT (chain, subject, fact) DO UPDATE
		SET value = excluded.value, own_value = excluded.own_value, source = excluded.source, seen_at = excluded.seen_at`)
}

func (p *Pins) writeFacts(ctx context.Context, chain ledger.ChainID, facts []AcceptedFact, conflict string) error {
	facts = slices.SortedFunc(slices.Values(facts), func(a, b AcceptedFact) int { // so that two servers do not deadlock
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Name, b.Name))
	})
	return change(ctx, p.engine, func(tx Tx) error {
		for _, f := range facts {
			own := 0
			if f.Own {
				own = 1
			}
			if _, err := tx.Exec(`INSERT INTO accepted_facts (chain, subject, fact, value, own_value, source, seen_at)
				VALUES (?, ?, ?, ?, ?, ?, ?) `+conflict,
				chain.String(), f.Subject, f.Name, f.Value, own, f.Source, f.Since.Unix()); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetFacts removes everything that was accepted of a subject; it reports false if there was nothing.
func (p *Pins) ForgetFacts(ctx context.Context, chain ledger.ChainID, subject string) (bool, error) {
	return p.forget(ctx, chain, subject, `DELETE FROM accepted_facts WHERE chain = ? AND subject = ?`)
}

func readFacts(ctx context.Context, db *sql.DB, which string, values ...any) ([]AcceptedFact, error) {
	rows, err := db.QueryContext(ctx, `SELECT subject, fact, value, own_value, source, seen_at FROM accepted_facts WHERE `+which, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []AcceptedFact
	for rows.Next() {
		var f AcceptedFact
		var own, at int64
		if err := rows.Scan(&f.Subject, &f.Name, &f.Value, &own, &f.Source, &at); err != nil {
			return nil, err
		}
		f.Own, f.Since = own == 1, time.Unix(at, 0)
		found = append(found, f)
	}
	return found, rows.Err()
}
