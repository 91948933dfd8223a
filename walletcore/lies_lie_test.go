package walletcore_test

import (
	"bytes"
	"encoding/json"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// lie is one line of the table.
type lie struct {
	name string
	says string  // what the daemon claims
	must outcome // what must happen, besides what must hold for every lie
	// tell starts the lie; it may look at the scene, and remember what it claimed.
	tell  func(*scene) teller
	first bool // told from the wallet's first contact on, rather than to a wallet that knows the ledger
	large bool // its answers are so large that a second liar needs more memory to change one than the wallet to read it
}

// outcome is the required result of a lie. In any case nothing is signed that was not
// asked for, no wrong outcome is reported, no call hangs, and after the lie has ended
// everything continues and settles.
type outcome string

const (
	asAsked   outcome = "as asked, or refused"
	passes    outcome = "no difference: payments go through"
	refused   outcome = "payments are refused, nothing is signed"
	unknown   outcome = "the outcome is unknown until the ledger shows it"
	unsettled outcome = "nothing is final until the ledger's own rule says so"
)

// compose combines tellers into one: each changes the answer of the one before it.
func compose(tellers []teller) teller {
	return func(q *question, honest func() reply) reply {
		next := honest
		for _, t := range tellers {
			inner := next
			next = func() reply { return t(q, inner) }
		}
		return next()
	}
}

// always is a lie that needs nothing from the scene.
func always(t teller) func(*scene) teller { return func(*scene) teller { return t } }

// object is JSON whose members can be changed.
type object = map[string]any

// change edits the results of methods. A result that it cannot decode stays unchanged.
func change(edit func(q *question, v any) any, methods ...string) func(*scene) teller {
	return always(changing(edit, methods...))
}

func changing(edit func(q *question, v any) any, methods ...string) teller {
	return func(q *question, honest func() reply) reply {
		r := honest()
		if r.result == nil || !slices.Contains(methods, q.method) {
			return r
		}
		r.result = encode(edit(q, decode(r.result)))
		return r
	}
}

func decode(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(codec.FromFC(raw)))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

func encode(v any) json.RawMessage {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(out.Bytes())
}

// answered always answers methods with the same text.
func answered(result string, methods ...string) func(*scene) teller {
	return always(func(q *question, honest func() reply) reply {
		if slices.Contains(methods, q.method) {
			return reply{result: json.RawMessage(result)}
		}
		return honest()
	})
}

var (
	accountMethods = []string{"get_accounts", "lookup_account_names", "get_account_by_name", "get_objects", "get_full_accounts"}
	assetMethods   = []string{"get_assets", "lookup_asset_symbols", "get_objects", "list_assets"}
)

// each calls edit for every object of a list that has all of these members.
func each(v any, edit func(object) any, members ...string) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	for i, element := range list {
		o, ok := element.(object)
		for _, m := range members {
			_, has := o[m]
			ok = ok && has
		}
		if ok {
			list[i] = edit(o)
		}
	}
	return list
}

// accounts edits every account in an answer.
func accounts(edit func(a object) any) func(*scene) teller {
	return change(func(_ *question, v any) any { return each(v, edit, "registrar", "options") }, accountMethods...)
}

// account edits only the account with that name.
func account(name string, edit func(a object) any) func(*scene) teller {
	return accounts(func(a object) any {
		if a["name"] == name {
			return edit(a)
		}
		return a
	})
}

// assets edits every asset in an answer.
func assets(edit func(a object) any) func(*scene) teller {
	return change(func(_ *question, v any) any { return each(v, edit, "symbol", "precision") }, assetMethods...)
}

// asset edits only the asset with that symbol.
func asset(symbol string, edit func(a object) any) func(*scene) teller {
	return assets(func(a object) any {
		if a["symbol"] == symbol {
			return edit(a)
		}
		return a
	})
}

// set sets a member of an object.
func set(member string, value any) func(object) any {
	return func(o object) any {
		o[member] = value
		return o
	}
}

// within sets a member of an inner object.
func within(inner, member string, value any) func(object) any {
	return func(o object) any {
		if in, ok := o[inner].(object); ok {
			in[member] = value
		}
		return o
	}
}

// instead replaces an object by v.
func instead(v any) func(object) any { return func(object) any { return v } }

// dynamic edits the dynamic global properties, such as the head block.
func dynamic(edit func(d *ledger.DynamicGlobalProperties)) func(*scene) teller {
	return always(dynamically(edit))
}

func dynamically(edit func(d *ledger.DynamicGlobalProperties)) teller {
	return func(q *question, honest func() reply) reply {
		r := honest()
		if q.method != "get_dynamic_global_properties" || r.result == nil {
			return r
		}
		var d ledger.DynamicGlobalProperties
		if codec.Unmarshal(r.result, &d) != nil {
			return r
		}
		edit(&d)
		r.result, _ = codec.Marshal(d)
		return r
	}
}

// global edits the chain's parameters.
func global(edit func(o object) any) func(*scene) teller {
	return change(func(_ *question, v any) any {
		if o, ok := v.(object); ok {
			return edit(o)
		}
		return v
	}, "get_global_properties")
}

// both combines several lies.
func both(parts ...func(*scene) teller) func(*scene) teller {
	return func(s *scene) teller {
		tellers := make([]teller, len(parts))
		for i, part := range parts {
			tellers[i] = part(s)
		}
		return compose(tellers)
	}
}

// failing returns an error as a daemon writes it.
func failing(code int, name, format string) json.RawMessage {
	return encode(object{
		"code": code, "message": name + ": " + format,
		"data": object{"code": code, "name": name, "message": name, "stack": []any{
			object{"context": object{"level": "error", "file": "db_block.cpp", "line": 600, "method": "_apply_transaction"}, "format": format, "data": object{}},
		}},
	})
}
