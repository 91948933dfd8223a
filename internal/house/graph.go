package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// graphFile shows packages and files in layers. It is written by make docs.
const graphFile = "docs/design/graph.md"

const graphHead = `# The house as it stands

Written by ` + "`make docs`" + ` from the code; ` + "`make check`" + ` fails if it is out of date.

## Packages

An arrow says "imports". Arrows that follow from others are left out.

`

const filesHead = `
## Files

Within a package, a file refers to files of the lines below its own, never to its own line or above.
Files in brackets refer to each other in a circle.
`

func writeGraph(t *tree) error {
	return os.WriteFile(filepath.Join(t.root, graphFile), draw(t), 0o644)
}

func graphIsStale(t *tree) (bool, error) {
	written, err := os.ReadFile(filepath.Join(t.root, graphFile))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return !bytes.Equal(written, draw(t)), err
}

// draw returns the whole text of graphFile.
func draw(t *tree) []byte {
	var b bytes.Buffer
	b.WriteString(graphHead)
	drawPackages(&b, t)
	b.WriteString(filesHead)
	for _, p := range t.packages {
		if len(p.files) > 1 {
			fmt.Fprintf(&b, "\n### %s\n\n", p.dir)
			for _, layer := range layers(referencesOf(p)) {
				fmt.Fprintf(&b, "- %s\n", strings.Join(layer, ", "))
			}
		}
	}
	return b.Bytes()
}

func drawPackages(b *bytes.Buffer, t *tree) {
	b.WriteString("```mermaid\ngraph TD\n")
	arrows := importsOf(t)
	for _, p := range t.packages {
		for _, to := range slices.Sorted(maps.Keys(arrows[p.dir])) {
			if !indirect(arrows, p.dir, to) {
				fmt.Fprintf(b, "    %s --> %s\n", node(p.dir), node(to))
			}
		}
	}
	b.WriteString("```\n")
}

// node returns a name that Mermaid accepts, with the folder as its label.
func node(dir string) string {
	return strings.NewReplacer("/", "_", ".", "_").Replace(dir) + "[" + dir + "]"
}

// importsOf returns for each package which packages of the module it imports.
func importsOf(t *tree) map[string]map[string]bool {
	arrows := map[string]map[string]bool{}
	for _, p := range t.packages {
		arrows[p.dir] = map[string]bool{}
		for _, imported := range p.types.Imports() {
			if isOwn(imported, t.module) {
				arrows[p.dir][dirOf(imported.Path(), t.module)] = true
			}
		}
	}
	return arrows
}

func isOwn(p *types.Package, module string) bool {
	return p.Path() == module || strings.HasPrefix(p.Path(), module+"/")
}

// indirect reports whether from reaches to through another package that it imports.
func indirect(arrows map[string]map[string]bool, from, to string) bool {
	for via := range arrows[from] {
		if via != to && reaches(arrows, via, to) {
			return true
		}
	}
	return false
}

func reaches(arrows map[string]map[string]bool, from, to string) bool {
	if arrows[from][to] {
		return true
	}
	for via := range arrows[from] {
		if reaches(arrows, via, to) {
			return true
		}
	}
	return false
}

// layers sorts the files of a package into lines, so that each file is above all those it refers to. A circle is one
// entry in brackets.
func layers(refs references) [][]string {
	depth := map[string]int{}
	var lines [][]string
	for _, component := range refs.components() { // those that others refer to come first
		level := 0
		for _, file := range component {
			for to := range refs[file] {
				if !slices.Contains(component, to) {
					level = max(level, depth[to]+1)
				}
			}
		}
		for _, file := range component {
			depth[file] = level
		}
		for len(lines) <= level {
			lines = append(lines, nil)
		}
		lines[level] = append(lines[level], label(component))
	}
	for _, line := range lines {
		slices.Sort(line)
	}
	slices.Reverse(lines)
	return lines
}

func label(component []string) string {
	names := make([]string, len(component))
	for i, file := range component {
		names[i] = strings.TrimSuffix(file, ".go")
	}
	slices.Sort(names)
	if len(names) == 1 {
		return names[0]
	}
	return "(" + strings.Join(names, " ") + ")"
}
