package txbuild

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// AddEffects adds to a review of operations that were built elsewhere what they change, and who gets something without being named.
// Errors: the daemon's.
func (by *Factory) AddEffects(ctx context.Context, r *Review, ops []ledger.Operation) error {
	state := newBefore(ctx, by.View, nil)
	names, err := namerFor(by.View, state, ops, ledgerview.MentionsOf(ops...))
	if err != nil {
		return err
	}
	certain, err := checkCertain(ctx, by.View, ops)
	if err != nil {
		return err
	}
	r.Effects = nil
	if err := r.addEffects(ops, state, names); err != nil {
		return err
	}
	r.fillNames(by.View)
	r.checked |= checkedEffects | certain
	return nil
}

// addEffects adds what operations change besides moving amounts. Error: the daemon's, if any of it cannot be read.
func (r *Review) addEffects(ops []ledger.Operation, state *before, names ledger.Namer) error {
	all := ledger.Together(state, ops)
	for _, op := range ops {
		effects := ledger.Effects(op, all, names)
		r.Effects = append(r.Effects, effects...)
		for _, e := range effects {
			r.addGifts(op, e)
		}
	}
	return state.fault()
}

// namerFor returns a namer for everything that descriptions of the operations mention.
func namerFor(view *ledgerview.View, state *before, ops []ledger.Operation, mentions *ledgerview.Mentions) (*ledgerview.Namer, error) {
	all := ledger.Together(state, ops)
	for _, op := range ops {
		ledger.Effects(op, all, mentions)
	}
	if err := state.fault(); err != nil {
		return nil, err
	}
	if err := view.Quorum.ConfirmNames(state.ctx, mentions); err != nil {
		return nil, err
	}
	return view.Namer(state.ctx, mentions)
}

// checkCertain refuses operations that mention an asset on which the daemons disagree. Errors: those of Quorum.CheckCertain, the daemon's.
func checkCertain(ctx context.Context, view *ledgerview.View, ops []ledger.Operation) (checks, error) {
	mentions := ledgerview.MentionsOf(ops...)
	state := newBefore(ctx, view, nil)
	all := ledger.Together(state, ops)
	for _, op := range ops {
		ledger.Effects(op, all, mentions)
	}
	if err := state.fault(); err != nil {
		return 0, err
	}
	mentions.Distinct()
	if err := view.Quorum.CheckCertain(ctx, mentions.Assets); err != nil {
		return 0, err
	}
	return checkedAssets, nil
}

// describe adds to a review, in words, what the operations do and what else they change.
func (f *Factory) describe(ctx context.Context, r *Review, ops []ledger.Operation, votes map[ledger.VoteID]string) error {
	state := newBefore(ctx, f.View, votes)
	mentions := ledgerview.MentionsOf(ops...)
	for _, s := range r.Signers {
		mentions.AccountName(s.Account.ID)
	}
	names, err := namerFor(f.View, state, ops, mentions)
	if err != nil {
		return err
	}
	if err := r.addEffects(ops, state, names); err != nil {
		return err
	}
	for _, op := range ops {
		r.Sentences = append(r.Sentences, ledger.Sentence(op, names))
	}
	r.Sentence = strings.Join(r.Sentences, "; ")
	if r.Intents, err = intents(ctx, f.View, ops, names); err != nil {
		return err
	}
	r.checked |= checkedEffects
	return nil
}

// Sentence returns a description of what op does.
func (f *Factory) Sentence(ctx context.Context, op ledger.Operation) (string, error) {
	names, err := f.View.Namer(ctx, ledgerview.MentionsOf(op))
	if err != nil {
		return "", err
	}
	return ledger.Sentence(op, names), nil
}

// indentJSON returns v as JSON over several lines.
func indentJSON(v any) (string, error) {
	text, err := codec.Marshal(v)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = json.Indent(&out, text, "", "  ")
	return out.String(), err
}

// Explain describes operations that others made and that are not being signed here: a review without
// balances, keys and earlier payments. Errors: the daemon's.
func (f *Factory) Explain(ctx context.Context, ops ...ledger.Operation) (Review, error) {
	r := f.FactsOf(ops)
	text, err := indentJSON(&ledger.Transaction{Operations: ops})
	if err != nil {
		return r, &fault.Error{Code: fault.Internal, Op: "explain", Message: err.Error(), Err: err}
	}
	r.JSON, r.Chain = text, f.View.Pins.Chain()
	if err := f.describe(ctx, &r, ops, nil); err != nil {
		return r, err
	}
	r.fillNames(f.View) // by now the names are known
	if err := (follower{f}).weighControls(ctx, &r); err != nil || len(ops) < 2 {
		return r, err
	}
	for _, op := range ops {
		one, err := f.Explain(ctx, op)
		if err != nil {
			return r, err
		}
		r.Each = append(r.Each, one)
	}
	return r, nil
}
