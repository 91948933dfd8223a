package ledgerview

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Fact is something that a daemon says of the ledger and that ends up in what is signed: the id of a symbol, who issues it, the
// vote id of a miner, a fee, a parameter of the chain. It is compared with what was last accepted of its subject.
type Fact struct {
	Kind    string // what the subject is: "the tokens", "the miner"
	Called  string // what the subject is called by people, if it has such a name: "CARDS"
	Subject string // its id; or Fees or Parameters, of which there is one
	Name    string // which fact of the subject: "issuer"
	Value   string // ids and JSON as the ledger writes them
	Rule    string // why it never changes: "a token's id and symbol never change"; empty: it may
	Own     bool   // no other subject of the kind has the same value
}

// The subjects that are no objects.
const (
	Fees       = "fees"
	Parameters = "parameters"
)

// subjectWords returns what a fact is about, for people: "the tokens CARDS (1.10.0)".
func (f Fact) subjectWords() string {
	switch {
	case f.Subject == Fees || f.Subject == Parameters:
		return f.Kind
	case f.Called == "":
		return f.Kind + " " + f.Subject
	}
	return f.Kind + " " + f.Called + " (" + f.Subject + ")"
}

// accepted holds what was accepted on one chain, as far as it was read at one head block. The zero value is empty.
type accepted struct {
	mu    sync.RWMutex
	chain ledger.ChainID
	by    map[string]map[string]store.AcceptedFact // by subject and name
	same  acceptedFees
}

// acceptedNow returns what was accepted as this head block's facts have it: what is forgotten in the store is forgotten with the next block.
// Who compares uses one of them throughout.
func (p *Pins) acceptedNow() *accepted { return &p.cache.current().accepted }

func (a *accepted) get(chain ledger.ChainID, f Fact) (store.AcceptedFact, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.chain != chain {
		return store.AcceptedFact{}, false
	}
	was, known := a.by[f.Subject][f.Name]
	return was, known
}

func (a *accepted) put(chain ledger.ChainID, all []store.AcceptedFact) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.chain != chain || a.by == nil {
		a.chain, a.by = chain, map[string]map[string]store.AcceptedFact{}
	}
	for _, f := range all {
		if a.by[f.Subject] == nil {
			a.by[f.Subject] = map[string]store.AcceptedFact{}
		}
		a.by[f.Subject][f.Name] = f
	}
}

// comparedFact is a fact beside what was accepted of its subject, or of another subject that has the same value as its own.
type comparedFact struct {
	Fact
	was   store.AcceptedFact
	known bool // something was accepted

	handedOn bool // the value is another one, to which this wallet changed it
}

func (c comparedFact) differs() bool {
	return c.known && !c.handedOn && (c.was.Subject != c.Subject || c.was.Value != c.Value)
}

// compareFacts compares facts with what was accepted. What this run knows to be the same needs no store. Error: fault.File.
func (p *Pins) compareFacts(ctx context.Context, facts []Fact) ([]comparedFact, error) {
	chain, accepted := p.Chain(), p.acceptedNow()
	out := make([]comparedFact, len(facts))
	var subjects, values []string
	for i, f := range facts {
		was, known := accepted.get(chain, f)
		out[i] = comparedFact{Fact: f, was: was, known: known}
		if known && was.Value == f.Value {
			continue
		}
		subjects = append(subjects, f.Subject)
		if f.Own {
			values = append(values, f.Value)
		}
	}
	if len(subjects) == 0 {
		return out, nil
	}
	slices.Sort(subjects)
	found, err := p.store.Facts(ctx, chain, slices.Compact(subjects), values) // another program may have accepted it meanwhile
	if err != nil {
		return nil, fault.Store(err)
	}
	accepted.put(chain, found)
	for i, f := range facts {
		out[i].was, out[i].known = accepted.get(chain, f)
		next, changed := accepted.get(chain, Fact{Subject: f.Subject, Name: f.Name + handedOn})
		out[i].handedOn = changed && next.Value == f.Value && p.mayHaveHappened(ctx, next)
		if !f.Own || out[i].differs() {
			continue
		}
		for _, other := range found {
			if other.Own && other.Name == f.Name && other.Value == f.Value && other.Subject != f.Subject {
				out[i].was, out[i].known = other, true
			}
		}
	}
	return out, nil
}

// handedOn follows the name of a fact in the name of the one that holds what this wallet changed it to.
const handedOn = ", handed on"

// handedOnBy begins the source of a fact that this wallet changed: the rest is the transaction.
const handedOnBy = "transaction "

