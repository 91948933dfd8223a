package txbuild

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// Why some facts never change.
const (
	kindRule    = "the id and the symbol of tokens never change"
	minerRule   = "a miner's account, its vote id and, once it has one, its pay never change"
	vestingRule = "the owner of a vesting balance never changes"
	renewalRule = "whose a subscription is, and to whom, never changes"
)

// kindFacts returns what a kind of tokens is: its symbol, and who issues it.
func kindFacts(k *ledger.NFT) []ledgerview.Fact {
	is := ledgerview.Fact{Kind: "the tokens", Called: k.Symbol, Subject: k.ID.Object().String()}
	symbol, issuer := is, is
	symbol.Name, symbol.Value, symbol.Rule, symbol.Own = "symbol", k.Symbol, kindRule, true
	issuer.Name, issuer.Value = "issuer", k.Options.Issuer.String()
	return []ledgerview.Fact{symbol, issuer}
}

// tokenFacts returns whose a token is.
func tokenFacts(t *ledger.NFTData) []ledgerview.Fact {
	return []ledgerview.Fact{{Kind: "the token", Subject: t.ID.Object().String(), Name: "owner", Value: t.Owner.String()}}
}

// issuerFact returns who issues an asset.
func issuerFact(asset ledgerview.AssetRef, issuer ledger.AccountID) ledgerview.Fact {
	return ledgerview.Fact{Kind: "the asset", Called: asset.Symbol, Subject: asset.ID.String(), Name: "issuer", Value: issuer.String()}
}

// minerFacts returns what a miner is: its account, what votes for it name, and what it is paid into.
func minerFacts(m *ledger.Miner) []ledgerview.Fact {
	fact := func(name, value string) ledgerview.Fact {
		return ledgerview.Fact{Kind: "the miner", Subject: m.ID.Object().String(), Name: name, Value: value, Rule: minerRule, Own: true}
	}
	facts := []ledgerview.Fact{fact("account", m.MinerAccount.String()), fact("vote id", m.VoteID.String())}
	if m.PayVB != nil {
		facts = append(facts, fact("pay", m.PayVB.Object().String()))
	}
	return facts
}

func vestingFact(id ledger.VestingBalanceID, owner ledger.AccountID) ledgerview.Fact {
	return ledgerview.Fact{Kind: "the vesting balance", Subject: id.Object().String(), Name: "owner", Value: owner.String(),
		Rule: vestingRule}
}

func subscriptionFacts(s *ledger.Subscription) []ledgerview.Fact {
	fact := func(name string, value ledger.AccountID) ledgerview.Fact {
		return ledgerview.Fact{Kind: "the subscription", Subject: s.ID.Object().String(), Name: name, Value: value.String(), Rule: renewalRule}
	}
	return []ledgerview.Fact{fact("subscriber", s.From), fact("author", s.To)}
}

// HandOn records what a transaction that is about to be sent changes of facts, so that the change is not taken for a lie. Error: fault.File.
func (f *Factory) HandOn(ctx context.Context, signed *Signed) error {
	return f.View.Pins.HandOn(ctx, handedOn(signed.Operations), signed.TransactionID)
}

// handedOn returns what operations change of facts: whose a token is afterwards, and who issues an asset or tokens.
func handedOn(ops []ledger.Operation) (facts []ledgerview.Fact) {
	add := func(subject, name string, to ledger.AccountID) {
		facts = append(facts, ledgerview.Fact{Subject: subject, Name: name, Value: to.String()})
	}
	for _, op := range ops {
		switch body := op.Body.(type) {
		case *ledger.NFTTransferOp:
			add(body.NFTDataID.Object().String(), "owner", body.To)
		case *ledger.NFTUpdateDefinitionOp:
			if body.Options.Issuer != body.CurrentIssuer {
				add(body.NFTID.Object().String(), "issuer", body.Options.Issuer)
			}
		case *ledger.UpdateUserIssuedAssetOp:
			if body.NewIssuer != nil {
				add(body.AssetToUpdate.String(), "issuer", *body.NewIssuer)
			}
		}
	}
	return facts
}

