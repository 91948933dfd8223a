package payout

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

const (
	// KeyPrefix is the start of payouts' request keys, and of no others.
	KeyPrefix = "payout/"
	// KeysEnd is the first text after all that start with KeyPrefix.
	KeysEnd = "payout0"
)

// Key is the request key of one transaction of a payout: payout/PLAN/NUMBER/ROW, with /rATTEMPT from the second attempt on.
type Key struct {
	Plan    string
	Number  int // of the transaction in the plan, from 1
	First   int // number of its first row in the plan, from 1
	Attempt int // from 1
}

// String returns the key as text.
func (k Key) String() string {
	text := fmt.Sprintf("%s%s/%d/%d", KeyPrefix, k.Plan, k.Number, k.First)
	if k.Attempt > 1 {
		text += fmt.Sprintf("/r%d", k.Attempt)
	}
	return text
}

// ParseKey parses a request key. Only what String returns is one: a payout asks under no other spelling.
func ParseKey(text string) (k Key, ok bool) {
	rest, of := strings.CutPrefix(text, KeyPrefix)
	parts := strings.Split(rest, "/")
	if !of || len(parts) < 3 || len(parts) > 4 {
		return k, false
	}
	k.Plan, k.Attempt = parts[0], 1
	k.Number, _ = strconv.Atoi(parts[1])
	k.First, _ = strconv.Atoi(parts[2])
	if len(parts) == 4 {
		k.Attempt, _ = strconv.Atoi(strings.TrimPrefix(parts[3], "r"))
	}
	return k, k.Plan != "" && k.Attempt > 0 && k.canBegin() && k.String() == text
}

// canBegin reports whether a transaction with that number can begin with that row.
func (k Key) canBegin() bool { return canHold(k.Number-1, k.First-1) }

// canHold reports whether so many transactions can have so many rows.
func canHold(transactions, rows int) bool {
	return transactions >= 0 && rows >= transactions && (rows+rowsOfBatch-1)/rowsOfBatch <= transactions
}

// Fits reports whether one plan can have this transaction, which pays so many rows, and another one, which pays others.
func (k Key) Fits(rows int, other Key, others int) bool {
	if k.Number > other.Number {
		k, rows, other = other, others, k
	}
	if k.Number == other.Number {
		return k.First == other.First && rows == others // two attempts
	}
	return canHold(other.Number-k.Number-1, other.First-k.First-rows)
}

// IsPlanID reports whether a text has the form that Plan.ID returns.
func IsPlanID(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == planBytes && hex.EncodeToString(raw) == text
}

// PlanOf returns the plan that a request key belongs to.
func PlanOf(key string) (plan string, ok bool) {
	rest, of := strings.CutPrefix(key, KeyPrefix)
	plan, _, of2 := strings.Cut(rest, "/")
	return plan, of && of2
}

// FirstRowOf returns the number of the first row of the batch that a request key of a plan stands for.
func FirstRowOf(key, plan string) (first int, ok bool) {
	rest, of := strings.CutPrefix(key, KeyPrefix+plan+"/")
	parts := strings.Split(rest, "/")
	if !of || len(parts) < 2 {
		return 0, false
	}
	first, err := strconv.Atoi(parts[1])
	return first, err == nil && first > 0
}
