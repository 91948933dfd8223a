package cosign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
)

// Inspection is the contents of a file, read from its bytes. Names in it were written by others.
type Inspection struct {
	ID         ledger.TransactionID
	Chain      ledger.ChainID
	Sentences  []string // one for each operation
	Memos      []Memo
	Receivers  []string // warnings about those who receive something
	Effects    []ledger.Effect
	Careful    []string // warnings; a review that knows the wallet's keys has more
	Fees       []string // one for each asset that fees are paid in
	Expiration ledger.Time
	Expired    bool // by this machine's clock
	Needs      []Need
	Strangers  []ledger.PublicKey // keys that signed but are not needed, as far as the file says
	Complete   bool               // no signature is missing, as far as the file says
	Unchecked  []string           // what cannot be checked without a daemon
}

// Memo is a text that belongs to an operation.
type Memo struct {
	Text    string // as others wrote it; empty if the wallet cannot read it
	Open    bool   // the wallet can read it
	Message bool   // it is the text of a message
}

// longestMemo is the maximum number of characters of a memo that are shown.
const longestMemo = 1000

// String returns the memo on one line, in quotes.
func (m Memo) String() string {
	if !m.Open {
		return "encrypted, and this wallet cannot read it now"
	}
	return printable.Quote(m.Text, longestMemo)
}

// Need is an authority that has to sign.
type Need struct {
	Name      string // of the account; "keys" if keys are named directly
	Role      string // active or owner
	Met       bool
	Threshold uint32
	Parties   []Party // who may sign; nil if the file does not say
	Owner     *Need   // for an active authority: the owner authority, which suffices as well
}

// Party is an account or a key in an authority.
type Party struct {
	Name   string
	Weight uint16
	Signed bool
}

// Inspect describes a file by its bytes and what is known at now. Error: fault.BadFile.
func (f *File) Inspect(known Known, now time.Time) (Inspection, error) {
	n := namer{known, &f.Unchecked}
	tx := &f.Transaction.Transaction
	in := Inspection{ID: f.ID, Chain: f.Chain, Expiration: tx.Expiration, Expired: tx.Expiration <= ledger.TimeOf(now)}
	if err := n.contradiction(); err != nil {
		return in, err
	}
	fees := map[ledger.AssetID]int64{}
	before := ledger.Together(known.before(), tx.Operations)
	for _, op := range tx.Operations {
		in.Sentences = append(in.Sentences, ledger.Intent(op, n))
		in.Effects = append(in.Effects, ledger.Effects(op, before, n)...)
		total, fits := ledger.AddAmounts(fees[op.Fee().AssetID], op.Fee().Amount)
		if !fits {
			return in, bad("its fees are larger than any amount")
		}
		fees[op.Fee().AssetID] = total
		for _, memo := range op.Memos() {
			in.Memos = append(in.Memos, memoOf(known, memo))
		}
		for _, each := range op.WithProposed() {
			in.Memos = append(in.Memos, messageMemos(known, each)...)
		}
	}
	for asset, amount := range fees {
		in.Fees = append(in.Fees, n.AmountText(ledger.AssetAmount{Amount: amount, AssetID: asset}))
	}
	slices.Sort(in.Fees)
	in.Careful = n.warnings(tx.Operations, in.Effects)
	in.Receivers = n.receiverWarnings(tx.Operations)
	f.inspectSigners(&in, n)
	in.Unchecked = []string{withoutBalances, "whether the accounts still have these keys"}
	return in, nil
}

// receiverWarnings returns warnings about receivers that the wallet does not know, or whose names are easily mistaken
// for another.
func (n namer) receiverWarnings(ops []ledger.Operation) (out []string) {
	seen := map[ledger.AccountID]bool{}
	for _, op := range ops {
		for _, id := range op.Receivers() {
			if !seen[id] && n.known.Account != nil {
				out = append(out, n.doubtsAbout(id)...)
			}
			seen[id] = true
		}
	}
	return out
}

func (n namer) doubtsAbout(id ledger.AccountID) (out []string) {
	name, known := n.known.Account(id)
	if !known {
		out = append(out, "this wallet does not know "+id.String()+", which receives something; compare the id with one that you trust")
		name = n.hints.Called(id)
	}
	if n.known.Alike != nil && name != "" {
		for _, other := range n.known.Alike(id, name) {
			out = append(out, fmt.Sprintf("the name of %s, which receives something, is easily mistaken for %s", id, other))
		}
	}
	return out
}

