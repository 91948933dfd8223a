package walletapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/deposit"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// handedOn is something that one operation returns and another one takes: a handle, a cursor, the id of a payment.
type handedOn struct {
	makers []*Method // whose results have it, at the same place
	path   []string  // members down to it; "0" is the first of a list
	taker  *Method
	param  int
}

// allHandedOn finds, from the types of the catalogue, what operations take that others return. Words that the ledger or
// the caller chose mean the same anywhere: ids of objects, accounts, assets, amounts.
func allHandedOn() (all []handedOn) {
	for _, taker := range Methods() {
		for i := range taker.params.params {
			p := &taker.params.params[i]
			if kind := elem(p.typ).Kind(); kind == reflect.Map || kind == reflect.Bool || kind == reflect.Struct ||
				p.typ == reflect.TypeFor[json.RawMessage]() {
				continue // what the caller makes himself
			}
			if inLedger(p.typ) || slices.Contains([]Role{RoleAccount, RoleDestination, RoleAsset, RoleAmount, RoleRequestKey}, p.Role) {
				continue
			}
			byPath := map[string]int{}
			for _, maker := range Methods() {
				path := pathTo(maker.result, &p.Param, 0)
				if path == nil {
					continue
				}
				place := strings.Join(path, ".") + " of " + maker.result.String()
				if _, known := byPath[place]; !known {
					byPath[place] = len(all)
					all = append(all, handedOn{path: path, taker: taker, param: i})
				}
				all[byPath[place]].makers = append(all[byPath[place]].makers, maker)
			}
		}
	}
	return all
}