// HandOn stores the values that facts will have once a transaction that is sent now is on the ledger: from then on they count as accepted, too,
// unless it turns out never to happen. Error: fault.File.
func (p *Pins) HandOn(ctx context.Context, facts []Fact, by ledger.TransactionID) error {
	if len(facts) == 0 {
		return nil
	}
	subjects := make([]string, len(facts))
	for i, f := range facts {
		subjects[i] = f.Subject
	}
	found, err := p.store.Facts(ctx, p.Chain(), subjects, nil)
	if err != nil {
		return fault.Store(err)
	}
	accepted := p.acceptedNow()
	accepted.put(p.Chain(), found)
	next := slices.Clone(facts)
	var before []Fact // what was handed on earlier is how it is now
	for i, f := range facts {
		next[i].Name += handedOn
		if was, known := accepted.get(p.Chain(), next[i]); known && was.Value != f.Value && p.mayHaveHappened(ctx, was) {
			f.Value = was.Value
			before = append(before, f)
		}
	}
	if err := p.acceptFacts(ctx, before); err != nil {
		return err
	}
	rows := p.acceptedOf(next)
	for i := range rows {
		rows[i].Source = handedOnBy + by.String()
	}
	return p.acceptRows(ctx, rows)
}

// mayHaveHappened reports whether the transaction that changed a fact happened, or still may.
func (p *Pins) mayHaveHappened(ctx context.Context, changed store.AcceptedFact) bool {
	text, is := strings.CutPrefix(changed.Source, handedOnBy)
	if !is || p.never == nil {
		return true // an earlier version does not say
	}
	id, err := ledger.ParseTransactionID(text)
	return err == nil && !p.never(ctx, id)
}

// PinFacts compares facts that never change with what was first said of them, and stores those that are new. Errors:
// fault.DaemonContradicts, fault.File.
func (p *Pins) PinFacts(ctx context.Context, facts ...Fact) error {
	first, err := p.firstFacts(ctx, facts)
	if err != nil || len(first) == 0 {
		return err
	}
	if err := p.keepFacts(ctx, first); err != nil {
		return err
	}
	_, err = p.firstFacts(ctx, first) // another program may have been first
	return err
}

// firstFacts returns the facts of which nothing is known. Error: fault.DaemonContradicts if what is known differs.
func (p *Pins) firstFacts(ctx context.Context, facts []Fact) (first []Fact, err error) {
	compared, err := p.compareFacts(ctx, facts)
	if err != nil {
		return nil, err
	}
	for _, c := range compared {
		switch {
		case !c.known:
			first = append(first, c.Fact)
		case c.differs():
			source, now := p.speaker()
			say := func(subject, value string) string {
				return fmt.Sprintf("the %s of %s %s is %s", c.Name, c.Kind, subject, fault.Quote(value))
			}
			return nil, contradictionFault(statement{say(c.Subject, c.Value), source, now},
				statement{say(c.was.Subject, c.was.Value), c.was.Source, c.was.Since}, c.Rule, c.was.Subject)
		}
	}
	return first, nil
}

func (p *Pins) keepFacts(ctx context.Context, facts []Fact) error {
	if len(facts) == 0 {
		return nil
	}
	if err := p.store.KeepFacts(ctx, p.Chain(), p.acceptedOf(facts)...); err != nil {
		return fault.Store(err)
	}
	return nil
}

// acceptedOf returns facts as they are stored when they are accepted now.
func (p *Pins) acceptedOf(facts []Fact) []store.AcceptedFact {
	source, now := p.speaker()
	rows := make([]store.AcceptedFact, len(facts))
	for i, f := range facts {
		rows[i] = store.AcceptedFact{Subject: f.Subject, Name: f.Name, Value: f.Value, Own: f.Own, Source: source, Since: now}
	}
	return rows
}

// FactChanges compares facts that may change with what was last accepted. Nothing is stored. Error: fault.File.
func (p *Pins) FactChanges(ctx context.Context, facts ...Fact) (out []Change, err error) {
	compared, err := p.compareFacts(ctx, facts)
	for _, c := range compared {
		if c.differs() {
			out = append(out, Change{Of: c.subjectWords(), What: c.Name, Was: p.shown(ctx, c.was.Value), Now: p.shown(ctx, c.Value),
				Since: c.was.Since})
		}
	}
	return out, err
}

// shown returns a value for people: an account with its name, where that is known.
func (p *Pins) shown(ctx context.Context, value string) string {
	id, isAccount := AccountIDText(value)
	if !isAccount {
		return value
	}
	kept, known, err := p.accounts.find(ctx, id)
	if err != nil || !known {
		return value
	}
	return kept.fact + " (" + value + ")"
}

