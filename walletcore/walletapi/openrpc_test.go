package walletapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore"
)

// shape says which members an object of the OpenRPC specification (1.2.6) must
// and may have; members that begin with x- are always allowed.
type shape struct {
	must, may string
	members   map[string]check
}

// check finds what is wrong with a value.
type check func(t *testing.T, at string, v any)

func (s shape) check(t *testing.T, at string, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s is no object: %v", at, v)
		return
	}
	for _, name := range strings.Fields(s.must) {
		if _, there := object[name]; !there {
			t.Errorf("%s has no %s", at, name)
		}
	}
	allowed := strings.Fields(s.must + " " + s.may)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(allowed, name) && !strings.HasPrefix(name, "x-") {
			t.Errorf("%s has %s, which the specification does not know", at, name)
		}
		if do := s.members[name]; do != nil {
			do(t, at+"."+name, object[name])
		}
	}
}

func text(t *testing.T, at string, v any) {
	if s, ok := v.(string); !ok || s == "" {
		t.Errorf("%s is no text: %v", at, v)
	}
}

func truth(t *testing.T, at string, v any) {
	if _, ok := v.(bool); !ok {
		t.Errorf("%s is no boolean: %v", at, v)
	}
}

func listOf(item check) check {
	return func(t *testing.T, at string, v any) {
		list, ok := v.([]any)
		if !ok {
			t.Errorf("%s is no list: %v", at, v)
		}
		for i, part := range list {
			item(t, fmt.Sprintf("%s[%d]", at, i), part)
		}
	}
}

func mapOf(item check) check {
	return func(t *testing.T, at string, v any) {
		object, ok := v.(map[string]any)
		if !ok {
			t.Errorf("%s is no object: %v", at, v)
		}
		for name, part := range object {
			item(t, at+"."+name, part)
		}
	}
}

func oneOf(words string) check {
	return func(t *testing.T, at string, v any) {
		if s, ok := v.(string); !ok || !slices.Contains(strings.Fields(words), s) {
			t.Errorf("%s is %v, not one of %s", at, v, words)
		}
	}
}

func pattern(t *testing.T, at string, v any) {
	if _, err := regexp.Compile(fmt.Sprint(v)); err != nil {
		t.Errorf("%s: %v", at, err)
	}
}

func jsonSchema(t *testing.T, at string, v any) {
	shape{"", "$ref type pattern minimum maximum items properties required", map[string]check{
		"$ref": text, "type": oneOf("string integer boolean null object array"), "pattern": pattern,
		"items": jsonSchema, "properties": mapOf(jsonSchema), "required": listOf(text),
	}}.check(t, at, v)
}

func contentDescriptor(t *testing.T, at string, v any) {
	shape{"name schema", "summary description required deprecated",
		map[string]check{"name": text, "schema": jsonSchema, "required": truth, "description": text}}.check(t, at, v)
}

func methodObject(t *testing.T, at string, v any) {
	tag := shape{"name", "summary description externalDocs", map[string]check{"name": text}}
	shape{"name params result", "summary description tags paramStructure errors links examples deprecated servers externalDocs", map[string]check{
		"name": text, "summary": text, "description": text, "tags": listOf(tag.check), "paramStructure": oneOf("by-name by-position either"),
		"params": listOf(contentDescriptor), "result": contentDescriptor,
	}}.check(t, at, v)
}

func document(t *testing.T, at string, v any) {
	info := shape{"title version", "description termsOfService contact license", map[string]check{"title": text, "version": text}}
	components := shape{"", "contentDescriptors schemas examples links errors examplePairingObjects tags", map[string]check{"schemas": mapOf(jsonSchema)}}
	shape{"openrpc info methods", "servers components externalDocs", map[string]check{
		"openrpc": oneOf("1.0.0 1.1.0 1.2.0 1.2.4 1.2.6 1.3.2"), "info": info.check, "methods": listOf(methodObject), "components": components.check,
	}}.check(t, at, v)
}

func discover(t *testing.T) (doc Document, raw any) {
	t.Helper()
	out, err := New(nil, walletcore.Versions{Version: "test"}).Call(t.Context(), "rpc.discover", Params{})
	must(t, err)
	must(t, json.Unmarshal(out, &doc))
	must(t, json.Unmarshal(out, &raw))
	return doc, raw
}

func TestDiscoverKeepsToTheSpecification(t *testing.T) {
	_, raw := discover(t)
	document(t, "document", raw)
}

// A check that cannot fail would prove nothing.
func TestTheSpecificationIsHeld(t *testing.T) {
	for _, broken := range []string{`[]`, `{}`, `{"openrpc":"9","info":{"title":"a","version":"b"},"methods":[]}`,
		`{"openrpc":"1.2.6","info":{"title":"a"},"methods":[]}`,
		`{"openrpc":"1.2.6","info":{"title":"a","version":"b"},"methods":[{"name":"m","params":[]}]}`,
		`{"openrpc":"1.2.6","info":{"title":"a","version":"b"},"methods":[{"name":"m","params":[{"name":"p"}],"result":{"name":"r","schema":{}}}]}`,
		`{"openrpc":"1.2.6","info":{"title":"a","version":"b"},"methods":[],"more":1}`} {
		var v any
		must(t, json.Unmarshal([]byte(broken), &v))
		probe := &testing.T{}
		document(probe, "document", v)
		if !probe.Failed() {
			t.Errorf("%s was accepted", broken)
		}
	}
}

func TestDiscoverDescribesTheWholeTable(t *testing.T) {
	doc, raw := discover(t)
	text, err := json.Marshal(raw)
	must(t, err)
	for _, m := range Methods() {
		i := slices.IndexFunc(doc.Methods, func(o MethodObject) bool { return o.Name == m.Name })
		if i < 0 {
			t.Errorf("%s is missing", m.Name)
			continue
		}
		o := doc.Methods[i]
		if o.Spends != m.Spends || o.NeedsUnlock != m.NeedsUnlock || o.Secret != m.Secret || len(o.Params) != len(m.Params) {
			t.Errorf("%s is described as %+v", m.Name, o)
		}
		optional := false
		for j, p := range o.Params {
			if p.Name != m.Params[j].Name || p.Required && optional {
				t.Errorf("%s: parameter %d is %+v", m.Name, j, p)
			}
			optional = !p.Required
		}
	}
	for _, ref := range regexp.MustCompile(`#/components/schemas/(\w+)`).FindAllStringSubmatch(string(text), -1) {
		if _, there := doc.Components.Schemas[ref[1]]; !there {
			t.Errorf("%s leads nowhere", ref[0])
		}
	}
}
