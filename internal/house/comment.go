package main

import (
	"go/ast"
)

// selfEvident are methods of the standard library's interfaces, which document their contract.
var selfEvident = map[string]bool{
	"Error": true, "Unwrap": true, "String": true, "Read": true, "Write": true, "ServeHTTP": true,
	"Len": true, "Less": true, "Swap": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true,
}

// uncommented returns the exported names of a file that have no comment: types, functions, methods of exported types, constants and
// variables. One comment above a group of constants or variables is enough for the group.
func uncommented(file *ast.File) []*ast.Ident {
	var bare []*ast.Ident
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && ofExported(d) && !(d.Recv != nil && selfEvident[d.Name.Name]) {
				bare = append(bare, d.Name)
			}
		case *ast.GenDecl:
			bare = append(bare, uncommentedIn(d)...)
		}
	}
	return bare
}

// ofExported reports whether d is a function, or a method of an exported type.
func ofExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return false
		}
	}
}

func uncommentedIn(d *ast.GenDecl) []*ast.Ident {
	var bare []*ast.Ident
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && s.Doc == nil && s.Comment == nil && (d.Doc == nil || len(d.Specs) > 1) {
				bare = append(bare, s.Name)
			}
		case *ast.ValueSpec:
			if s.Doc == nil && s.Comment == nil && d.Doc == nil {
				bare = append(bare, exported(s.Names)...)
			}
		}
	}
	return bare
}

func exported(names []*ast.Ident) []*ast.Ident {
	var out []*ast.Ident
	for _, name := range names {
		if name.IsExported() {
			out = append(out, name)
		}
	}
	return out
}
