package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
)

// add is a new payment, and update a new state, each with the change that it is part of.
type (
	// add is a new payment, and update a new state, each with the change it belongs to.
	add struct {
		change *commits.Change
		entry  *store.Entry
	}
	update struct {
		change *commits.Change
		entry  *store.Entry
	}
)

const (
	// fence succeeds only for the one program that writes as this server, and advances its row.
	fence = `UPDATE servers SET mark = mark + 1, nonce = $2, expires_at = ` + now + ` + $5
		WHERE id = $1 AND epoch = $3 AND mark = $4 RETURNING ` + now

	// changeStates writes states of payments that this server follows.
	changeStates = `UPDATE payments p SET state = v.state, block = v.block, trx_in_block = v.trx, code = v.code, reason = v.reason,
			sent_at = v.sent, in_block_at = v.seen, proven = v.proven, final_at = v.final
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
			$10::text[], $11::text[]) AS v (state, block, trx, code, reason, sent, seen, proven, final, id, befores)
		WHERE p.id = v.id AND p.owner = $12 AND p.state = ANY (string_to_array(v.befores, ',')) RETURNING p.id`
)

// insert writes payments that are not there. No new payment is written while the store is held, if it was held since the payment was
// compared with the found ones, or if a newer program has changed the store. What the ledger has already is recorded anyway.
var insert = `INSERT INTO payments (` + store.Columns + `, origin, owner)
	SELECT ` + store.Columns + `, origin, $21 FROM unnest(
		$1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
		$9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::bigint[],
		$18::bigint[], $19::bigint[], $20::bigint[]) AS v (` + store.Columns + `, origin, compared)
	WHERE v.state <> 'prepared' OR v.compared = (SELECT generation FROM store_meta WHERE held_since = 0 AND ` + sameTimeline + `
		AND oldest_reader <= ` + strconv.Itoa(len(migrations())) + `)
	ON CONFLICT DO NOTHING RETURNING id`

// opening holds what the first round trip of a transaction sends, and the answers to it.
type opening struct {
	adds           []add
	updates        []update
	tokens         tokenUse
	added, changed map[string]bool // ids
	found          map[string]store.TokenRow
}

// openRound begins the transaction and writes the payments, in one round trip if nothing is refused.
func (t *transaction) openRound(o *opening) error {
	round, rest := nextRound(o.updates)
	o.adds, o.updates = refuseRepeated(o.adds), round
	if err := t.w.raw(func(c *pgx.Conn) error { return t.send(c, o) }); err != nil {
		return err
	}
	if err := t.explainAdds(o.adds, o.added); err != nil {
		return err
	}
	if err := t.explainUpdates(round, o.changed); err != nil {
		return err
	}
	return t.writeUpdates(rest)
}

// valuesOf returns the function that returns the column values of a new payment.
func (t *transaction) valuesOf(adds []add) func(int) []any {
	present, _ := t.w.health.generation()
	return func(i int) []any {
		e := adds[i].entry
		return append(e.Values(), int64(e.Origin), cmp.Or(e.FoundGeneration, present))
	}
}

// send sends everything at once and reads the answers.
func (t *transaction) send(c *pgx.Conn, o *opening) error {
	b := new(pgx.Batch)
	b.Queue(`BEGIN`)
	b.Queue(fence, t.mark.Server, t.mark.Nonce, t.mark.Epoch, t.mark.Number-1, t.w.opt.Lease.Milliseconds())
	if len(o.adds) > 0 {
		b.Queue(insert, append(columnsOf(len(o.adds), t.valuesOf(o.adds)), t.mark.Server)...)
	}
	if len(o.updates) > 0 {
		b.Queue(changeStates, updateArgs(o.updates, t.mark.Server)...)
	}
	o.tokens.ask(b)
	results := c.SendBatch(context.Background(), b)
	err := t.answers(results, o)
	return errors.Join(err, results.Close())
}

func (t *transaction) answers(results pgx.BatchResults, o *opening) (err error) {
	if _, err := results.Exec(); err != nil {
		return err
	}
	var at int64
	err = results.QueryRow().Scan(&at)
	t.time = time.UnixMilli(at)
	if errors.Is(err, pgx.ErrNoRows) {
		return errFence
	}
	if err == nil && len(o.adds) > 0 {
		o.added, err = readIDs(results)
	}
	if err == nil && len(o.updates) > 0 {
		o.changed, err = readIDs(results)
	}
	if err == nil {
		o.found, err = o.tokens.answer(results)
	}
	return err
}

