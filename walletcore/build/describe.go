package build

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// Review packs a completed request, unpacks the bytes again and describes what came
// back.
func (f *Factory) Review(ctx context.Context, p *Prepared) (Review, error) {
	read, err := readBack("review", &ledger.Transaction{Operations: p.ops})
	if err != nil {
		return Review{}, err
	}
	r := f.FactsOf(read.Operations)
	r.Chain, r.SignsWith, r.Bytes = f.View.Pins.Chain(), p.signers, hex.EncodeToString(p.packed)
	r.Signers = signersOf(ledger.NeedsOf(read.Operations), p.missing)
	if r.JSON, err = indented(read); err != nil {
		return r, &fault.Error{Code: fault.Internal, Op: "review", Message: err.Error(), Err: err}
	}
	if err := f.describe(ctx, &r, read.Operations, p.words.votes); err != nil {
		return r, err
	}
	r.name(f.View) // by now the names are known
	if err := f.reviewBalances(ctx, &r); err != nil {
		return r, err
	}
	if err := f.checkContacts(p.words.recipients()); err != nil {
		return r, err
	}
	for _, a := range p.words.recipients() {
		changed, err := f.View.Pins.Changes(ctx, a)
		if err != nil {
			return r, err
		}
		r.Changed = append(r.Changed, changed...)
	}
	err = f.compareWithHistory(ctx, &r)
	p.review = r
	return r, err
}

// describe says in words what the operations do and what else changes.
func (f *Factory) describe(ctx context.Context, r *Review, ops []ledger.Operation, votes map[ledger.VoteID]string) error {
	is := &before{ctx: ctx, view: f.View, votes: votes}
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
	names, err := f.View.Namer(ctx, mentions)
	if err != nil {
		return err
	}
	for _, op := range ops {
		r.Sentences = append(r.Sentences, ledger.Sentence(op, names))
		r.Effects = append(r.Effects, ledger.Effects(op, is, names)...)
	}
	r.Sentence = strings.Join(r.Sentences, "; ")
	return nil
}

// Sentence describes what op does.
func (f *Factory) Sentence(ctx context.Context, op ledger.Operation) (string, error) {
	names, err := f.View.Namer(ctx, ledgerview.MentionsOf(op))
	if err != nil {
		return "", err
	}
	return ledger.Sentence(op, names), nil
}

// signersOf lists the authorities that are needed.
func signersOf(needs, missing ledger.Needs) (out []Signer) {
	add := func(role string, ids, open []ledger.AccountID) {
		for _, id := range ids {
			met := true
			for _, lacks := range open {
				met = met && lacks != id
			}
			out = append(out, Signer{Account: ledgerview.AccountRef{ID: id}, Role: role, Met: met})
		}
	}
	add("active", needs.Active, missing.Active)
	add("owner", needs.Owner, missing.Owner)
	for i := range needs.Other {
		out = append(out, Signer{Role: "keys", Keys: &needs.Other[i], Met: len(missing.Other) == 0})
	}
	return out
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

// reviewBalances refuses what accounts cannot pay.
func (f *Factory) reviewBalances(ctx context.Context, r *Review) error {
	assets := map[ledger.AccountID][]ledger.AssetID{}
	for _, o := range r.Outgoing {
		assets[o.Account.ID] = append(assets[o.Account.ID], o.Asset.ID)
	}
	held := map[ledger.AccountID]map[ledger.AssetID]int64{}
	for id, of := range assets {
		var err error
		if held[id], err = f.View.Assets.Held(ctx, id, of...); err != nil {
			return err
		}
	}
	for i := range r.Outgoing {
		o := &r.Outgoing[i]
		o.Available = held[o.Account.ID][o.Asset.ID]
		if o.Account.ID == r.From.ID && o.Asset.ID == r.Asset.ID {
			r.Available = o.Available
		}
		if o.Amount > o.Available {
			return o.tooLittle()
		}
	}
	return nil
}

func (o Outgoing) tooLittle() *fault.Error {
	e := &fault.Error{Code: fault.InsufficientBalance, Op: "transfer", Hint: "nothing was spent; choose a smaller amount"}
	has := o.Account.Name + " has " + o.Asset.Format(o.Available)
	switch {
	case o.Amount == o.Fee:
		e.Message = fmt.Sprintf("%s, but the fee is %s", has, o.Asset.Format(o.Fee))
		e.Hint = "nothing was spent; the account needs more for the fee"
	case o.Fee > 0:
		e.Message = fmt.Sprintf("%s, but this needs %s with its fee", has, o.Asset.Format(o.Amount))
	default:
		e.Message = fmt.Sprintf("%s, but this needs %s", has, o.Asset.Format(o.Amount))
	}
	return e
}

const (
	reviewHistory = 100       // rows of history a review compares with
	repeatWindow  = 24 * 3600 // seconds within which the same payment is called a repeat
)

// compareWithHistory finds whether those who are paid were paid before, this very
// payment was made lately, or a name resembles another.
func (f *Factory) compareWithHistory(ctx context.Context, r *Review) error {
	paid := r.paid()
	if len(paid) == 0 {
		return nil
	}
	rows, err := f.History.Entries(ctx, r.From.ID, 0, reviewHistory)
	if err != nil {
		return err
	}
	_, head, _ := f.View.Chain.Position()
	known := f.known()
	_, r.Contact = contact.Known(f.Contacts.List())[r.To.ID]
	times := map[ledger.AccountID]int{}
	for i, row := range rows {
		if row.Direction != history.Out || row.To.Name == "" { // content has no name here, so one cannot be told from another
			continue
		}
		known[row.To.ID] = row.To
		for _, m := range paid {
			if row.To.ID.Object() != m.To {
				continue
			}
			times[row.To.ID]++
			same := row.Asset.ID == m.Asset.ID && row.Amount == m.Amount
			if same && r.Repeats == nil && row.Time+repeatWindow > head {
				r.Repeats = &rows[i]
			}
		}
	}
	for _, m := range paid {
		to := ledger.AccountID(m.To.Instance())
		r.PaidBefore = times[to]
		r.FirstTime = r.FirstTime || to.Object() != m.To || times[to] == 0
		others := make(map[ledger.AccountID]ledgerview.AccountRef, len(known))
		for id, ref := range known {
			if id.Object() != m.To {
				others[id] = ref
			}
		}
		if to.Object() == m.To {
			r.LooksLike = append(r.LooksLike, ledgerview.LookAlikes(f.View.Accounts.Ref(to).Name, others)...)
		}
	}
	return nil
}

// paid are the moves from the account that acts to somebody.
func (r *Review) paid() (out []Move) {
	for _, m := range r.Moves {
		if m.To != 0 && m.From == r.From.ID.Object() {
			out = append(out, m)
		}
	}
	return out
}
