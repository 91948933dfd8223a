package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"billfold/walletcore"
)

// openRPCVersion is that of the OpenRPC specification the document keeps to.
const openRPCVersion = "1.2.6"

func describingMethods() []Method {
	return []Method{
		{Name: "rpc.discover", Group: "Description", Touches: Reads, Reach: ReachChain, Result: "{openrpc, info, methods, components}",
			Help: "Describes every operation as an OpenRPC document.",
			handle: func(_ context.Context, _ *walletcore.Wallet, c *Catalogue, _ args) (any, error) {
				return c.OpenRPC().JSON()
			}},
	}
}

// Document is an OpenRPC document. Members that are the same for every wallet
// come from the table alone, so that two versions can be compared.
type Document struct {
	OpenRPC    string             `json:"openrpc"`
	Info       DocumentInfo       `json:"info"`
	Methods    []MethodObject     `json:"methods"`
	Components DocumentComponents `json:"components"`
}

// DocumentInfo says what is described.
type DocumentInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

// DocumentComponents are the schemas that methods refer to.
type DocumentComponents struct {
	Schemas map[string]Schema `json:"schemas"`
}

// MethodObject describes one operation. The members with x- are our own:
// whether it needs an unlocked wallet, may move money, and holds secrets.
type MethodObject struct {
	Name           string              `json:"name"`
	Summary        string              `json:"summary"`
	Description    string              `json:"description,omitempty"`
	Tags           []TagObject         `json:"tags"`
	ParamStructure string              `json:"paramStructure"`
	Params         []ContentDescriptor `json:"params"`
	Result         ContentDescriptor   `json:"result"`
	NeedsUnlock    bool                `json:"x-needs-unlock"`
	Spends         bool                `json:"x-spends"`
	Touches        []string            `json:"x-touches"`
	Secret         bool                `json:"x-secret"`
}

// TagObject is the group of a method.
type TagObject struct {
	Name string `json:"name"`
}

// ContentDescriptor describes a parameter or a result.
type ContentDescriptor struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
	Schema      Schema `json:"schema"`
}

// Schema is a JSON schema (draft 7). The zero value permits everything.
type Schema struct {
	Ref        string            `json:"$ref,omitempty"`
	Type       string            `json:"type,omitempty"`
	Pattern    string            `json:"pattern,omitempty"`
	Minimum    *int64            `json:"minimum,omitempty"`
	Maximum    *int64            `json:"maximum,omitempty"`
	Items      *Schema           `json:"items,omitempty"`
	Properties map[string]Schema `json:"properties,omitempty"`
	Required   []string          `json:"required,omitempty"`
}

// OpenRPC describes the catalogue.
func (c *Catalogue) OpenRPC() Document {
	version := c.versions.Version
	if version == "" {
		version = "unknown"
	}
	d := Document{
		OpenRPC:    openRPCVersion,
		Info:       DocumentInfo{Title: "Billfold wallet API", Version: version, Description: documentText},
		Methods:    []MethodObject{},
		Components: DocumentComponents{Schemas: componentSchemas()},
	}
	for i := range c.methods {
		d.Methods = append(d.Methods, c.methods[i].describe())
	}
	return d
}

const documentText = "Parameters are taken by position or by name. They are read leniently: \"true\" and 1 are a boolean, " +
	"\"5\" a number. Amounts in results are integers in the asset's smallest unit unless the text says otherwise."

