package ledgerview

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// pin is something a daemon said that never changes on the ledger: fact of the
// object id.
type pin[ID, F comparable] struct {
	id     ID
	fact   F
	source string    // who said so
	since  time.Time // when
	kept   bool      // it is in the store
}

// pinTable holds what was said of one kind of object. An object has one fact,
// and the fact's text belongs to that object alone.
//
// Everything that was said is remembered for a while, so that two daemons that
// disagree are noticed whatever was asked; what the store keeps is remembered
// for ever.
type pinTable[ID, F comparable] struct {
	text func(F) string
	load func(context.Context, []ID, []string) ([]pin[ID, F], error)
	save func(context.Context, []pin[ID, F]) ([]pin[ID, F], error) // what is kept then of their ids and texts

	mu         sync.RWMutex
	young, old pinMaps[ID, F]
	waiting    map[ID]pin[ID, F] // to be kept soon
	lookedUp   int               // how many waited so far
}

// pinMaps are one generation of what was said.
type pinMaps[ID, F comparable] struct {
	byID   map[ID]pin[ID, F]
	byText map[string]pin[ID, F]
}

const (
	mostPins     = 20_000 // in a generation
	mostLookedUp = 10_000 // that one run of the program keeps because somebody looked them up
)

// contradiction is what was said against a pin.
type contradiction[ID, F comparable] struct{ now, was pin[ID, F] }

// recall finds what was said of id, this run.
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
	if len(t.young.byID) >= mostPins || t.young.byID == nil {
		t.old, t.young = t.young, pinMaps[ID, F]{map[ID]pin[ID, F]{}, map[string]pin[ID, F]{}}
	}
	t.young.byID[p.id], t.young.byText[t.text(p.fact)] = p, p
}

// check compares what is said with what was said before, and remembers what agrees. It returns the first contradiction.
func (t *pinTable[ID, F]) check(ctx context.Context, said ...pin[ID, F]) (*contradiction[ID, F], error) {
	all, err := t.compare(ctx, said...)
	if len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// compare is check that returns every contradiction: what is said of one object is no word against another.
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
		if c := t.against(p); c != nil {
			all = append(all, *c)
		} else if _, known := t.recall(p.id); !known {
			t.remember(p)
		}
	}
	return all, nil
}

// against returns what p contradicts of what is remembered: what was said of its
// text before what was said of its id, unless only the latter is kept.
func (t *pinTable[ID, F]) against(p pin[ID, F]) *contradiction[ID, F] {
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

// keep puts p into the store, for ever, if it contradicts nothing.
func (t *pinTable[ID, F]) keep(ctx context.Context, p pin[ID, F]) (*contradiction[ID, F], error) {
	if c, err := t.check(ctx, p); c != nil || err != nil {
		return c, err
	}
	if was, _ := t.recall(p.id); was.kept && was.source != historySource { // the index can be rebuilt, from what another daemon says
		return nil, nil
	}
	kept, err := t.save(ctx, []pin[ID, F]{p})
	if err != nil {
		return nil, err
	}
	for _, k := range kept { // another program may have been first
		k.kept = true
		t.remember(k)
	}
	return t.against(p), nil
}

// keepLater has what was said of id written to the store by the next flush; it is
// false when that is done already, or too many were looked up.
func (t *pinTable[ID, F]) keepLater(id ID) bool {
	p, known := t.recall(id)
	if !known || p.kept {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, waits := t.waiting[id]; waits || t.lookedUp >= mostLookedUp {
		return false
	}
	if t.waiting == nil {
		t.waiting = map[ID]pin[ID, F]{}
	}
	t.lookedUp++
	t.waiting[id] = p
	return true
}

// flush writes what waits, in one commit.
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

// findText returns what is known of the object that text names.
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

// whose is findText, or what was said in this run of the object that text names.
func (t *pinTable[ID, F]) whose(ctx context.Context, text string) (pin[ID, F], bool, error) {
	kept, known, err := t.findText(ctx, text)
	if err != nil || known {
		return kept, known, err
	}
	told, known := t.recallText(text)
	return told, known, nil
}

// find returns what is kept of an object.
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

// warm has what is kept of objects remembered, so that recall finds it.
func (t *pinTable[ID, F]) warm(ctx context.Context, ids []ID) error {
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
