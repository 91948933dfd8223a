package ledgerview

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// pin is a statement about something that never changes on the ledger: the fact about
// the object id.
type pin[ID, F comparable] struct {
	id     ID
	fact   F
	source string    // who made the statement
	since  time.Time // and when
	kept   bool      // it is in the store
}

// pinTable holds the statements about one kind of object. An object has one fact, and
// the fact's text belongs to that object alone.
//
// Every statement is remembered for a while, so that two daemons that disagree are
// noticed whatever they were asked. Statements in the store are remembered for ever.
type pinTable[ID, F comparable] struct {
	text func(F) string
	load func(context.Context, []ID, []string) ([]pin[ID, F], error)
	save func(context.Context, []pin[ID, F]) ([]pin[ID, F], error) // returns what the store has for these ids and texts afterwards

	mu         sync.RWMutex
	young, old pinMaps[ID, F]
	waiting    map[ID]pin[ID, F] // queued for the next flush
	lookedUp   int               // how many were queued in this run
}

// pinMaps are one generation of statements.
type pinMaps[ID, F comparable] struct {
	byID   map[ID]pin[ID, F]
	byText map[string]pin[ID, F]
}

const (
	maxPins     = 20_000 // in a generation
	maxLookedUp = 10_000 // that are stored in one run of the program only because they were looked up
)

// contradiction is a statement and the pin that it contradicts.
type contradiction[ID, F comparable] struct{ now, was pin[ID, F] }

// recall finds what was said about id in this run.
func (t *pinTable[ID, F]) recall(id ID) (pin[ID, F], bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	p, ok := t.young.byID[id]
	if !ok {
		p, ok = t.old.byID[id]
	}
	return p, ok
}

func (t *pinTable[ID, F]) recallText(text string) (pin[ID, F], bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	p, ok := t.young.byText[text]
	if !ok {
		p, ok = t.old.byText[text]
	}
	return p, ok
}

func (t *pinTable[ID, F]) remember(p pin[ID, F]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.young.byID) >= maxPins || t.young.byID == nil {
		t.old, t.young = t.young, pinMaps[ID, F]{map[ID]pin[ID, F]{}, map[string]pin[ID, F]{}}
	}
	t.young.byID[p.id], t.young.byText[t.text(p.fact)] = p, p
}

