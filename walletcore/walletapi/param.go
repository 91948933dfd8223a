package walletapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Param describes one parameter.
type Param struct {
	Name       string
	Type       string // in a word or two: "text", "uint32", "public key"
	Help       string // unit or meaning; may be empty
	Secret     bool   // prompted for, never taken from a command line
	Optional   bool   // may be left out; only the last ones are
	ByNameOnly bool   // has no position
	Role       Role   // what the parameter means to permissions

	typ reflect.Type
}

// IsText reports whether the parameter is text, whatever its characters are.
func (p *Param) IsText() bool { return p.typ.Kind() == reflect.String && !hasMarshaler(p.typ) }

// paramPlan describes how calls are read into a struct of parameters. It is made once
// per operation. The fields are the parameters, in their order:
//
//	From string `json:"from" role:"account" help:"account name or id"`
//
// A parameter with ",omitempty" may be left out (only the last ones), and so may one
// with default:"…", which is the JSON it then has. secret:"true" keeps a parameter off
// the command line and out of errors; byname:"only" means it has no position. The
// fields of a struct without a JSON name count as fields of the outer struct.
type paramPlan struct {
	typ    reflect.Type
	params []plannedParam
	places int // how many can be given by position
}

// plannedParam is one parameter and how to read it.
type plannedParam struct {
	Param
	index    []int // of its field, for reflect.Value.FieldByIndex
	read     reader
	fallback json.RawMessage // its value when it is left out; empty = the zero value
}

// planOf returns the plan for t, a struct. It panics on a role that does not exist,
// which any test of the catalogue shows.
func planOf(t reflect.Type) paramPlan {
	plan := paramPlan{typ: t}
	plan.add(t, nil)
	for _, p := range plan.params {
		if !p.ByNameOnly {
			plan.places++
		}
	}
	return plan
}

func (plan *paramPlan) add(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && f.Type.Kind() == reflect.Struct:
			plan.add(f.Type, index)
		default:
			fallback, hasDefault := f.Tag.Lookup("default")
			plan.params = append(
				plan.params,
				plannedParam{index: index, read: readerOf(f.Type), fallback: json.RawMessage(fallback), Param: Param{
					Name: name, Type: wordOf(f.Type), Help: f.Tag.Get("help"), Role: roleNamed(f.Tag.Get("role")),
					Optional: options == "omitempty" ||
						hasDefault, Secret: f.Tag.Get("secret") == "true", ByNameOnly: f.Tag.Get("byname") == "only", typ: f.Type,
				}},
			)
		}
	}
}

// list returns the descriptions of the parameters.
func (plan *paramPlan) list() []Param {
	list := make([]Param, len(plan.params))
	for i, p := range plan.params {
		list[i] = p.Param
	}
	return list
}

// required returns how many parameters must be given; the optional ones come last.
func (plan *paramPlan) required() int {
	n := len(plan.params)
	for n > 0 && plan.params[n-1].Optional {
		n--
	}
	return n
}
