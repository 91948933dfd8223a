package walletapi

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"billfold/walletcore/ledgerview"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaFiles maps the URLs by which the schemas refer to each other to files in
// testdata. Both schemas name themselves as their own meta-schema, and are of draft 7.
type schemaFiles map[string]string

// Load reads a schema.
func (p schemaFiles) Load(url string) (any, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "openrpc", p[strings.TrimSuffix(url, "/")]))
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if object, ok := schema.(map[string]any); ok {
		object["$schema"] = "http://json-schema.org/draft-07/schema#"
	}
	return schema, err
}

// openRPCSchema returns the published schema of OpenRPC documents.
func openRPCSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.UseLoader(schemaFiles{"https://meta.open-rpc.org": "openrpc.json", "https://meta.json-schema.tools": "json-schema.json"})
	schema, err := c.Compile("https://meta.open-rpc.org/")
	must(t, err)
	return schema
}

func discover(t *testing.T) (doc Document, raw any) {
	t.Helper()
	out, err := New(Core{Versions: ledgerview.Versions{Version: "test"}}).Call(t.Context(), "rpc.discover", Params{})
	must(t, err)
	must(t, json.Unmarshal(out, &doc))
	must(t, json.Unmarshal(out, &raw))
	return doc, raw
}

func TestDiscoverFollowsTheSpecification(t *testing.T) {
	_, raw := discover(t)
	if err := openRPCSchema(t).Validate(raw); err != nil {
		t.Error(err)
	}
}

// TestSchemaRefusesBrokenDocuments guards the test above: a schema that accepts everything would prove nothing.
func TestSchemaRefusesBrokenDocuments(t *testing.T) {
	schema := openRPCSchema(t)
	for _, broken := range []string{`[]`, `{}`, `{"openrpc":"9","info":{"title":"a","version":"b"},"methods":[]}`,
		`{"openrpc":"1.2.6","info":{"title":"a"},"methods":[]}`,
		`{"openrpc":"1.2.6","info":{"title":"a","version":"b"},"methods":[{"name":"m","params":[{"name":"p"}],"result":{"name":"r","schema":{}}}]}`,
		`{"openrpc":"1.2.6","info":{"title":"a","version":"b"},"methods":[{"name":"m","params":[],"result":{"name":"r","schema":{"type":"texts"}}}]}`,
		`{"openrpc":"1.2.6","info":{"title":"a","version":"b"},"methods":[],"more":1}`} {
		var v any
		must(t, json.Unmarshal([]byte(broken), &v))
		if schema.Validate(v) == nil {
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
		if o.Spends != m.Does(Spends) || strings.Join(o.Touches, ", ") != m.Touches.String() || o.NeedsUnlock != m.NeedsUnlock ||
			o.Secret != m.Secret ||
			len(o.Params) != len(m.Params) ||
			o.Result.Name == "" {
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

// Results have the form that the document describes.
func TestResultsMatchTheirSchemas(t *testing.T) {
	_, document := discover(t)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	const url = "https://billfold.example/openrpc.json"
	must(t, c.AddResource(url, document))
	s := openWithJournal(t)
	s.ok("transfer", `"alice"`, `"bobby"`, `"1"`, `"DCT"`, `"hello"`, `true`, `"order-1"`)
	s.mine()
	answered := 0
	for i, m := range Methods() {
		row, known := cases(t)[m.Name]
		if !known {
			t.Errorf("testdata/operations.txt does not show how %s is called", m.Name)
			continue
		}
		schema, err := c.Compile(url + "#/methods/" + strconv.Itoa(i) + "/result/schema")
		must(t, err)
		if m.Does(Lock | Password) {
			continue
		}
		out, err := s.api.Call(s.ctx, m.Name, Params{Positional: row.params})
		if err != nil {
			continue
		}
		answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
		must(t, err)
		if answered++; schema.Validate(answer) != nil {
			t.Errorf("%s: %v\n%.500s", m.Name, schema.Validate(answer), out)
		}
	}
	if answered < 25 {
		t.Errorf("only %d operations answered", answered)
	}
}
