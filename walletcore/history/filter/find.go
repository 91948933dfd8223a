package filter

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// Find parses the words by which a person filters an account's rows
// (docs/design/008-history-index.md lists them). It looks up names in the index, and
// at the daemon if one is online. Days are those of now's zone; "since:30d" counts back from now.
// Errors: a *Mistake, or that of reading the index.
func (f *Finder) Find(ctx context.Context, id ledger.AccountID, text string, now time.Time) (historyindex.Filter, error) {
	found, err := f.FindSoon(ctx, id, text, now, 0)
	return found.Filter, err
}

// Found is a parsed filter.
type Found struct {
	Filter historyindex.Filter

	// Memos is the progress of searching memos for a word, without the rows; zero if the filter searches no memos.
	// While More is set, finding again finds the same rows and more.
	Memos history.MemoSearch
}

// FindSoon is Find with a time limit on searching memos; 0 is no limit.
func (f *Finder) FindSoon(ctx context.Context, id ledger.AccountID, text string, now time.Time, soon time.Duration) (Found, error) {
	words, err := parse(text)
	if err != nil || !f.reader.Indexed() {
		return Found{}, err
	}
	q := &query{Finder: f, ctx: ctx, account: id, now: now, memoTime: soon}
	filter, err := q.filter(words)
	q.memos.IDs = nil
	return Found{filter, q.memos}, err
}

func (f *query) filter(n node) (out historyindex.Filter, err error) {
	switch {
	case n.word != nil:
		return f.word(*n.word)
	case n.not != nil:
		inner, err := f.filter(*n.not)
		return historyindex.Filter{None: []historyindex.Filter{inner}}, err
	}
	for _, one := range n.any {
		inner, err := f.filter(one)
		if err != nil {
			return out, err
		}
		out.Any = append(out.Any, inner)
	}
	for _, one := range n.all {
		inner, err := f.filter(one)
		if err != nil {
			return out, err
		}
		out.All = append(out.All, inner)
	}
	if len(out.All) == 1 && len(out.Any) == 0 {
		return out.All[0], nil
	}
	return mergeOtherSides(out), nil
}

// mergeOtherSides turns an "or" of other sides into one list of them, for which the
// database has an index.
func mergeOtherSides(f historyindex.Filter) historyindex.Filter {
	var all []ledger.AccountID
	for _, one := range f.Any {
		if len(one.With) == 0 || !reflect.DeepEqual(one, historyindex.Filter{With: one.With}) {
			return f
		}
		all = append(all, one.With...)
	}
	if len(all) > 0 {
		f.Any, f.With = nil, all
	}
	return f
}

func (f *query) word(w word) (historyindex.Filter, error) {
	for part := range strings.SplitSeq(w.value, ",") { // a date is a word of a memo, but no id
		if why, _, _ := strings.Cut(ledger.IDProblem(strings.Trim(part, "*")), ":"); why != "" && slices.Contains([]string{"with", "from", "to", "asset", "id"}, w.field) {
			return historyindex.Filter{}, w.part(part, why, "")
		}
	}
	switch w.field {
	case "with":
		return f.with(w)
	case "from", "to":
		return f.side(w)
	case "type":
		return f.operations(w)
	case "asset":
		return f.asset(w)
	case "amount", "min", "max":
		return f.amount(w)
	case "dir":
		return choice(w, map[string]historyindex.Filter{
			"in": {Direction: []historyindex.Direction{historyindex.In}}, "out": {Direction: []historyindex.Direction{historyindex.Out}},
			"self": {
				Direction: []historyindex.Direction{historyindex.Self},
			}, "other": {Direction: []historyindex.Direction{historyindex.Other}},
		}, "no such direction")
	case "memo":
		return f.memo(w)
	case "label":
		return f.rows(f.withLabel(w.value)), nil
	case "state":
		return f.state(w)
	case "since", "until", "on":
		return f.time(w)
	case "block", "id", "tx":
		return f.place(w)
	}
	return f.plain(w)
}

// memo filters by the kind of a memo, or by a text in it.
func (f *query) memo(w word) (historyindex.Filter, error) {
	kinds := map[string]historyindex.Memo{
		"enc": historyindex.EncryptedMemo, "plain": historyindex.PlainMemo, "none": historyindex.NoMemo}
	if kind, ok := kinds[strings.ToLower(w.value)]; ok {
		return historyindex.Filter{Memo: []historyindex.Memo{kind}}, nil
	}
	ids, err := f.withMemo(w.value)
	return f.rows(ids), err
}