func elem(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// pathTo returns where a result of type t has what p takes, nil if nowhere: a value of p's own type, or a member of its name.
func pathTo(t reflect.Type, p *Param, depth int) []string {
	if t == p.typ && strings.HasPrefix(t.PkgPath(), "billfold/") {
		return []string{}
	}
	switch {
	case depth > 4 || inLedger(t):
		return nil
	case t.Kind() == reflect.Pointer:
		return pathTo(t.Elem(), p, depth+1)
	case t.Kind() == reflect.Slice:
		if path := pathTo(t.Elem(), p, depth+1); path != nil {
			return append([]string{"0"}, path...)
		}
	case t == reflect.TypeFor[spendAnswer]() && p.Role == RolePayment:
		return []string{"transaction_id"}
	case t.Kind() == reflect.Struct:
		for _, f := range members(t) {
			name := memberName(f)
			if name == p.Name || p.Role == RolePayment && slices.Contains([]string{"transaction_id", "request_key"}, name) {
				return []string{name}
			}
			if path := pathTo(f.Type, p, depth+1); path != nil {
				return append([]string{name}, path...)
			}
		}
	}
	return nil
}

// make makes the value with the first maker that succeeds, "" if none does.
func (h handedOn) make(s *fixture, rows map[string]operationCase) string {
	for _, m := range h.makers {
		row := rows[m.Name]
		p := Params{Positional: row.params}
		if m.Does(Spends) {
			p = row.call("true")
		}
		out, err := s.api.Call(s.ctx, m.Name, p)
		if err != nil {
			continue
		}
		value := string(out)
		for _, name := range h.path {
			var object map[string]json.RawMessage
			var list []json.RawMessage
			switch {
			case json.Unmarshal([]byte(value), &object) == nil:
				value = string(object[name])
			case json.Unmarshal([]byte(value), &list) == nil && len(list) > 0:
				value = string(list[0])
			default:
				value = ""
			}
		}
		if value == "" || value == `""` {
			continue
		}
		if m.Name == "begin_builder_transaction" { // an empty one shows nothing
			params := slices.Clone(rows["add_operation_to_builder_transaction"].params)
			s.ok("add_operation_to_builder_transaction", value, string(params[1]))
			s.ok("set_fees_on_builder_transaction", value, `"DCT"`)
		}
		return value
	}
	return ""
}

// take calls the taker with the value and returns what it means: its answer, or for a spend what a dry run says.
func (h handedOn) take(s *fixture, rows map[string]operationCase, value string) (means string, err error) {
	p := Params{Positional: slices.Clone(rows[h.taker.Name].params)}
	for len(p.Positional) <= h.param {
		p.Positional = append(p.Positional, json.RawMessage("null"))
	}
	p.Positional[h.param] = json.RawMessage(value)
	if h.taker.Does(Spends) {
		p.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
	}
	out, err := s.api.Call(s.ctx, h.taker.Name, p)
	var reviewed struct{ Sentence string }
	if h.taker.Does(Spends) && json.Unmarshal(out, &reviewed) == nil && err == nil {
		return reviewed.Sentence, nil
	}
	return strings.ReplaceAll(string(out), value, "…"), err
}

// What an operation returns means the same at another server of the store, and after a restart: what takes it there does
// what it does at the server that returned it. An operation that is added is tried as soon as it is in the catalogue.
func TestWhatIsHandedOnMeansTheSameAtEveryServer(t *testing.T) {
	c := storetest.Start(t)
	url, folders := c.Database(), map[string]string{"one": testwallet.Folder(t), "other": testwallet.Folder(t)}
	must(t, postgres.Options{MayLose: true}.Init(t.Context(), url, store.NewID(), nil))
	box := testwallet.Ledger(t, sandbox.Options{})
	_, err := box.Mine()
	must(t, err)
	sit := func(name string) (s *fixture, end func()) {
		book, err := postgres.Options{Folder: folders[name], MayLose: true, Lease: time.Second}.Open(t.Context(), url)
		must(t, err)
		on := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.Store = book })
		on.Hold("alice")
		deposits := deposit.New(book.Cursors, deposit.Sources{Accounts: on.View.Accounts, History: on.History, Prover: on.Deposits,
			Chain: on.View.Chain})
		end = func() { _ = book.Close() }
		t.Cleanup(end)
		return &fixture{t: t, ctx: on.Ctx, box: box, on: on,
			api: New(Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}, Deposits: deposits})}, end
	}
	one, end := sit("one")
	other, _ := sit("other")
	rows := casesWith(t, one.on.Furnish())
	one.on.ImportKey("bobby", testwallet.Key("bobby"))
	for range 3 { // deposits, more than are acknowledged here
		one.ok("transfer", `"bobby"`, `"alice"`, `"1"`, `"DCT"`, `""`, `true`)
		one.on.Mine()
	}
	for range 3 { // until they are irreversible
		one.on.Mine()
	}
	all := allHandedOn()
	values, means := make([]string, len(all)), make([]string, len(all))
	tried := map[string]bool{}
	check := func(where string, i int, s *fixture) {
		h := all[i]
		got, err := h.take(s, rows, values[i])
		for end := time.Now().Add(time.Second); got != means[i] && h.taker.DoesOnly(Reads) && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond) // that a payment was sent is written a little later
			got, err = h.take(s, rows, values[i])
		}
		switch {
		case err != nil:
			t.Errorf("%s takes %s of %s %s: %v", h.taker.Name, h.taker.Params[h.param].Name, h.makers[0].Name, where, err)
		case got != means[i]:
			t.Errorf("%s takes %s of %s %s: %s\nnot %s", h.taker.Name, h.taker.Params[h.param].Name, h.makers[0].Name, where, got, means[i])
		}
	}
	for i, h := range all {
		if values[i] = h.make(one, rows); values[i] == "" {
			continue
		}
		var err error
		if means[i], err = h.take(one, rows, values[i]); err != nil {
			values[i] = ""
			continue
		}
		tried[h.taker.Name] = true
		if !h.taker.DoesOnly(Reads) {
			values[i] = h.make(one, rows)
		}
		check("at another server", i, other)
		if !h.taker.DoesOnly(Reads) {
			values[i] = h.make(one, rows)
		}
	}
	end()
	one, _ = sit("one")
	for _, soon := range []bool{true, false} {
		for i, h := range all {
			if values[i] != "" && (h.taker.DoesOnly(Reads) && h.taker.Name != "deposits.since") == soon {
				check("after a restart", i, one)
			}
		}
		for range 3 { // until it knows which blocks are irreversible; payments are in a block then
			one.on.Mine()
		}
	}
	for _, name := range []string{"preview_builder_transaction", "sign_builder_transaction", "get_payment", "deposits.ack"} {
		if !tried[name] {
			t.Errorf("%s was not tried", name)
		}
	}
	t.Logf("of %d ways, those to %v were tried", len(all), slices.Sorted(maps.Keys(tried)))
}
