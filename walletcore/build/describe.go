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

// describe says in words what the operations do and what else changes.
func (f *Factory) describe(ctx context.Context, r *Review, ops []ledger.Operation, votes map[ledger.VoteID]string) error {
	is := f.before(ctx, votes)
	mentions := ledgerview.MentionsOf(ops...)
	for _, op := range ops {
		ledger.Effects(op, is, mentions)
	}
	for _, s := range r.Signers {
		mentions.AccountName(s.Account.ID)
	}
	if is.err != nil {
		return fault.Daemon("reading what would change", is.err)
	}
	if err := f.View.Quorum.Agree(ctx, mentions); err != nil {
		return err
	}
	names, err := f.View.Namer(ctx, mentions)
	if err != nil {
		return err
	}
	for _, op := range ops {
		r.Sentences = append(r.Sentences, ledger.Sentence(op, names))
		effects := ledger.Effects(op, is, names)
		r.Effects = append(r.Effects, effects...)
		for _, e := range effects {
			r.give(op, e)
		}
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
