package walletapi

import (
	"bytes"
	"encoding/json"
	"strings"
)

// openRPCVersion is the version of the OpenRPC specification that the document follows.
const openRPCVersion = "1.2.6"

// Document is an OpenRPC document. Apart from the version it comes from the table
// alone, so that the documents of two versions can be compared.
type Document struct {
	OpenRPC    string             `json:"openrpc"`
	Info       DocumentInfo       `json:"info"`
	Methods    []MethodObject     `json:"methods"`
	Components DocumentComponents `json:"components"`
}

// DocumentInfo is the title and version of the document.
type DocumentInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

// DocumentComponents holds the schemas that methods refer to.
type DocumentComponents struct {
	Schemas map[string]Schema `json:"schemas"`
}

// MethodObject describes one operation. The members that begin with x- are
// extensions of this wallet.
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

// openRPC returns the document of the table for a program of the given version.
func (t *table) openRPC(version string) Document {
	if version == "" {
		version = "unknown"
	}
	types := &schemas{components: map[string]Schema{}}
	d := Document{
		OpenRPC: openRPCVersion,
		Info:    DocumentInfo{Title: "Billfold wallet API", Version: version, Description: documentText},
		Methods: []MethodObject{},
	}
	for _, m := range t.methods {
		d.Methods = append(d.Methods, m.describe(types))
	}
	d.Components.Schemas = types.components
	return d
}

const documentText = "Parameters are taken by position or by name. They are read leniently: \"true\" and 1 are a boolean, " +
	"\"5\", 5.0 and 50e-1 a number; a fraction is refused where a whole number is expected. Amounts in results are integers in the asset's smallest unit unless the text says otherwise. " +
	"An operation that spends also takes dry_run, by name only: it reports what it would do, and signs nothing."

// JSON encodes the document, as plain JSON rather than by the ledger's rules.
func (d Document) JSON() (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

func (m *Method) describe(types *schemas) MethodObject {
	o := MethodObject{
		Name: m.Name, Summary: m.Help, Tags: []TagObject{{m.Group}}, ParamStructure: "either", Params: []ContentDescriptor{},
		Result:      ContentDescriptor{Name: "result", Description: m.Result, Required: true, Schema: types.of(m.result)},
		NeedsUnlock: m.NeedsUnlock, Spends: m.Does(Spends), Touches: strings.Split(m.Touches.String(), ", "), Secret: m.Secret,
	}
	for _, p := range m.Params {
		o.Params = append(o.Params, ContentDescriptor{Name: p.Name, Description: p.Help, Required: !p.Optional, Schema: types.of(p.typ)})
	}
	for _, e := range m.Examples {
		o.Description += strings.TrimSpace("Example, as typed in a shell: "+m.Name+" "+e) + "\n"
	}
	return o
}
