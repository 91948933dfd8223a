package store

import (
	"database/sql"
	"encoding/hex"
	"time"

	"billfold/ledger"
)

// Columns are the columns of a payment, in the order of Values.
const Columns = `id, request_key, state, bytes, expiration, ref_block, block, trx_in_block, code, reason,
	prepared_at, sent_at, in_block_at, chain, request, proven, sure_block, final_at`

// scan reads one row of the journal, as selected with Journal.columns.
func scan(row interface{ Scan(...any) error }) (e Entry, err error) {
	var id, data, chain string
	var key sql.NullString
	var expiration, ref, block, trx, prepared, sent, seen, proven, sure, final, origin int64
	if err = row.Scan(&id, &key, &e.State, &data, &expiration, &ref, &block, &trx, &e.Code, &e.Reason,
		&prepared, &sent, &seen, &chain, &e.Request, &proven, &sure, &final, &e.Owner, &origin); err != nil {
		return e, err
	}
	if e.ID, err = ledger.ParseTransactionID(id); err != nil {
		return e, err
	}
	if chain != "" {
		if e.Chain, err = ledger.ParseChainID(chain); err != nil {
			return e, err
		}
	}
	if e.Bytes, err = hex.DecodeString(data); err != nil {
		return e, err
	}
	e.Key, e.Expiration, e.RefBlock = key.String, ledger.Time(expiration), uint32(ref)
	e.Block, e.TrxInBlock, e.Proven, e.LastProven = uint32(block), uint32(trx), proven != 0, uint32(sure)
	e.Origin = Origin(origin)
	e.Prepared, e.Sent, e.InBlock, e.FinalAt = fromMillis(prepared), fromMillis(sent), fromMillis(seen), fromMillis(final)
	return e, nil
}

// Values returns the values of Columns.
func (e Entry) Values() []any {
	return []any{e.ID.String(), e.key(), string(e.State), hex.EncodeToString(e.Bytes), int64(e.Expiration), int64(e.RefBlock),
		int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Prepared), millis(e.Sent), millis(e.InBlock),
		e.chain(), e.Request, e.proven(), int64(e.LastProven), millis(e.FinalAt)}
}

func (e Entry) proven() int64 {
	if e.Proven {
		return 1
	}
	return 0
}

func (e Entry) key() sql.NullString { return sql.NullString{String: e.Key, Valid: e.Key != ""} }

func (e Entry) chain() string {
	if e.Chain == (ledger.ChainID{}) {
		return ""
	}
	return e.Chain.String()
}

// millis returns t in UTC milliseconds since 1970; 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
