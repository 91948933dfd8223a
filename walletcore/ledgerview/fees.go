package ledgerview

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// scaleFact is the name of the fact by which all fees are scaled.
const scaleFact = "scale"

// FeeName returns the name of the fact that the price of an operation is: "transfer" for the transfer_operation.
func FeeName(code ledger.OpCode) string { return strings.TrimSuffix(ledger.OpName(code), "_operation") }

func feeFact(name, value string) Fact {
	return Fact{Kind: "the ledger's fees", Subject: Fees, Name: name, Value: value}
}

// feeFacts returns what the fees of operations with these codes rest on.
func feeFacts(s *ledger.FeeSchedule, codes []ledger.OpCode) []Fact {
	facts := []Fact{feeFact(scaleFact, fmt.Sprint(s.Scale))}
	for _, code := range codes {
		facts = append(facts, feeFact(FeeName(code), textOf(s.Of(code))))
	}
	return facts
}

// ScheduleFacts returns everything in a schedule of fees: which operations it lists, the scale, and each price.
func ScheduleFacts(s *ledger.FeeSchedule) []Fact {
	listed := make([]ledger.OpCode, len(s.Parameters))
	for i, f := range s.Parameters {
		listed[i] = f.Code
	}
	all := slices.Clone(listed)
	slices.Sort(all)
	return append(feeFacts(s, slices.Compact(all)), feeFact("operations", fmt.Sprint(listed)))
}

// ParameterFacts returns the parameters of the chain, without the fees, by name.
func ParameterFacts(p *ledger.ChainParameters) ([]Fact, error) {
	text, err := codec.Marshal(p)
	if err != nil {
		return nil, fault.Own("reading the chain's parameters", err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, fault.Own("reading the chain's parameters", err)
	}
	var facts []Fact
	for name, value := range members {
		if name != "current_fees" {
			facts = append(facts, Fact{Kind: "the chain's parameters", Subject: Parameters, Name: name, Value: string(value)})
		}
	}
	return facts, nil
}

// acceptedFees remembers what was compared: a schedule is read once per block, and asked about with each payment.
type acceptedFees struct {
	mu    sync.Mutex
	of    *ledger.FeeSchedule
	codes map[ledger.OpCode]bool // whose price in it is the accepted one
}

func (a *acceptedFees) has(s *ledger.FeeSchedule, codes []ledger.OpCode) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of == s && !slices.ContainsFunc(codes, func(code ledger.OpCode) bool { return !a.codes[code] })
}

func (a *acceptedFees) add(s *ledger.FeeSchedule, codes []ledger.OpCode) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of != s {
		a.of, a.codes = s, map[ledger.OpCode]bool{}
	}
	for _, code := range codes {
		a.codes[code] = true
	}
}

// FeeChange is a fee that is not the one by the last accepted schedule.
type FeeChange struct {
	Code     ledger.OpCode
	Was, Now int64 // smallest unit of DCT
	Since    time.Time
}

// leapFactor is the multiple of the last accepted fee beyond which a person has to type a fee.
const leapFactor = 10

// Leaps reports whether a fee is more than ten times the accepted one: it is not signed without a word of its own.
func (c FeeChange) Leaps() bool { return c.Was*leapFactor < c.Now }

// Change returns the change for a review.
func (c FeeChange) Change() Change {
	return Change{Of: "the operation " + strings.TrimSuffix(FeeName(c.Code), "_obsolete"), What: "fee", Was: DCT().Format(c.Was), Now: DCT().Format(c.Now), Since: c.Since}
}

// FeeChanges compares the fees that operations have by a daemon's schedule with those by the last accepted one. Where nothing was
// accepted of an operation, its fee is no change, unless the scale of all fees is another one. Error: fault.File.
func (p *Pins) FeeChanges(ctx context.Context, stated *ledger.FeeSchedule, ops []ledger.Operation) (out []FeeChange, err error) {
	codes := codesOf(ops)
	if p.acceptedNow().same.has(stated, codes) {
		return nil, nil
	}
	compared, err := p.compareFacts(ctx, feeFacts(stated, codes))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(compared, func(c comparedFact) bool { return !c.known || c.differs() }) {
		p.acceptedNow().same.add(stated, codes)
		return nil, nil
	}
	was, since, err := acceptedSchedule(stated, codes, compared)
	if err != nil {
		return nil, err
	}
	for _, op := range ops {
		fee, err := feeBy(was, op)
		if err != nil {
			return nil, err
		}
		known := func(c FeeChange) bool { return c.Code == op.Code && c.Was == fee && c.Now == op.Fee().Amount }
		if fee != op.Fee().Amount && !slices.ContainsFunc(out, known) {
			out = append(out, FeeChange{op.Code, fee, op.Fee().Amount, since})
		}
	}
	return out, nil
}

func codesOf(ops []ledger.Operation) (codes []ledger.OpCode) {
	for _, op := range ops {
		if !slices.Contains(codes, op.Code) {
			codes = append(codes, op.Code)
		}
	}
	return codes
}

// acceptedSchedule returns the prices that were accepted, where nothing was those that a daemon states, and since when the ones that
// differ are known.
func acceptedSchedule(stated *ledger.FeeSchedule, codes []ledger.OpCode, compared []comparedFact) (*ledger.FeeSchedule, time.Time, error) {
	was, since := &ledger.FeeSchedule{Scale: stated.Scale}, time.Time{}
	for _, code := range codes {
		was.Parameters = append(was.Parameters, stated.Of(code))
	}
	for i, c := range compared {
		if !c.known {
			continue
		}
		if c.differs() && c.was.Since.After(since) {
			since = c.was.Since
		}
		into := any(&was.Scale)
		if i > 0 { // the scale comes first
			into = &was.Parameters[i-1]
		}
		if err := codec.UnmarshalExact([]byte(c.was.Value), into); err != nil {
			return nil, since, fault.Store(err)
		}
	}
	return was, since, nil
}

// feeBy returns the fee of an operation by a schedule. The operation keeps its own.
func feeBy(s *ledger.FeeSchedule, op ledger.Operation) (int64, error) {
	packed, err := codec.Pack(op)
	if err != nil {
		return 0, err
	}
	var copied ledger.Operation
	if err := codec.Unpack(packed, &copied); err != nil {
		return 0, err
	}
	return s.SetFee(copied)
}

// AcceptFees stores what the fees of operations rest on: what is new always, what changed where somebody accepts it. Error: fault.File.
func (p *Pins) AcceptFees(ctx context.Context, stated *ledger.FeeSchedule, ops []ledger.Operation, by Acceptance) error {
	codes := codesOf(ops)
	if p.acceptedNow().same.has(stated, codes) {
		return nil
	}
	if !by.Accepts() {
		return p.CheckFacts(ctx, feeFacts(stated, codes), AllowedByPolicy) // only what is new is stored
	}
	err := p.CheckFacts(ctx, feeFacts(stated, codes), by)
	if err == nil {
		p.acceptedNow().same.add(stated, codes)
	}
	return err
}
