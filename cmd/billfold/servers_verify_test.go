//go:build linux

package main

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// row is a payment in the store.
type row struct {
	order
	id, state   string
	amount, fee int64
}

func (f *fleet) open() *sql.DB {
	f.t.Helper()
	db, err := sql.Open("pgx", f.currentAddress())
	must(f.t, err)
	return db
}

// withoutOutcome is the SQL condition for the payments that are neither made nor proven not to be.
const withoutOutcome = `state NOT IN ('irreversible', 'expired') AND (state <> 'rejected' OR proven = 0)`

// logOpen logs the payments without an outcome, and the servers that follow them. The store may be away.
func (f *fleet) logOpen() {
	f.t.Helper()
	db := f.open()
	defer db.Close()
	for _, one := range []string{
		`SELECT id, owner, state, block, proven, code, reason, expiration FROM payments WHERE ` + withoutOutcome,
		`SELECT id, name, epoch, mark, follows, locked, expires_at FROM servers`,
	} {
		rows, err := db.Query(`SELECT CAST(one AS text) FROM (` + one + `) AS one`)
		if err != nil {
			f.t.Log(err)
			return
		}
		for rows.Next() {
			var text string
			_ = rows.Scan(&text)
			f.t.Log(text)
		}
		_ = rows.Close()
	}
}

// count counts payments in the store.
func (f *fleet) count(where string) (n int) {
	f.t.Helper()
	db := f.open()
	defer db.Close()
	must(f.t, db.QueryRow("SELECT COUNT(*) FROM payments WHERE "+where).Scan(&n))
	return n
}

// payments reads all payments, by order.
func (f *fleet) payments() map[int][]row {
	f.t.Helper()
	db := f.open()
	defer db.Close()
	rows, err := db.Query("SELECT id, request_key, state, bytes FROM payments")
	must(f.t, err)
	defer rows.Close()
	all := map[int][]row{}
	for rows.Next() {
		var r row
		var key, packed string
		must(f.t, rows.Scan(&r.id, &key, &r.state, &packed))
		raw, err := hex.DecodeString(packed)
		must(f.t, err)
		var tx ledger.SignedTransaction
		must(f.t, codec.Unpack(raw, &tx))
		pays := tx.Operations[0].Body.(*ledger.TransferObsoleteOp)
		_, err = fmt.Sscanf(key, "order %d, attempt %d", &r.n, &r.attempt)
		if r.amount, r.fee = pays.Amount.Amount, pays.Fee.Amount; err != nil || r.amount != r.order.amount() {
			f.t.Errorf("payment %s under %q is of %d", r.id, key, r.amount)
		}
		all[r.n] = append(all[r.n], r)
	}
	must(f.t, rows.Err())
	return all
}

// blocks returns in how many blocks each payment of alice to bobby is, and the positions of all payments to bobby.
func (f *fleet) blocks() (found map[string]int, deposits []place) {
	f.t.Helper()
	var head struct {
		Head uint32 `json:"head_block_number"`
	}
	must(f.t, json.Unmarshal([]byte(f.ledger.ok("get_dynamic_global_properties")), &head))
	found = map[string]int{}
	for num := range head.Head {
		var block ledger.Block
		must(f.t, json.Unmarshal([]byte(f.ledger.ok("get_block", strconv.Itoa(int(num+1)))), &block))
		for i := range block.Transactions {
			pays, is := block.Transactions[i].Operations[0].Body.(*ledger.TransferObsoleteOp)
			if is && pays.To == bobbyID {
				deposits = append(deposits, place{num + 1, uint32(i)}) //nolint:gosec // a block has far fewer
			}
			if is && pays.From == aliceID && pays.Amount.Amount < leastDemo {
				found[block.TransactionIDs[i].String()]++
			}
		}
	}
	return found, deposits
}

// Payments between the demo accounts are larger than any order.
const (
	aliceID   = ledger.AccountID(16)
	bobbyID   = ledger.AccountID(17)
	leastDemo = 1000
)

// findings counts what must not happen.
type findings struct{ twice, lost, states, balances, answers, limits, deposits, audit int }

// verify compares store, blocks, balances and what callers were told.
func (d *orderClient) verify(orders int, limit int64, before [2]int64, b *depositConsumer) (f findings) {
	d.t.Helper()
	inBlocks, deposits := d.blocks()
	rows := d.payments()
	var sum, fees, limited int64
	for n := range orders {
		paid := 0
		for _, r := range rows[n] {
			times := inBlocks[r.id]
			delete(inBlocks, r.id)
			if (r.state == "irreversible") != (times == 1) || times > 1 {
				f.states++
				d.t.Errorf("payment %s (%s) is %s and in %d blocks", r.id, r.key(), r.state, times)
			}
			if f.answers += d.compareTold(r, times); times > 0 {
				sum, fees = sum+r.amount*int64(times), fees+r.fee*int64(times)
			}
			if paid += times; r.limited() {
				limited += (r.amount + r.fee) * int64(times)
			}
		}
		if paid > 1 {
			f.twice++
		} else if paid == 0 && !d.denied[n] {
			f.lost++
		}
	}
	for id, times := range inBlocks {
		f.twice += times
		d.t.Errorf("transaction %s is in a block, but not in the store", id)
	}
	after := d.balances()
	if after[0] != before[0]-sum-fees || after[1] != before[1]+sum {
		f.balances++
		d.t.Errorf("alice had %d and has %d, bobby had %d and has %d; paid were %d with fees of %d", before[0], after[0], before[1], after[1], sum, fees)
	}
	if limited > limit {
		f.limits++
	}
	d.t.Logf("with the limited token %d of %d were paid, and %d orders were denied", limited, limit, len(d.denied))
	f.answers += d.counters.of("wrong answers")
	f.deposits, f.audit = b.close(deposits), d.auditFaults()
	return f
}

func (d *orderClient) compareTold(r row, times int) int {
	t := d.told[r.key()]
	if t.id != "" && (t.id != r.id || r.state == "rejected") || t.never && times > 0 {
		d.t.Errorf("%s: callers were told %+v, it is %s, %s, and in %d blocks", r.key(), t, r.id, r.state, times)
		return 1
	}
	return 0
}

// balances returns the balances of alice and bobby in the smallest unit.
func (f *fleet) balances() (have [2]int64) {
	f.t.Helper()
	for i, id := range []string{"1.2.16", "1.2.17"} {
		out, err := f.post(f.ledger.url, "", "get_account_balances", id, []string{"1.3.0"})
		must(f.t, err)
		var list []struct {
			Amount json.Number `json:"amount"`
		}
		must(f.t, json.Unmarshal(out.Result, &list))
		have[i], err = list[0].Amount.Int64()
		must(f.t, err)
	}
	return have
}

// auditFaults returns how many of two checks fail: that the chain of the audit log is intact, and that a record allowed each payment.
func (f *fleet) auditFaults() (faults int) {
	f.t.Helper()
	out, told, code := runToEnd(f.t, "", "audit", "verify", "--store="+f.currentAddress(), "--store-may-lose",
		"--data-dir="+f.members[0].folder)
	if code != 0 {
		f.t.Errorf("audit verify ended with %d: %s%s", code, out, told)
		faults++
	}
	db := f.open()
	defer db.Close()
	var allowed int
	must(f.t, db.QueryRow(`SELECT COUNT(*) FROM audit WHERE entry LIKE '%"decision":"allow"%'`).Scan(&allowed))
	if made := f.count("TRUE"); allowed < made {
		f.t.Errorf("%d payments were made, and %d allowed", made, allowed)
		faults++
	}
	f.t.Log(strings.TrimSpace(out))
	return faults
}