// JSON writes the document. It is plain JSON, not the ledger's.
func (d Document) JSON() (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

func (m *Method) describe() MethodObject {
	o := MethodObject{
		Name: m.Name, Summary: m.Help, Tags: []TagObject{{m.Group}}, ParamStructure: "either", Params: []ContentDescriptor{},
		Result:      ContentDescriptor{Name: "result", Description: m.Result, Required: true, Schema: resultSchema(m.Result)},
		NeedsUnlock: m.NeedsUnlock, Spends: m.Does(Spends), Touches: strings.Split(m.Touches.String(), ", "), Secret: m.Secret,
	}
	for _, p := range m.Params {
		o.Params = append(o.Params, ContentDescriptor{Name: p.Name, Description: p.Help, Required: !p.Optional, Schema: p.Kind.schema()})
	}
	for _, e := range m.Examples {
		o.Description += "Example, as typed in a shell: " + m.Name + " " + e + "\n"
	}
	return o
}

// schema is what a parameter looks like in its strict form.
func (k Kind) schema() Schema {
	switch k {
	case Text:
		return Schema{Type: "string"}
	case Bool:
		return Schema{Type: "boolean"}
	case Uint32:
		return Schema{Type: "integer", Minimum: new(int64(0)), Maximum: new(int64(1<<32 - 1))}
	case Int32:
		return Schema{Type: "integer", Minimum: new(int64(-1 << 31)), Maximum: new(int64(1<<31 - 1))}
	case Object:
		return Schema{Type: "string", Pattern: objectPattern}
	case Key:
		return Schema{Type: "string", Pattern: "^DCT[1-9A-HJ-NP-Za-km-z]+$"}
	case Transaction:
		return Schema{Ref: "#/components/schemas/transaction"}
	default:
		return Schema{}
	}
}

const objectPattern = `^[0-9]+\.[0-9]+\.[0-9]+$`

// resultSchema turns the words of Method.Result into a schema. What the words
// do not say is left open.
func resultSchema(words string) Schema {
	first, rest, _ := strings.Cut(words, " ")
	switch first = strings.TrimRight(first, ":,"); {
	case first == "list":
		item := resultSchema(strings.TrimPrefix(rest, "of "))
		return Schema{Type: "array", Items: &item}
	case strings.HasPrefix(words, "{"):
		return objectSchema(words)
	case first == "account" || first == "accounts":
		return Schema{Ref: "#/components/schemas/account"}
	case strings.HasPrefix(words, "signed transaction"):
		return Schema{Ref: "#/components/schemas/transaction"}
	}
	switch first {
	case "bool":
		return Schema{Type: "boolean"}
	case "null":
		return Schema{Type: "null"}
	case "object", "asset", "assets":
		return Schema{Type: "object"}
	case "text", "hex", "public", "private":
		return Schema{Type: "string"}
	default:
		return Schema{}
	}
}

// objectSchema reads "{name, name in units, …} more words".
func objectSchema(words string) Schema {
	inner, _, _ := strings.Cut(words[1:], "}")
	s := Schema{Type: "object", Properties: map[string]Schema{}}
	for _, part := range strings.Split(inner, ",") {
		if name, _, _ := strings.Cut(strings.TrimSpace(part), " "); name != "" {
			s.Properties[name] = Schema{}
		}
	}
	return s
}

// componentSchemas are the resources of the interface (INTERFACE.md).
func componentSchemas() map[string]Schema {
	text, number, list := Schema{Type: "string"}, Schema{Type: "integer"}, Schema{Type: "array"}
	object := Schema{Type: "object"}
	return map[string]Schema{
		"account": {Type: "object", Required: []string{"id", "name", "owner", "active", "options"}, Properties: map[string]Schema{
			"id": {Type: "string", Pattern: `^1\.2\.[0-9]+$`}, "registrar": {Type: "string", Pattern: `^1\.2\.[0-9]+$`}, "name": text,
			"owner": object, "active": object, "options": object, "rights_to_publish": object,
			"statistics": {Type: "string", Pattern: `^2\.5\.[0-9]+$`}, "top_n_control_flags": number,
		}},
		"transaction": {Type: "object", Required: []string{"ref_block_num", "ref_block_prefix", "expiration", "operations"}, Properties: map[string]Schema{
			"ref_block_num": number, "ref_block_prefix": number, "expiration": text, "operations": list, "extensions": list,
			"signatures": list, "transaction_id": {Type: "string", Pattern: "^[0-9a-f]{40}$"},
		}},
	}
}
