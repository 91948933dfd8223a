package payout

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"billfold/ledger"
)

// Plan holds the payments of a payout, their payer and their chain.
type Plan struct {
	Chain ledger.ChainID
	Payer ledger.AccountID
	Label string // distinguishes payouts of the same contents; usually empty
	Rows  []Row
}

// ID identifies the plan by its contents, with the ids of accounts and assets: the first half of a SHA-256, in hex. It
// is part of request keys, so its form must not change.
func (p *Plan) ID() string {
	sum := sha256.New()
	write := func(values ...string) {
		text, err := json.Marshal(values)
		if err != nil { // never happens: text can always be encoded
			panic(err)
		}
		sum.Write(append(text, '\n'))
	}
	write("billfold payout 2", p.Chain.String(), p.Payer.String(), p.Label)
	for _, r := range p.Rows {
		content := r.content()
		write(content[:]...)
	}
	return hex.EncodeToString(sum.Sum(nil)[:planBytes])
}

// Former returns the plan that versions made of the same file which kept the blanks around a memo, and CRLF in it as LF; ok is false if
// theirs is the same. A payout that was begun by one is continued as what it was.
func (p *Plan) Former() (former *Plan, ok bool) {
	former = &Plan{p.Chain, p.Payer, p.Label, slices.Clone(p.Rows)}
	for i, r := range p.Rows {
		if r.former != "" {
			former.Rows[i].Memo, ok = r.former, true
		}
	}
	return former, ok
}

// planBytes is the size of a plan's id.
const planBytes = sha256.Size / 2

// Batch is the rows of one transaction.
type Batch struct {
	Number int // from 1
	First  int // number of its first row in the plan, from 1
	Rows   []Row
}

// MaxRows is the maximum number of payments that a transaction of a payout makes.
const MaxRows = 50

// How much goes into one transaction. The ledger's limit is 4,096 bytes with signatures. These numbers are part of what
// a request key means, so they must not change.
const (
	rowsOfBatch  = MaxRows
	bytesOfBatch = 3000
	bytesOfRow   = 40 // of a payment without a memo, at most
	bytesOfMemo  = 96 // what encryption and keys add to a text
)

// Batches splits the plan into transactions. The split depends on the rows alone.
func (p *Plan) Batches() (batches []Batch) {
	size := 0
	for i, r := range p.Rows {
		needs := bytesOfRow
		if r.Memo != "" {
			needs += bytesOfMemo + len(r.Memo)
		}
		last := len(batches) - 1
		if last < 0 || len(batches[last].Rows) == rowsOfBatch || size+needs > bytesOfBatch {
			batches, size = append(batches, Batch{Number: len(batches) + 1, First: i + 1}), 0
			last++
		}
		batches[last].Rows, size = append(batches[last].Rows, r), size+needs
	}
	return batches
}

// Key returns the request key of a batch; attempt counts from 1 and grows only after the attempt before is known never
// to have taken effect.
func (b Batch) Key(plan string, attempt int) string {
	return Key{Plan: plan, Number: b.Number, First: b.First, Attempt: attempt}.String()
}

// Lines returns the lines of the file that the batch pays, such as "lines 2 to 51".
func (b Batch) Lines() string {
	from, to := b.Rows[0].Line, b.Rows[len(b.Rows)-1].Line
	if from == to {
		return fmt.Sprintf("line %d", from)
	}
	return fmt.Sprintf("lines %d to %d", from, to)
}

// Fingerprint identifies a payment by chain, payer, recipient, asset and amount, whatever plan makes it. All of these are on the
// ledger in plain text; the memo is not in it. Journals keep fingerprints, so their form must not change.
func Fingerprint(chain ledger.ChainID, payer, to ledger.ObjectID, amount ledger.AssetAmount) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "billfold payout row\n%s\n%s\n%s\n%d\n%d", chain, payer, to, amount.AssetID, amount.Amount))
	return hex.EncodeToString(sum[:sha256.Size/2])
}