func readIDs(results pgx.BatchResults) (map[string]bool, error) {
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	out := make(map[string]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

// refuseRepeated refuses the second of two new payments that are the same transaction, and returns the others.
func refuseRepeated(adds []add) (rest []add) {
	seen := map[string]bool{}
	for _, a := range adds {
		id := a.entry.ID.String()
		if seen[id] {
			a.change.Err = store.ErrIDTaken
			continue
		}
		seen[id] = true
		rest = append(rest, a)
	}
	return rest
}

// nextRound takes one new state of each payment; further states of the same payment are written in later rounds.
func nextRound(updates []update) (round, rest []update) {
	for i, u := range updates {
		if i > 0 && updates[i-1].entry.ID == u.entry.ID {
			rest = append(rest, u)
		} else {
			round = append(round, u)
		}
	}
	return round, rest
}

func (t *transaction) writeUpdates(updates []update) error {
	for len(updates) > 0 {
		var round []update
		round, updates = nextRound(updates)
		changed := map[string]bool{}
		if err := t.w.raw(func(c *pgx.Conn) error {
			rows, err := c.Query(context.Background(), changeStates, updateArgs(round, t.mark.Server)...)
			if err != nil {
				return err
			}
			ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
			for _, id := range ids {
				changed[id] = true
			}
			return err
		}); err != nil {
			return err
		}
		if err := t.explainUpdates(round, changed); err != nil {
			return err
		}
	}
	return nil
}

func updateArgs(round []update, server string) []any {
	return append(columnsOf(len(round), func(i int) []any {
		e := round[i].entry
		return append(e.OutcomeValues(), e.ID.String(), strings.Join(e.PriorStates(), ","))
	}), server)
}

// columnsOf turns rows into columns, one array each.
func columnsOf(n int, row func(int) []any) (columns []any) {
	for i := range n {
		for at, value := range row(i) {
			if i == 0 {
				columns = append(columns, columnFor(value, n))
			}
			switch value := value.(type) {
			case int64:
				columns[at].([]int64)[i] = value
			case string:
				columns[at].([]*string)[i] = new(cleanText(value))
			case sql.NullString:
				if value.Valid {
					columns[at].([]*string)[i] = new(cleanText(value.String))
				}
			}
		}
	}
	return columns
}

func columnFor(value any, n int) any {
	if _, number := value.(int64); number {
		return make([]int64, n)
	}
	return make([]*string, n)
}

// howItEnds is the advice on where a person sees how a hold ends.
const howItEnds = "billfold store status says how it ends"

// explainAdds sets why payments were not written.
func (t *transaction) explainAdds(adds []add, added map[string]bool) error {
	var missing []add
	var keys, ids []string
	for _, a := range adds {
		if id := a.entry.ID.String(); !added[id] {
			missing, ids = append(missing, a), append(ids, id)
			if a.entry.Key != "" {
				keys = append(keys, a.entry.Key)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	taken := map[string]bool{}
	var held string
	var version, oldestReader int
	err := t.w.raw(func(c *pgx.Conn) error {
		if err := c.QueryRow(context.Background(), `SELECT held_why, version, oldest_reader FROM store_meta`).Scan(&held, &version, &oldestReader); err != nil {
			return err
		}
		rows, err := c.Query(context.Background(), `SELECT 'k' || request_key FROM payments WHERE request_key = ANY($1)
			UNION ALL SELECT 'i' || id FROM payments WHERE id = ANY($2)`, keys, ids)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, name := range found {
			taken[name] = true
		}
		return err
	})
	for _, a := range missing {
		switch {
		case a.entry.Key != "" && taken["k"+a.entry.Key]:
			a.change.Err = store.ErrKeyTaken
		case taken["i"+a.entry.ID.String()]:
			a.change.Err = store.ErrIDTaken
			if err == nil && a.entry.State != store.Prepared && a.entry.Origin != store.Found {
				err = t.restoreKey(a.entry)
			}
		default:
			a.change.Err = cmp.Or(checkVersion(version, oldestReader), error(&store.HeldError{Why: held, Advice: howItEnds}))
		}
	}
	return err
}

// restoreKey restores the request key of a payment that was found on the ledger, if it had one: the server that made it remembers
// that, so there is nothing to claim any more.
func (t *transaction) restoreKey(e *store.Entry) error {
	_, err := t.Exec(`UPDATE payments SET request_key = NULLIF(CAST(? AS TEXT), ''), request = ?, origin = 0
		WHERE id = ? AND origin = 1 AND NOT EXISTS (SELECT 1 FROM payments WHERE request_key = NULLIF(CAST(? AS TEXT), ''))`,
		e.Key, e.Request, e.ID.String(), e.Key)
	return err
}

// explainUpdates sets why states were not written.
func (t *transaction) explainUpdates(round []update, changed map[string]bool) error {
	var ids []string
	for _, u := range round {
		if id := u.entry.ID.String(); !changed[id] {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	type claimState struct{ ID, State, Owner string }
	known := map[string]claimState{}
	if err := t.w.raw(func(c *pgx.Conn) error {
		rows, err := c.Query(context.Background(), `SELECT id, state, owner FROM payments WHERE id = ANY($1)`, ids)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[claimState])
		for _, s := range found {
			known[s.ID] = s
		}
		return err
	}); err != nil {
		return err
	}
	for _, u := range round {
		id := u.entry.ID.String()
		if changed[id] {
			continue
		}
		s, there := known[id]
		why := u.entry.TransitionError(store.State(s.State))
		switch {
		case !there:
			why = store.ErrNotFound
		case s.Owner != t.mark.Server:
			why = fmt.Errorf("payment %s is followed by another server", id)
		}
		refuse(u, why)
	}
	return nil
}

// refuse adds a payment to the refusal of its change.
func refuse(u update, why error) {
	refused, ok := errors.AsType[*store.RefusedError](u.change.Err)
	if !ok {
		refused = &store.RefusedError{Why: why}
		u.change.Err = refused
	}
	refused.IDs = append(refused.IDs, u.entry.ID)
}
