package main

import (
	"go/types"
	"slices"
	"strings"
)

// methods counts the methods that each named type declares, without those of embedded fields.
func methods(t *tree) ([]finding, error) {
	var all []finding
	for _, p := range t.packages {
		for _, name := range typeNames(p) {
			if named, ok := name.Type().(*types.Named); ok {
				all = append(all, finding{place: p.dir + "." + name.Name(), count: named.NumMethods()})
			}
		}
	}
	return all, nil
}

// interfaces counts the methods that each named interface declares, without those of embedded interfaces.
func interfaces(t *tree) ([]finding, error) {
	var all []finding
	for _, p := range t.packages {
		for _, name := range typeNames(p) {
			if is, ok := name.Type().Underlying().(*types.Interface); ok {
				all = append(all, finding{place: p.dir + "." + name.Name(), count: is.NumExplicitMethods()})
			}
		}
	}
	return all, nil
}

// fields counts the fields of each named struct, except for plain data and configuration: structs with only exported
// fields, which mirror a message or a file, and structs named as config, options or settings.
func fields(t *tree) ([]finding, error) {
	var all []finding
	for _, p := range t.packages {
		for _, name := range typeNames(p) {
			structure, ok := name.Type().Underlying().(*types.Struct)
			if ok && !isPlain(structure) && !isConfiguration(name.Name()) {
				all = append(all, finding{place: p.dir + "." + name.Name(), count: structure.NumFields()})
			}
		}
	}
	return all, nil
}

func isPlain(s *types.Struct) bool {
	for field := range s.Fields() {
		if !field.Exported() {
			return false
		}
	}
	return true
}

func isConfiguration(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"config", "options", "settings"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// typeNames returns the top-level types of p, without aliases, sorted by name.
func typeNames(p *pkg) []*types.TypeName {
	var names []*types.TypeName
	for _, name := range p.types.Scope().Names() {
		if object, ok := p.types.Scope().Lookup(name).(*types.TypeName); ok && !object.IsAlias() {
			names = append(names, object)
		}
	}
	return names
}
