// House names what breaks the rules of the house that a program can judge: exported names without a comment, and imports out
// of order. Import directions between packages are held by a test in cmd/billfold. With -yardsticks it prints the size and shape of
// the product instead, for whoever wants to look; nothing fails on those.
package main

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the folder of go.mod")
	measure := flag.Bool("yardsticks", false, "print the size and shape of the product")
	flag.Parse()
	run := judge
	if *measure {
		run = printYardsticks
	}
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// judge prints what breaks a rule, and returns an error if anything does.
func judge(root string) error {
	places, err := faults(root)
	if err != nil {
		return err
	}
	for _, place := range places {
		fmt.Println(place)
	}
	if len(places) > 0 {
		return fmt.Errorf("%d places break a rule of the house", len(places))
	}
	return nil
}

// faults returns a sentence for each place that breaks a rule.
func faults(root string) ([]string, error) {
	module, err := moduleName(root)
	if err != nil {
		return nil, err
	}
	var found []string
	err = goFiles(root, func(path string) error {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if file.Name.Name != "main" && !strings.HasSuffix(path, "_test.go") {
			for _, name := range uncommented(file) {
				found = append(found, fmt.Sprintf("%s:%d: %s is exported without a comment: say what it returns or holds, or do not export it",
					path, fset.Position(name.Pos()).Line, name.Name))
			}
		}
		for _, line := range unordered(fset, file, module) {
			found = append(found, fmt.Sprintf("%s:%d: the standard library is imported first, then this module, then others, with an empty line between",
				path, line))
		}
		return nil
	})
	return found, err
}

// moduleName returns the module's path, which stands in the first line of go.mod.
func moduleName(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(line, "module "), nil
}
