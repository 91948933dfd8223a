package main

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// references holds for each file of a package which others it refers to, and how often.
type references map[string]map[string]int

// referencesOf returns what the files of p use of each other: top-level declarations and methods. Fields are part of
// their type.
func referencesOf(p *pkg) references {
	refs := references{}
	for _, file := range p.files {
		refs[p.file(file.Pos())] = map[string]int{}
	}
	for name, object := range p.info.Uses {
		if object.Pkg() != p.types || !isDeclaration(object, p.types) {
			continue
		}
		from, to := p.file(name.Pos()), p.file(object.Pos())
		if from != to {
			refs[from][to]++
		}
	}
	return refs
}

func isDeclaration(object types.Object, in *types.Package) bool {
	if object.Parent() == in.Scope() {
		return true
	}
	function, ok := object.(*types.Func)
	return ok && function.Signature().Recv() != nil && !types.IsInterface(function.Signature().Recv().Type())
}

// circles counts the files of each package that reach themselves through other files.
func circles(t *tree) ([]finding, error) {
	var all []finding
	for _, p := range t.packages {
		refs := referencesOf(p)
		found := finding{place: p.dir}
		for _, circle := range refs.circles() {
			found.count += len(circle)
			found.details = append(found.details, refs.describe(p.dir, circle)...)
		}
		all = append(all, found)
	}
	return all, nil
}

// describe lists the references inside a circle, the rarest first, since those are the easiest to cut.
func (r references) describe(dir string, circle []string) []string {
	type arrow struct {
		text  string
		count int
	}
	var arrows []arrow
	for _, from := range circle {
		for _, to := range circle {
			if n := r[from][to]; n > 0 {
				arrows = append(arrows, arrow{fmt.Sprintf("  %s -> %s (%d)", from, to, n), n})
			}
		}
	}
	slices.SortStableFunc(arrows, func(a, b arrow) int { return a.count - b.count })
	lines := []string{fmt.Sprintf("%s: %s", dir, strings.Join(circle, ", "))}
	for _, a := range arrows {
		lines = append(lines, a.text)
	}
	return lines
}

// circles returns the strongly connected components of more than one file (Tarjan's algorithm), each sorted.
func (r references) circles() [][]string {
	var found [][]string
	for _, component := range r.components() {
		if len(component) > 1 {
			slices.Sort(component)
			found = append(found, component)
		}
	}
	return found
}

// components returns the strongly connected components, each after those it refers to.
func (r references) components() [][]string {
	c := components{refs: r, index: map[string]int{}, low: map[string]int{}, onStack: map[string]bool{}}
	for _, file := range slices.Sorted(maps.Keys(r)) {
		if _, seen := c.index[file]; !seen {
			c.visit(file)
		}
	}
	return c.found
}

type components struct {
	refs       references
	index, low map[string]int
	onStack    map[string]bool
	stack      []string
	found      [][]string
}

func (c *components) visit(file string) {
	c.index[file], c.low[file] = len(c.index), len(c.index)
	c.stack = append(c.stack, file)
	c.onStack[file] = true
	for _, to := range slices.Sorted(maps.Keys(c.refs[file])) {
		if _, seen := c.index[to]; !seen {
			c.visit(to)
			c.low[file] = min(c.low[file], c.low[to])
		} else if c.onStack[to] {
			c.low[file] = min(c.low[file], c.index[to])
		}
	}
	if c.low[file] == c.index[file] {
		c.pop(file)
	}
}

func (c *components) pop(root string) {
	at := slices.Index(c.stack, root)
	component := slices.Clone(c.stack[at:])
	c.stack = c.stack[:at]
	for _, file := range component {
		c.onStack[file] = false
	}
	c.found = append(c.found, component)
}
