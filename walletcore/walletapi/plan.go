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
	Secret     bool   // asked for, never taken from a command line
	Optional   bool   // may be left out; only the last ones
	ByNameOnly bool   // has no position
	Role       Role   // what the parameter stands for, where permissions depend on it

	typ reflect.Type
}

// IsText reports whether the parameter is text, whatever its characters are.
func (p *Param) IsText() bool { return p.typ.Kind() == reflect.String && !writesItself(p.typ) }

// paramPlan is how calls are read into a struct of parameters; made once for each
// operation. Members are parameters in their order:
//
//	From string `json:"from" role:"account" help:"account name or id"`
//
// ",omitempty" lets one be left out (only the last ones), and so does default:"…",
// the JSON that it is then. secret:"true" keeps it from the command line and from
// errors, byname:"only" takes it away from positions. A struct member without a
// name lends its own members.
type paramPlan struct {
	typ    reflect.Type
	params []plannedParam
	places int // how many can be given by position
}

// plannedParam is one member with the way to it.
type plannedParam struct {
	Param
	index   []int
	read    reader
	instead json.RawMessage // what it is where it was left out; nil = the zero value
}

// planOf reads the members of t, a struct. A table that cannot be read is a
// defect, which the first test of the catalogue shows.
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
			instead, hasDefault := f.Tag.Lookup("default")
			plan.params = append(
				plan.params,
				plannedParam{index: index, read: readerOf(f.Type), instead: json.RawMessage(instead), Param: Param{
					Name: name, Type: wordOf(f.Type), Help: f.Tag.Get("help"), Role: roleNamed(f.Tag.Get("role")),
					Optional: options == "omitempty" ||
						hasDefault, Secret: f.Tag.Get("secret") == "true", ByNameOnly: f.Tag.Get("byname") == "only", typ: f.Type,
				}},
			)
		}
	}
}

// list is the parameters without the way to them.
func (plan *paramPlan) list() []Param {
	list := make([]Param, len(plan.params))
	for i, p := range plan.params {
		list[i] = p.Param
	}
	return list
}

// required is how many parameters must be given; the optional ones come last.
func (plan *paramPlan) required() int {
	n := len(plan.params)
	for n > 0 && plan.params[n-1].Optional {
		n--
	}
	return n
}