// lastingFacts returns the facts that never change, or those that may.
func (w *words) lastingFacts(never bool) (out []ledgerview.Fact) {
	for _, f := range w.facts {
		if (f.Rule != "") == never {
			out = append(out, f)
		}
	}
	return out
}

// pricedOps are operations with their fees by a schedule.
type pricedOps struct {
	by  *ledger.FeeSchedule
	ops []ledger.Operation
}

// stands returns who stands for what is not as it was last accepted.
func (f *Factory) stands(p *Prepared) ledgerview.Acceptance {
	switch {
	case f.View.Quorum.Size() > 1:
		return ledgerview.ConfirmedByQuorum
	case p != nil && p.seen:
		return ledgerview.AcceptedByPerson
	case f.AcceptChanges:
		return ledgerview.AllowedByPolicy
	}
	return ledgerview.AcceptedByNobody
}

// changes returns what the operations rest on that is not as it was last accepted: facts, and fees. What a quorum confirms is no
// change. Errors: fault.File.
func (f *Factory) changes(ctx context.Context, p *Prepared) (out []ledgerview.Change, fees []ledgerview.FeeChange, err error) {
	if f.stands(p) == ledgerview.ConfirmedByQuorum {
		return nil, nil, nil
	}
	if out, err = f.View.Pins.FactChanges(ctx, p.words.lastingFacts(false)...); err != nil {
		return nil, nil, err
	}
	if p.priced.by == nil {
		return out, nil, nil
	}
	fees, err = f.View.Pins.FeeChanges(ctx, p.priced.by, p.priced.ops)
	for _, c := range fees {
		out = append(out, c.Change())
	}
	return out, fees, err
}

// addFactChanges adds to a review what changed of all that the operations rest on.
func (f *Factory) addFactChanges(ctx context.Context, r *Review, p *Prepared) error {
	changed, fees, err := f.changes(ctx, p)
	r.Changed = append(r.Changed, changed...)
	r.FeeLeaps = slices.ContainsFunc(fees, ledgerview.FeeChange.Leaps)
	if err == nil {
		r.checked |= checkedAccepted
	}
	return err
}

// checkFacts refuses what is not as it was last accepted, unless somebody stands for it; then, or where nothing was accepted yet, it is
// stored. Errors: fault.StateChanged, fault.FeeTooHigh, fault.File.
func (f *Factory) checkFacts(ctx context.Context, p *Prepared) error {
	by := f.stands(p)
	if facts := p.words.lastingFacts(false); len(facts) > 0 {
		if err := f.View.Pins.CheckFacts(ctx, facts, by); err != nil {
			return err
		}
	}
	return f.acceptFees(ctx, p.priced, by)
}

// acceptFees is checkFacts for fees.
func (f *Factory) acceptFees(ctx context.Context, priced pricedOps, by ledgerview.Acceptance) error {
	if priced.by == nil {
		return nil
	}
	if !by.Accepts() {
		changed, err := f.View.Pins.FeeChanges(ctx, priced.by, priced.ops)
		if err != nil {
			return err
		}
		for _, c := range changed {
			if c.Leaps() {
				return f.feeLeapsFault(c)
			}
			if by == ledgerview.AcceptedByNobody {
				return ledgerview.StateChangedFault(c.Change(), ledgerview.Fees)
			}
		}
	}
	return f.View.Pins.AcceptFees(ctx, priced.by, priced.ops, by)
}

// feeLeapsFault returns the error for a fee that is more than ten times the accepted one.
func (f *Factory) feeLeapsFault(c ledgerview.FeeChange) *fault.Error {
	change := c.Change()
	return &fault.Error{Code: fault.FeeTooHigh, Op: "sign",
		Message: "the daemon at " + fault.Address(f.Daemon.Status().URL) + " asks for a fee of " + change.Now + " for " + change.Of +
			", more than ten times the " + change.Was + " that were accepted on " + c.Since.UTC().Format("2006-01-02 15:04 UTC"),
		Hint: "nothing was signed; ask another daemon; if the fee really is that high, sign once in the wallet, or run billfold pins forget " +
			ledgerview.Fees}
}
