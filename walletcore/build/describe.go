package build

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

// Effects reads what operations change that were built elsewhere, and whom they give something without naming them. Errors: the
// daemon's.
func Effects(ctx context.Context, by *Factory, r *Review, ops []ledger.Operation) error {
	is := newBefore(ctx, by.View, nil)
	names, err := mentioned(by.View, is, ops, ledgerview.MentionsOf(ops...))
	if err != nil {
		return err
	}
	if err := certain(ctx, by.View, ops); err != nil {
		return err
	}
	r.Effects = nil
	r.effects(ops, is, names)
	r.name(by.View)
	return nil
}

// effects notes what operations change besides what they move.
func (r *Review) effects(ops []ledger.Operation, is *before, names ledger.Namer) {
	all := ledger.Together(is, ops)
	for _, op := range ops {
		effects := ledger.Effects(op, all, names)
		r.Effects = append(r.Effects, effects...)
		for _, e := range effects {
			r.give(op, e)
		}
	}
}

// mentioned names all that is said of operations.
func mentioned(view *ledgerview.View, is *before, ops []ledger.Operation, mentions *ledgerview.Mentions) (*ledgerview.Namer, error) {
	all := ledger.Together(is, ops)
	for _, op := range ops {
		ledger.Effects(op, all, mentions)
	}
	if is.err != nil {
		return nil, fault.Daemon("reading what would change", is.err)
	}
	if err := view.Quorum.ConfirmNames(is.ctx, mentions); err != nil {
		return nil, err
	}
	return view.Namer(is.ctx, mentions)
}

// certain refuses operations that speak of an asset in doubt. Errors: those of Quorum.Certain.
func certain(ctx context.Context, view *ledgerview.View, ops []ledger.Operation) error {
	mentions := ledgerview.MentionsOf(ops...)
	all := ledger.Together(newBefore(ctx, view, nil), ops)
	for _, op := range ops {
		ledger.Effects(op, all, mentions)
	}
	mentions.Distinct()
	return view.Quorum.Certain(ctx, mentions.Assets)
}

// describe adds to a review, in words, what the operations do and what else changes.
func (f *Factory) describe(ctx context.Context, r *Review, ops []ledger.Operation, votes map[ledger.VoteID]string) error {
	is := newBefore(ctx, f.View, votes)
	mentions := ledgerview.MentionsOf(ops...)
	for _, s := range r.Signers {
		mentions.AccountName(s.Account.ID)
	}
	names, err := mentioned(f.View, is, ops, mentions)
	if err != nil {
		return err
	}
	r.effects(ops, is, names)
	for _, op := range ops {
		r.Sentences = append(r.Sentences, ledger.Sentence(op, names))
	}
	r.Sentence = strings.Join(r.Sentences, "; ")
	r.Intents, err = intents(ctx, f.View, ops, names)
	return err
}

// Sentence describes what op does.
func (f *Factory) Sentence(ctx context.Context, op ledger.Operation) (string, error) {
	names, err := f.View.Namer(ctx, ledgerview.MentionsOf(op))
	if err != nil {
		return "", err
	}
	return ledger.Sentence(op, names), nil
}

// indented is v as JSON over several lines.
func indented(v any) (string, error) {
	text, err := codec.Marshal(v)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = json.Indent(&out, text, "", "  ")
	return out.String(), err
}