// Acceptance is the party that stands for facts which are not as they were last accepted.
type Acceptance int

// Who stands for a change.
const (
	AcceptedByNobody  Acceptance = iota
	AllowedByPolicy              // it is signed, and what was accepted before stays
	AcceptedByPerson             // it is what is accepted from now on
	ConfirmedByQuorum            // likewise: several daemons agree on it
)

// Accepts reports whether what differs is accepted from now on.
func (a Acceptance) Accepts() bool { return a == AcceptedByPerson || a == ConfirmedByQuorum }

// CheckFacts refuses facts that differ from what was last accepted, unless somebody stands for them. What is new, and what a person
// or a quorum accepts, is stored. Errors: fault.StateChanged, fault.File.
func (p *Pins) CheckFacts(ctx context.Context, facts []Fact, by Acceptance) error {
	compared, err := p.compareFacts(ctx, facts)
	if err != nil {
		return err
	}
	var first, changed []Fact
	for _, c := range compared {
		switch {
		case !c.known:
			first = append(first, c.Fact)
		case c.differs():
			changed = append(changed, c.Fact)
		}
	}
	switch {
	case len(changed) == 0, by == AllowedByPolicy:
	case by == AcceptedByNobody:
		changes, err := p.FactChanges(ctx, changed...)
		if err != nil {
			return err
		}
		return StateChangedFault(changes[0], changed[0].forgottenBy())
	default:
		if err := p.acceptFacts(ctx, changed); err != nil {
			return err
		}
	}
	return p.keepFacts(ctx, first)
}

// acceptFacts replaces what was accepted.
func (p *Pins) acceptFacts(ctx context.Context, facts []Fact) error {
	return p.acceptRows(ctx, p.acceptedOf(facts))
}

func (p *Pins) acceptRows(ctx context.Context, rows []store.AcceptedFact) error {
	if len(rows) == 0 {
		return nil
	}
	if err := p.store.AcceptFacts(ctx, p.Chain(), rows...); err != nil {
		return fault.Store(err)
	}
	p.acceptedNow().put(p.Chain(), rows)
	return nil
}

// forgottenBy returns the word with which billfold pins forget removes the fact.
func (f Fact) forgottenBy() string {
	if f.Called != "" {
		return f.Called
	}
	return f.Subject
}

// StateChangedFault returns the error for something that nobody accepted as it is now. forget is the argument of billfold pins
// forget that removes what was accepted before.
func StateChangedFault(c Change, forget string) *fault.Error {
	return &fault.Error{Code: fault.StateChanged, Op: "check",
		Message: fmt.Sprintf("the %s of %s is %.300s; it was %.300s when it was accepted on %s",
			c.What, c.Of, c.Now, c.Was, c.Since.UTC().Format("2006-01-02 15:04 UTC")),
		Hint: "nothing was signed; find out whether that is true, then sign once in the wallet, run billfold pins forget " + forget +
			", use --daemon-quorum, or start with --rpc-changed-keys=allow"}
}

// memoryFacts holds accepted facts of a wallet without a store.
type memoryFacts struct {
	mu sync.RWMutex
	by map[[2]string]store.AcceptedFact // by subject and name
}

// Facts implements PinStore.
func (m *memoryFacts) Facts(_ context.Context, _ ledger.ChainID, subjects, values []string) (found []store.AcceptedFact, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, f := range m.by {
		if slices.Contains(subjects, f.Subject) || f.Own && slices.Contains(values, f.Value) {
			found = append(found, f)
		}
	}
	return found, nil
}

// KeepFacts implements PinStore.
func (m *memoryFacts) KeepFacts(_ context.Context, _ ledger.ChainID, facts ...store.AcceptedFact) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range facts {
		taken := func(was store.AcceptedFact) bool {
			return f.Own && was.Own && was.Name == f.Name && was.Value == f.Value
		}
		_, known := m.by[[2]string{f.Subject, f.Name}]
		if !known && !slices.ContainsFunc(slices.Collect(maps.Values(m.by)), taken) {
			m.putLocked(f)
		}
	}
	return nil
}

// AcceptFacts implements PinStore.
func (m *memoryFacts) AcceptFacts(_ context.Context, _ ledger.ChainID, facts ...store.AcceptedFact) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range facts {
		m.putLocked(f)
	}
	return nil
}

func (m *memoryFacts) putLocked(f store.AcceptedFact) {
	if m.by == nil {
		m.by = map[[2]string]store.AcceptedFact{}
	}
	m.by[[2]string{f.Subject, f.Name}] = f
}