// warnings returns a warning for each operation that gives power over an account, whatever was set before, and those of
// the effects.
func (n namer) warnings(ops []ledger.Operation, effects []ledger.Effect) (out []string) {
	for _, op := range ops {
		switch body := op.Body.(type) {
		case *ledger.AccountUpdateOp:
			for role, set := range map[string]bool{"owner authority": body.Owner != nil, "active authority": body.Active != nil,
				"memo key": body.NewOptions != nil} {
				if set {
					out = append(out, "sets the "+role+" of "+n.AccountName(body.Account)+"; what it is then stands below")
				}
			}
		case *ledger.WithdrawPermissionCreateOp, *ledger.WithdrawPermissionUpdateOp:
			out = append(out, "lets somebody withdraw from "+n.AccountName(body.FeePayer())+" in each period, unasked")
		}
	}
	slices.Sort(out)
	for _, e := range effects {
		if e.Careful != "" {
			out = append(out, e.Careful)
		}
	}
	return out
}

func memoOf(known Known, memo *ledger.Memo) (m Memo) {
	if known.Memo != nil {
		m.Text, m.Open = known.Memo(memo)
	} else if text, plain, err := memo.Plain(); plain && err == nil {
		m = Memo{Text: text, Open: true}
	}
	return m
}

// messageMemos returns the texts of a message, each once, because a message may have a different text for each
// receiver; none if the operation is not a message.
func messageMemos(known Known, op ledger.Operation) (out []Memo) {
	custom, is := op.Body.(*ledger.CustomOp)
	if !is || custom.ID != ledger.MessageID {
		return nil
	}
	message, err := ledger.ReadMessage(custom.Data)
	if err != nil {
		return nil
	}
	for i := range message.Receivers {
		memo := message.Memo(i)
		text := memoOf(known, &memo)
		if text.Message = true; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func (f *File) signersOf(keys []ledger.PublicKey) *ledger.Signers {
	s := &ledger.Signers{Keys: map[ledger.PublicKey]bool{}, Lookup: f.Unchecked.lookup, MaxDepth: f.Unchecked.Depth}
	for _, key := range keys {
		s.Keys[key] = true
	}
	return s
}

func (f *File) needs() ledger.Needs { return ledger.NeedsOf(f.Transaction.Operations) }

func (f *File) inspectSigners(in *Inspection, n namer) {
	needs, judge := f.needs(), f.signersOf(f.signers)
	add := func(id ledger.AccountID, role string, met bool) {
		need := Need{Name: n.AccountName(id), Role: role, Met: met}
		if a := f.Unchecked.lookup(id); a != nil {
			owner := Need{Role: "owner", Met: judge.Owner(id), Threshold: a.Owner.WeightThreshold, Parties: partiesOf(a.Owner, judge, n)}
			need.Threshold, need.Parties = owner.Threshold, owner.Parties
			if role == "active" {
				need.Threshold, need.Parties, need.Owner = a.Active.WeightThreshold, partiesOf(a.Active, judge, n), &owner
			}
		}
		in.Needs = append(in.Needs, need)
	}
	for _, id := range needs.Active {
		add(id, "active", judge.Active(id))
	}
	for _, id := range needs.Owner {
		add(id, "owner", judge.Owner(id))
	}
	for _, keys := range needs.Other {
		in.Needs = append(in.Needs, Need{Name: "keys", Met: judge.Holds(keys), Threshold: keys.WeightThreshold,
			Parties: partiesOf(keys, judge, n)})
	}
	in.Strangers, in.Complete = f.strangers(), judge.Missing(needs).Empty()
}

func partiesOf(a ledger.Authority, judge *ledger.Signers, n namer) (out []Party) {
	for _, w := range a.AccountAuths {
		out = append(out, Party{n.AccountName(w.Account), w.Weight, judge.Active(w.Account)})
	}
	for _, w := range a.KeyAuths {
		out = append(out, Party{w.Key.String(), w.Weight, judge.Keys[w.Key]})
	}
	return out
}

// strangers returns the keys that signed although no account of the transaction names them. If the file does not say
// who may act for an account, it returns none.
func (f *File) strangers() (out []ledger.PublicKey) {
	needs := f.needs()
	for _, id := range slices.Concat(needs.Active, needs.Owner) {
		if f.Unchecked.lookup(id) == nil {
			return nil
		}
	}
	for _, key := range f.signers {
		is := func(other ledger.PublicKey) bool { return other == key }
		if !ledger.AnyCounts(needs, is, f.Unchecked.lookup, f.Unchecked.Depth) {
			out = append(out, key)
		}
	}
	return out
}

func (k Known) before() ledger.Before {
	if k.Before == nil {
		return unknownLedger{}
	}
	return k.Before
}

// unknownLedger is a ledger of which nothing is known: what a file says about accounts is never shown as the present state.
type unknownLedger struct{}

// Account implements ledger.Before.
func (unknownLedger) Account(ledger.AccountID) *ledger.Account { return nil }

// Asset implements ledger.Before.
func (unknownLedger) Asset(ledger.AssetID) *ledger.Asset { return nil }

// Proposal implements ledger.Before.
func (unknownLedger) Proposal(ledger.ProposalID) *ledger.Proposal { return nil }

// Parameters implements ledger.Before.
func (unknownLedger) Parameters() *ledger.ChainParameters { return nil }

// VoteName implements ledger.Before.
func (unknownLedger) VoteName(id ledger.VoteID) string { return "miner with the vote " + id.String() }

// Subscription implements ledger.Before.
func (unknownLedger) Subscription(ledger.AccountID, ledger.AccountID) *ledger.Terms { return nil }

// Content implements ledger.Before.
func (unknownLedger) Content(string, uint32) *ledger.Terms { return nil }

// Text describes the file in lines for a person.
func (in Inspection) Text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("transaction", "%s", in.ID)
	line("chain", "%s", in.Chain)
	for _, sentence := range in.Sentences {
		line("what", "%s", sentence)
	}
	for _, memo := range in.Memos {
		line(map[bool]string{false: "memo", true: "message"}[memo.Message], "%s", memo)
	}
	for _, doubt := range in.Receivers {
		line("CAREFUL", "%s", doubt)
	}
	for _, warning := range in.Careful {
		line("CAREFUL", "%s", warning)
	}
	for _, e := range in.Effects {
		line("changes", "%s", effectText(e))
	}
	line("fee", "%s", strings.Join(in.Fees, " and "))
	line("expires", "%s UTC%s", in.Expiration, map[bool]string{true: ": it has EXPIRED"}[in.Expired])
	for _, need := range in.Needs {
		line("needs", "%s", need)
	}
	for _, key := range in.Strangers {
		line("CAREFUL", "%s signed it, and no account of the transaction has this key", key)
	}
	if in.Complete {
		line("signatures", "it has all that it needs")
	}
	for _, what := range in.Unchecked {
		line("unchecked", "%s", what)
	}
	return b.String()
}

func effectText(e ledger.Effect) string {
	text := e.What + ": "
	if e.Was != "" {
		text += e.Was + " → "
	}
	text += cmp.Or(e.Now, e.Careful)
	if e.Note != "" {
		text += " (" + e.Note + ")"
	}
	return text
}

// String returns the need in words.
func (n Need) String() string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(n.Name + " " + n.Role))
	b.WriteString(map[bool]string{true: ", which is there", false: ", which is missing"}[n.Met])
	if n.Parties == nil {
		b.WriteString("; the file does not say who may sign")
		return b.String()
	}
	fmt.Fprintf(&b, "; %d of:%s", n.Threshold, partyLines(n.Parties))
	if n.Owner != nil {
		fmt.Fprintf(&b, "\n               or, as its owner, %d of:%s", n.Owner.Threshold, partyLines(n.Owner.Parties))
	}
	return b.String()
}

func partyLines(parties []Party) string {
	var b strings.Builder
	for _, p := range parties {
		fmt.Fprintf(&b, "\n                 %s weighs %d and %s", p.Name, p.Weight,
			map[bool]string{true: "has signed", false: "may sign"}[p.Signed])
	}
	return b.String()
}

// What remains unchecked in a file, without a daemon and with one that reported the payers' balances.
const (
	withoutBalances = "balances, and whether the ledger would take it"
	withBalances    = "whether the ledger would take it"
)

// MarkBalancesKnown records that a daemon reported the payers' balances.
func (in *Inspection) MarkBalancesKnown() {
	for i, what := range in.Unchecked {
		if what == withoutBalances {
			in.Unchecked[i] = withBalances
		}
	}
}
