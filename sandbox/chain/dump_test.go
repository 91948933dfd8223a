package chain

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"billfold/sandbox/chain/state"
)

// snapshot records everything that is in the state, its indexes too, so that
// two states can be compared. What a state gains is in it without more ado.
func (b *bank) snapshot() string {
	var d dumper
	b.c.View(func(s *state.State) { d.value(reflect.ValueOf(s)) })
	return string(d.out)
}

// dumper writes values, followed through pointers, maps in the order of their keys.
type dumper struct{ out []byte }

func (d *dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			d.out = append(d.out, "nil"...)
			return
		}
		d.value(v.Elem())
	case reflect.Struct:
		d.structure(v)
	case reflect.Map:
		d.mapping(v)
	case reflect.Slice, reflect.Array:
		d.list(v)
	case reflect.String:
		d.out = strconv.AppendQuote(d.out, v.String())
	case reflect.Bool:
		d.out = strconv.AppendBool(d.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.out = strconv.AppendInt(d.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.out = strconv.AppendUint(d.out, v.Uint(), 10)
	default:
		panic(fmt.Sprintf("the dump knows no %s", v.Type()))
	}
}

// structure leaves out the journal, which says how to get back, not what is.
func (d *dumper) structure(v reflect.Value) {
	t := v.Type()
	d.out = append(d.out, '{')
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "journal" || f.Name == "j" {
			continue
		}
		d.out = append(append(d.out, f.Name...), ':')
		d.value(v.Field(i))
		d.out = append(d.out, ' ')
	}
	d.out = append(d.out, '}', '\n')
}

func (d *dumper) mapping(v reflect.Value) {
	type entry struct{ key, value []byte }
	entries := []entry{}
	for keys := v.MapRange(); keys.Next(); {
		var key, value dumper
		key.value(keys.Key())
		value.value(keys.Value())
		entries = append(entries, entry{key.out, value.out})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(string(a.key), string(b.key)) })
	for _, e := range entries {
		d.out = append(append(append(append(d.out, e.key...), "→"...), e.value...), ' ')
	}
}

func (d *dumper) list(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		for i := range v.Len() {
			d.out = append(d.out, "0123456789abcdef"[v.Index(i).Uint()>>4], "0123456789abcdef"[v.Index(i).Uint()&15])
		}
		return
	}
	d.out = append(d.out, '[')
	for i := range v.Len() {
		d.value(v.Index(i))
		d.out = append(d.out, ' ')
	}
	d.out = append(d.out, ']')
}
