package historyindex

import (
	"database/sql"
	"encoding/json"

	"billfold/ledger"
)

// Direction is the direction of a row as the account sees it.
type Direction int

// The directions, with the values stored in the file.
const (
	Other Direction = iota // moves nothing but a fee, or not a transfer
	In
	Out
	Self
)

// Memo is the kind of memo that an operation carries.
type Memo int

// The kinds, with the values stored in the file.
const (
	NoMemo Memo = iota
	PlainMemo
	EncryptedMemo
)

// Row is one operation of an account.
type Row struct {
	Seq       uint64 // the account's own count of its operations, from 1
	ID        ledger.HistoryID
	Block     uint32
	Time      ledger.Time // of the block
	Trx       uint32      // the transaction's place in the block
	Code      ledger.OpCode
	Direction Direction
	With      *ledger.AccountID // the other side; nil: none
	Asset     *ledger.AssetID   // of Amount; nil: nothing moves
	Amount    int64             // smallest unit
	Also      []Part            // amounts of other assets that move in the same direction; set only for writing
	Memo      Memo
	Raw       json.RawMessage // the record 1.7.x as the daemon wrote it
	Final     bool            // the block is irreversible; set only by reading
}

const columns = `o.seq, o.id, o.block, o.time, o.code, o.direction, o.counterparty, o.asset, o.amount, o.trx, o.memo`

// none stands in the file for a missing id.
const none = -1

func scan(row interface{ Scan(...any) error }) (r Row, err error) {
	var with, asset int64
	var raw string
	if err = row.Scan(&r.Seq, &r.ID, &r.Block, &r.Time, &r.Code, &r.Direction, &with, &asset, &r.Amount, &r.Trx, &r.Memo, &raw,
		&r.Final); err != nil {
		return r, err
	}
	if with != none {
		id := ledger.AccountID(with)
		r.With = &id
	}
	if asset != none {
		id := ledger.AssetID(asset)
		r.Asset = &id
	}
	r.Raw = json.RawMessage(raw)
	return r, nil
}

func (r Row) values(account ledger.AccountID) []any {
	with, asset := int64(none), int64(none)
	if r.With != nil {
		with = int64(*r.With)
	}
	if r.Asset != nil {
		asset = int64(*r.Asset)
	}
	return []any{
		uint64(account), uint64(r.ID), r.Seq, r.Block, uint32(r.Time), uint64(r.Code), int(r.Direction), with, asset,
		r.Amount, r.Trx, int(r.Memo),
	}
}

// Part is an amount of an asset, smallest unit.
type Part struct {
	Asset  ledger.AssetID
	Amount int64
}

// alsoMoved is the table of the amounts that rows move besides operations.amount, in the same direction. Few rows have
// any, so a filter searches it only for accounts that have some.
const alsoMoved = `CREATE TABLE IF NOT EXISTS also_moved (
		account BIGINT NOT NULL,
		seq     BIGINT NOT NULL,
		part    BIGINT NOT NULL,
		asset   BIGINT NOT NULL,
		amount  BIGINT NOT NULL,
		PRIMARY KEY (account, seq, part)
	)`

func insertAlso(tx *sql.Tx, account ledger.AccountID, seq uint64, parts []Part) error {
	for i, part := range parts {
		if _, err := tx.Exec(`INSERT INTO also_moved (account, seq, part, asset, amount) VALUES (?, ?, ?, ?, ?)`,
			uint64(account), seq, i, uint64(part.Asset), part.Amount); err != nil {
			return err
		}
	}
	return nil
}

// hasAlsoMoved reports whether some rows of an account move more than one asset.
func hasAlsoMoved(tx *sql.Tx, account ledger.AccountID) (some bool, err error) {
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM also_moved WHERE account = ?)`, uint64(account)).Scan(&some)
	return some, err
}
