package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// productFile is a Go file of the product: no test, no test support, no tool.
type productFile struct {
	path            string // below the root, with slashes
	lines, preamble int    // all lines, and those of package and imports
}

// support are the folders of tools and of what only tests use.
var support = []string{
	"internal/", "sandbox/sandboxtest/", "tui/uitest/", "walletcore/fault/faulttest/", "walletcore/storetest/", "walletcore/testwallet/",
}

// printYardsticks prints the size and shape of the product.
func printYardsticks(root string) error {
	files, err := product(root)
	if err != nil {
		return err
	}
	var all, ui, preamble, short int
	var lengths []int
	for _, f := range files {
		all += f.lines
		preamble += f.preamble
		if strings.HasPrefix(f.path, "tui/") {
			ui += f.lines
		}
		if base := filepath.Base(f.path); base == "doc.go" || platform(base) {
			continue
		}
		lengths = append(lengths, f.lines)
		if f.lines < 60 {
			short++
		}
	}
	slices.Sort(lengths)
	fmt.Printf("product: %d lines in %d files; tui: %d lines\n", all, len(files), ui)
	fmt.Printf("package and import lines: %.1f %%\n", 100*float64(preamble)/float64(all))
	fmt.Printf("files under 60 lines, doc.go and platform files apart: %d; the median file has %d\n", short, lengths[len(lengths)/2])
	return nil
}

// platform reports whether a file is for one system only.
func platform(base string) bool {
	for _, system := range []string{"linux", "unix", "windows", "darwin", "other"} {
		if strings.HasSuffix(base, "_"+system+".go") {
			return true
		}
	}
	return false
}

func product(root string) ([]productFile, error) {
	var files []productFile
	err := goFiles(root, func(path string) error {
		isSupport := slices.ContainsFunc(support, func(dir string) bool { return strings.HasPrefix(path, dir) })
		if isSupport || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		text := string(source)
		files = append(files, productFile{path, strings.Count(text, "\n"), preambleLines(text)})
		return nil
	})
	return files, err
}

// preambleLines counts the lines of the package clause and the imports.
func preambleLines(source string) int {
	count, inImports := 0, false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\n")
		switch {
		case inImports:
			count++
			inImports = line != ")"
		case line == "import (":
			count++
			inImports = true
		case strings.HasPrefix(line, "package "), strings.HasPrefix(line, "import "):
			count++
		}
	}
	return count
}

// goFiles calls do with the path below root of every Go file, whichever system it is for.
func goFiles(root string, do func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(rel))
	})
}
