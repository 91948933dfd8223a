package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestMeasures applies every rule to a tree that breaks each.
func TestMeasures(t *testing.T) {
	tree, err := load("testdata/tree")
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readAllowances(tree.root)
	if err != nil {
		t.Fatal(err)
	}
	results, err := measureAll(tree, allowed)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"methods":    "walk.many: 41 of 40",
		"interfaces": "walk.wide: 5 of 4",
		"fields":     "walk.many: 19 of 18",
		"lines":      "walk/long.go: 451 of 450",
		"columns":    "walk: 1 of 0 walk/walk.go:18",
		"imports":    "walk: 1 of 0 walk/walk_test.go:6",
		"comments":   "walk: 1 of 1 walk/walk.go:4 Bare",
		"circles":    "walk: 3 of 0 walk: knee.go, leg.go, walk.go",
	}
	for _, r := range results {
		if got := show(r.over); got != want[r.name] {
			t.Errorf("%s: %q, want %q", r.name, got, want[r.name])
		}
		if r.advice == "" {
			t.Errorf("%s: nobody is told what to do", r.name)
		}
		delete(want, r.name)
	}
	if len(want) > 0 {
		t.Errorf("rules that did not run: %v", slices.Collect(maps.Keys(want)))
	}
	if !broken(results) {
		t.Error("the tree passes")
	}
}

// show returns each excess with the first of its details.
func show(over []excess) string {
	var out []string
	for _, o := range over {
		text := fmt.Sprintf("%s: %d of %d", o.place, o.finding.count, o.allowance.count)
		if len(o.details) > 0 {
			text += " " + o.details[0]
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// TestAllowancesOnlyShrink checks one place against its allowance.
func TestAllowancesOnlyShrink(t *testing.T) {
	r := rule{name: "columns", limit: 2}
	left := func(count int) allowances { return allowances{"columns walk": {count, "it is a table"}} }
	for _, c := range []struct {
		count, allowed int
		broken         bool
		left           allowances
	}{
		{count: 2, allowed: 0, left: allowances{}},
		{count: 3, allowed: 0, broken: true, left: allowances{}},
		{count: 5, allowed: 5, left: left(5)},
		{count: 6, allowed: 5, broken: true, left: left(5)},
		{count: 4, allowed: 5, left: left(4)},
		{count: 1, allowed: 5, left: allowances{}},
	} {
		judged := []result{r.judge([]finding{{place: "walk", count: c.count}}, left(c.allowed))}
		if broken(judged) != c.broken || !maps.Equal(lowered(judged), c.left) {
			t.Errorf("%+v: broken %v, left %v", c, broken(judged), lowered(judged))
		}
	}
}

// TestGraph draws the files of a package in layers.
func TestGraph(t *testing.T) {
	tree, err := load("testdata/tree")
	if err != nil {
		t.Fatal(err)
	}
	if text, want := string(draw(tree)), "### walk\n\n- foot\n- (knee leg walk), long\n"; !strings.HasSuffix(text, want) {
		t.Errorf("%s\ndoes not end in\n%s", text, want)
	}
}
