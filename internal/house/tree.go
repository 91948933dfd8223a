package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// tree is the module as the measures read it: every package with its syntax and its types.
type tree struct {
	root     string // the folder of go.mod
	module   string
	packages []*pkg // sorted by dir
}

// pkg is one package without its tests, of which only the length of lines is measured.
type pkg struct {
	dir   string // "." or a path below root, with slashes
	fset  *token.FileSet
	files []*ast.File
	types *types.Package
	info  *types.Info
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
	packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule

// load reads the module whose go.mod is in root.
func load(root string) (*tree, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{Mode: loadMode, Dir: root}, "./...")
	if err != nil {
		return nil, err
	}
	t := &tree{root: root}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s does not build: %w", p.PkgPath, p.Errors[0])
		}
		t.module = p.Module.Path
		t.packages = append(t.packages, &pkg{
			dir: dirOf(p.PkgPath, t.module), fset: p.Fset, files: p.Syntax, types: p.Types, info: p.TypesInfo,
		})
	}
	slices.SortFunc(t.packages, func(a, b *pkg) int { return cmp.Compare(a.dir, b.dir) })
	return t, nil
}

// dirOf turns an import path of the module into a folder below its root.
func dirOf(path, module string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// file returns the name of the file that pos is in, without its folder.
func (p *pkg) file(pos token.Pos) string { return filepath.Base(p.fset.Position(pos).Filename) }

// at returns pos as folder, file and line.
func (p *pkg) at(pos token.Pos) string {
	return fmt.Sprintf("%s/%s:%d", p.dir, p.file(pos), p.fset.Position(pos).Line)
}