// rows returns a filter for the rows with these ids; it matches none if there are no ids.
func (*query) rows(ids []ledger.HistoryID) historyindex.Filter {
	if len(ids) == 0 {
		return nothing()
	}
	return historyindex.Filter{IDs: ids}
}

// withLabel returns the rows with a text in their label.
func (f *query) withLabel(text string) []ledger.HistoryID {
	if f.reader.Labels == nil {
		return nil
	}
	ids, locked := f.reader.Labels.Find(text)
	f.memos.Locked = f.memos.Locked || locked
	return ids
}

// withMemo returns the rows with a text in their memo.
func (f *query) withMemo(text string) ([]ledger.HistoryID, error) {
	found, err := f.reader.SearchMemos(f.ctx, f.account, text, f.memoTime)
	if err != nil {
		return nil, err
	}
	f.memos.More, f.memos.Locked = f.memos.More || found.More, f.memos.Locked || found.Locked
	f.memos.Read, f.memos.Total = found.Read, found.Total
	return found.IDs, nil
}

// choice returns the filter for one of a few values.
func choice(w word, of map[string]historyindex.Filter, what string) (historyindex.Filter, error) {
	value := strings.ToLower(w.value)
	if f, ok := of[value]; ok {
		return f, nil
	}
	return historyindex.Filter{}, w.wrong(what, nearest(value, slices.Sorted(maps.Keys(of))))
}

func (f *query) state(w word) (historyindex.Filter, error) {
	switch strings.ToLower(w.value) {
	case "unknown", "void":
		return historyindex.Filter{}, w.wrong("such payments are in no block; Home lists them", "")
	}
	return choice(
		w,
		map[string]historyindex.Filter{"final": {State: historyindex.Final}, "pending": {State: historyindex.Provisional}},
		"no such state",
	)
}

// operations filters by operations whose name is the value, or has a word that begins with it.
func (f *query) operations(w word) (out historyindex.Filter, err error) {
	for part := range strings.SplitSeq(w.value, ",") {
		part = strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSpace(part)))
		if part == "any" {
			return historyindex.Filter{}, nil
		}
		codes := operationsNamed(part)
		if len(codes) == 0 && part != "" {
			return out, w.part(part, "no such operation", nearest(part, operationNames()))
		}
		out.Code = append(out.Code, codes...)
	}
	if len(out.Code) == 0 {
		return out, w.wrong("no such operation", "")
	}
	return out, nil
}

func operationNames() []string {
	out := []string{history.MessageName, "any"}
	for _, code := range ledger.OpCodes() {
		out = append(out, history.OperationName(code))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func operationsNamed(name string) (out []ledger.OpCode) {
	if name == history.MessageName {
		name = "custom"
	}
	var begin []ledger.OpCode
	for _, code := range ledger.OpCodes() {
		switch full := history.OperationName(code); {
		case name == "":
		case full == name:
			out = append(out, code)
		case strings.Contains(" "+full, " "+name):
			begin = append(begin, code)
		}
	}
	if len(out) == 0 {
		return begin
	}
	return out
}

// plain filters by a word without a field: the name of the other side, the operation
// or the asset, an id, or text in a memo or a label. A word that fits nothing matches
// no row.
func (f *query) plain(w word) (historyindex.Filter, error) {
	value := strings.ToLower(w.value)
	any := historyindex.Filter{Code: operationsNamed(value)}
	out := historyindex.Filter{}
	if len(any.Code) > 0 {
		out.Any = append(out.Any, any)
	}
	if id, err := ledger.ParseHistoryID(value); err == nil {
		out.Any = append(out.Any, historyindex.Filter{IDs: []ledger.HistoryID{id}})
	}
	accounts, err := f.accounts("*" + value + "*")
	if err != nil {
		return out, err
	}
	if len(accounts) > maxAccounts {
		return out, w.tooMany()
	}
	if len(accounts) > 0 {
		out.Any = append(out.Any, historyindex.Filter{With: accounts})
	}
	assets, err := f.knownAssets()
	if err != nil {
		return out, err
	}
	for _, a := range assets {
		if strings.EqualFold(a.Symbol, value) {
			out.Any = append(out.Any, historyindex.Filter{Asset: []ledger.AssetID{a.ID}})
		}
	}
	ids, err := f.withMemo(value)
	if err != nil {
		return out, err
	}
	if ids = append(ids, f.withLabel(value)...); len(ids) > 0 {
		out.Any = append(out.Any, historyindex.Filter{IDs: ids})
	}
	if len(out.Any) == 0 {
		return nothing(), nil
	}
	return out, nil
}