// check compares statements with earlier ones and remembers those that agree. It returns the first contradiction.
func (t *pinTable[ID, F]) check(ctx context.Context, said ...pin[ID, F]) (*contradiction[ID, F], error) {
	all, err := t.compare(ctx, said...)
	if len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// compare is check, but returns every contradiction: one about an object does not affect the others.
func (t *pinTable[ID, F]) compare(ctx context.Context, said ...pin[ID, F]) (all []contradiction[ID, F], err error) {
	var ids []ID
	var texts []string
	for _, p := range said {
		if was, ok := t.recall(p.id); !ok || was.fact != p.fact {
			ids, texts = append(ids, p.id), append(texts, t.text(p.fact))
		}
	}
	if len(ids) > 0 {
		kept, err := t.load(ctx, ids, texts)
		if err != nil {
			return nil, err
		}
		for _, p := range kept {
			p.kept = true
			t.remember(p)
		}
	}
	for _, p := range said {
		if c := t.conflictOf(p); c != nil {
			all = append(all, *c)
		} else if _, known := t.recall(p.id); !known {
			t.remember(p)
		}
	}
	return all, nil
}

// conflictOf returns the remembered pin that p contradicts. A pin with its text takes
// precedence over one with its id, unless only the latter is in the store.
func (t *pinTable[ID, F]) conflictOf(p pin[ID, F]) *contradiction[ID, F] {
	ofText, known := t.recallText(t.text(p.fact))
	wrongText := known && (ofText.id != p.id || ofText.fact != p.fact)
	ofID, known := t.recall(p.id)
	wrongID := known && ofID.fact != p.fact
	switch {
	case wrongText && (ofText.kept || !wrongID || !ofID.kept):
		return &contradiction[ID, F]{p, ofText}
	case wrongID:
		return &contradiction[ID, F]{p, ofID}
	}
	return nil
}

// keep stores p permanently if it contradicts nothing.
func (t *pinTable[ID, F]) keep(ctx context.Context, p pin[ID, F]) (*contradiction[ID, F], error) {
	if c, err := t.check(ctx, p); c != nil || err != nil {
		return c, err
	}
	if was, _ := t.recall(p.id); was.kept && was.source != historySource { // the index could be rebuilt from another daemon
		return nil, nil
	}
	kept, err := t.save(ctx, []pin[ID, F]{p})
	if err != nil {
		return nil, err
	}
	for _, k := range kept { // another process may have been first
		k.kept = true
		t.remember(k)
	}
	return t.conflictOf(p), nil
}

// queue leaves what was said about id to the next flush. It reports false if that is
// stored or queued already, or too many were looked up.
func (t *pinTable[ID, F]) queue(id ID) bool {
	p, known := t.recall(id)
	if !known || p.kept {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, waits := t.waiting[id]; waits || t.lookedUp >= maxLookedUp {
		return false
	}
	if t.waiting == nil {
		t.waiting = map[ID]pin[ID, F]{}
	}
	t.lookedUp++
	t.waiting[id] = p
	return true
}

// flush stores what is queued, in one commit.
func (t *pinTable[ID, F]) flush(ctx context.Context) error {
	t.mu.Lock()
	waiting := t.waiting
	t.waiting = nil
	t.mu.Unlock()
	if len(waiting) == 0 {
		return nil
	}
	kept, err := t.save(ctx, slices.Collect(maps.Values(waiting)))
	for _, p := range kept {
		p.kept = true
		t.remember(p)
	}
	return err
}

// findText returns the pin of the object that text names.
func (t *pinTable[ID, F]) findText(ctx context.Context, text string) (pin[ID, F], bool, error) {
	if p, ok := t.recallText(text); ok && p.kept {
		return p, true, nil
	}
	kept, err := t.load(ctx, nil, []string{text})
	if err != nil || len(kept) == 0 {
		return pin[ID, F]{}, false, err
	}
	kept[0].kept = true
	t.remember(kept[0])
	return kept[0], true, nil
}

// findOrRecall is findText, but also returns what was only said in this run.
func (t *pinTable[ID, F]) findOrRecall(ctx context.Context, text string) (pin[ID, F], bool, error) {
	kept, known, err := t.findText(ctx, text)
	if err != nil || known {
		return kept, known, err
	}
	recalled, known := t.recallText(text)
	return recalled, known, nil
}

// find returns the pin of an object.
func (t *pinTable[ID, F]) find(ctx context.Context, id ID) (pin[ID, F], bool, error) {
	if p, ok := t.recall(id); ok && p.kept {
		return p, true, nil
	}
	kept, err := t.load(ctx, []ID{id}, nil)
	if err != nil || len(kept) == 0 {
		return pin[ID, F]{}, false, err
	}
	kept[0].kept = true
	t.remember(kept[0])
	return kept[0], true, nil
}

// preload loads the pins of objects, so that recall finds them.
func (t *pinTable[ID, F]) preload(ctx context.Context, ids []ID) error {
	if len(ids) == 0 {
		return nil
	}
	kept, err := t.load(ctx, ids, nil)
	for _, p := range kept {
		p.kept = true
		t.remember(p)
	}
	return err
}

// assetFact is the part of an asset that never changes.
type assetFact struct {
	symbol    string
	precision uint8
}

type (
	accountPin = pin[ledger.AccountID, string]
	assetPin   = pin[ledger.AssetID, assetFact]
)

// Sources of pins other than daemons.
const (
	keyFile       = "the key file"
	historySource = "the history of this wallet's accounts"
)

// statement holds what a source said, and when.
type statement struct {
	what, source string
	since        time.Time
}

// contradictionFault returns the error for a daemon that contradicts an earlier statement.
// rule is the reason why both cannot be true. forget is the argument of billfold pins forget that
// removes the pin.
func contradictionFault(now, was statement, rule, forget string) *fault.Error {
	known := was.what + " on every chain of this kind"
	hint := "nothing was signed; use another daemon (--daemon-url)"
	switch {
	case was.source == keyFile:
		known = was.what + " by the key file of this wallet"
	case was.source == historySource:
		known = was.what + " by " + historySource
		hint += "; if that was read from a daemon that lied: billfold pins forget " + forget
	case was.source != "":
		known = fmt.Sprintf("%s by what %s said on %s", was.what, fault.Address(was.source), was.since.UTC().Format("2006-01-02 15:04 UTC"))
		hint += "; if what was said first is wrong: billfold pins forget " + forget
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: "check", Hint: hint,
		Message: fmt.Sprintf("the daemon at %s says that %s, but %s; %s", fault.Address(now.source), now.what, known, rule)}
}
