package txbuild

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// ProposeParametersParams are the parameters of propose_parameter_change.
type ProposeParametersParams struct {
	Proposer   string          `json:"proposing_account" role:"account" help:"pays the fee of the proposal"`
	Expiration ledger.Time     `json:"expiration_time"   help:"when the proposal expires, UTC"`
	Changed    json.RawMessage `json:"changed_values"    help:"an object of parameters by name, without the fees"`
}

// ProposeParameters proposes new parameters of the chain. Errors: fault.BadValue, those of Payer.
func ProposeParameters(ctx context.Context, b *Builder, p ProposeParametersParams) ([]ledger.Operation, error) {
	return b.proposeParameters(ctx, p.Proposer, p.Expiration, func(now *ledger.ChainParameters) ([]string, error) {
		return changeParameters(b.op, now, p.Changed)
	})
}

// changedValues reads an object with at least one member.
func changedValues(op string, text json.RawMessage) (changed map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(text, &changed); err != nil || len(changed) == 0 {
		return nil, badValue(op, "there is nothing to change", `write an object of what changes, like {"block_interval": 5}`)
	}
	return changed, nil
}

// changeParameters replaces the given parameters in now, and returns their names. Error: fault.BadValue.
func changeParameters(op string, now *ledger.ChainParameters, values json.RawMessage) ([]string, error) {
	const hint = "get_global_properties shows the parameters"
	changed, err := changedValues(op, values)
	if err != nil {
		return nil, err
	}
	if _, fees := changed["current_fees"]; fees {
		return nil, badValue(op, "fees are not changed by "+op, "use propose_fee_change")
	}
	text, err := codec.Marshal(now)
	if err != nil {
		return nil, fault.Own(op, err)
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, fault.Own(op, err)
	}
	for name, value := range changed {
		if _, known := members[name]; !known {
			return nil, badValue(op, "the chain has no parameter "+fault.Quote(name), hint)
		}
		members[name] = value
	}
	if text, err = json.Marshal(members); err == nil {
		err = codec.UnmarshalExact(text, now)
	}
	if err != nil {
		return nil, badValue(op, "these parameters cannot be read: "+err.Error(), hint)
	}
	return slices.Collect(maps.Keys(changed)), nil
}

// ProposeFeesParams are the parameters of propose_fee_change.
type ProposeFeesParams struct {
	Proposer   string          `json:"proposing_account" role:"account" help:"pays the fee of the proposal"`
	Expiration ledger.Time     `json:"expiration_time"   help:"when the proposal expires, UTC"`
	Changed    json.RawMessage `json:"changed_values"    help:"an object of fees by operation name or code; scale applies to all"`
}

// ProposeFees proposes new fees. Errors: fault.BadValue, those of Payer.
func ProposeFees(ctx context.Context, b *Builder, p ProposeFeesParams) ([]ledger.Operation, error) {
	return b.proposeParameters(ctx, p.Proposer, p.Expiration, func(now *ledger.ChainParameters) (names []string, err error) {
		changed, err := changedValues(b.op, p.Changed)
		if err != nil {
			return nil, err
		}
		fees := &now.CurrentFees
		fees.Parameters = slices.Clone(fees.Parameters)
		for name, value := range changed {
			if err := changeFee(b.op, fees, name, value); err != nil {
				return nil, err
			}
			names = append(names, feeFactName(name))
		}
		return names, nil
	})
}

// changeFee replaces the fee of an operation, given by name or code, or the scale of all fees.
func changeFee(op string, fees *ledger.FeeSchedule, name string, value json.RawMessage) error {
	unreadable := func(err error) error {
		return badValue(op, "the fee of "+fault.Quote(name)+" cannot be read: "+err.Error(), `write it like {"fee": 500000}`)
	}
	if name == "scale" {
		if err := codec.UnmarshalExact(value, &fees.Scale); err != nil {
			return unreadable(err)
		}
		return nil
	}
	code, known := operationNamed(name)
	if !known {
		return badValue(op, "no operation is called "+fault.Quote(name), "list_operations shows them")
	}
	var price ledger.FeeParameters
	if err := codec.UnmarshalExact(fmt.Appendf(nil, "[%d,%s]", code, value), &price); err != nil {
		return unreadable(err)
	}
	at := slices.IndexFunc(fees.Parameters, func(f ledger.FeeParameters) bool { return f.Code == code })
	if at < 0 {
		fees.Parameters = append(fees.Parameters, price)
		slices.SortFunc(fees.Parameters, func(a, b ledger.FeeParameters) int { return int(a.Code) - int(b.Code) })
		return nil
	}
	fees.Parameters[at] = price
	return nil
}

// feeFactName returns the name of the fact that a price is, given as the caller names the operation.
func feeFactName(name string) string {
	if code, known := operationNamed(name); known {
		return ledgerview.FeeName(code)
	}
	return name // the scale
}

// operationNamed finds an operation by its code, or by its name with or without the suffix "_operation".
func operationNamed(name string) (ledger.OpCode, bool) {
	for _, code := range ledger.OpCodes() {
		if full := ledger.OpName(code); full == name || full == name+"_operation" || strconv.Itoa(int(code)) == name {
			return code, true
		}
	}
	return 0, false
}

// proposeParameters proposes the present parameters of the chain after a change, which returns the names of what it replaced. A proposal
// names all parameters: what nobody asked to change must be as it was last accepted.
func (b *Builder) proposeParameters(ctx context.Context, proposer string, expires ledger.Time, change func(*ledger.ChainParameters) ([]string, error)) ([]ledger.Operation, error) {
	present, err := b.view.Quorum.Parameters(ctx)
	if err != nil {
		return nil, err
	}
	payer, err := b.Payer(ctx, proposer)
	if err != nil {
		return nil, err
	}
	facts, err := ledgerview.ParameterFacts(present)
	if err != nil {
		return nil, err
	}
	facts = append(facts, ledgerview.ScheduleFacts(&present.CurrentFees)...)
	parameters := *present
	replaced, err := change(&parameters)
	if err != nil {
		return nil, err
	}
	const reviewPeriod = "miner_proposal_review_period" // it also decides how this proposal is made
	b.rest(slices.DeleteFunc(facts, func(f ledgerview.Fact) bool {
		return f.Name != reviewPeriod && slices.Contains(replaced, f.Name)
	})...)
	return b.propose(proposal{payer: payer.ID, expires: expires, review: present.MinerProposalReviewPeriod},
		ledger.NewOperation(&ledger.MinerUpdateGlobalParametersOp{NewParameters: parameters}))
}
