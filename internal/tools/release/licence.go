package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// module is a module that is linked, with what may be done with it.
type module struct {
	Path, Version, Sum string

	folders  []string // of its packages that are linked, and its own first
	licences []string // SPDX identifiers, sorted
	texts    []notice
}

// notice is a file with a licence, or with what has to be said beside one.
type notice struct {
	name string // in the module
	text []byte
}

// standard is the name under which the standard library is among the modules. It is linked too.
const standard = "std"

// linked returns the modules that any of the programs for these systems has, sorted by path, and the standard library first.
func (r *release) linked(systems []string) ([]module, error) {
	root, err := r.output(nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	found := map[string]*module{}
	for _, system := range systems {
		text, err := r.output(environment(system), "go", "list", "-deps", "-json=Dir,ImportPath,Standard,Module", "./cmd/billfold")
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(strings.NewReader(text)); ; {
			var p struct {
				Dir      string
				Standard bool
				Module   *struct {
					Path, Version, Dir, Sum string
					Main                    bool
					Replace                 *struct{ Path string }
				}
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Standard || p.Module == nil || p.Module.Main {
				continue
			}
			if p.Module.Replace != nil {
				return nil, fmt.Errorf("go.mod replaces %s; a release has the modules that go.mod requires", p.Module.Path)
			}
			m := found[p.Module.Path]
			if m == nil {
				m = &module{Path: p.Module.Path, Version: p.Module.Version, Sum: p.Module.Sum, folders: []string{p.Module.Dir}}
				found[p.Module.Path] = m
			}
			for folder := p.Dir; folder != p.Module.Dir; folder = filepath.Dir(folder) { // a folder may have a licence of its own
				if !slices.Contains(m.folders, folder) {
					m.folders = append(m.folders, folder)
				}
			}
		}
	}
	modules := []module{{Path: standard, Version: strings.TrimPrefix(r.goes, "go"), folders: []string{root}}}
	for _, m := range found {
		modules = append(modules, *m)
	}
	slices.SortFunc(modules[1:], func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	for i := range modules {
		if err := modules[i].read(); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

var noticeName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)([-._].*)?$`)

// mayBeLinked are the licences of modules that a program under the MIT licence may be linked with and given away, as long as their texts come with it.
var mayBeLinked = []string{"MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Apache-2.0", "0BSD", "Unlicense", "CC0-1.0", "MPL-2.0"}

// byPeople are the licences of files that a person has to read: the README of a module that has no text of a licence, and what is in the public
// domain.
var byPeople = map[string]string{
	"github.com/mattn/go-localereader/README.md": "MIT",
	"modernc.org/sqlite/LICENSE-SQLITE":          "blessing",
}

// read reads the licences of a module. It refuses one without any, and one whose licence is unknown or must not be linked.
func (m *module) read() error {
	for _, folder := range m.folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !noticeName.MatchString(e.Name()) || !e.Type().IsRegular() || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			name, err := filepath.Rel(m.folders[0], filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			m.texts = append(m.texts, notice{filepath.ToSlash(name), text})
			if err := m.judge(e.Name(), text); err != nil {
				return err
			}
		}
	}
	if licence, is := byPeople[m.Path+"/README.md"]; is && len(m.licences) == 0 {
		text, err := os.ReadFile(filepath.Join(m.folders[0], "README.md"))
		if err != nil {
			return err
		}
		m.licences, m.texts = []string{licence}, []notice{{"README.md", text}}
	}
	if len(m.licences) == 0 {
		return fmt.Errorf("%s %s has no licence that is known; ask its author for one, or do without it", m.Path, m.Version)
	}
	slices.Sort(m.licences)
	m.licences = slices.Compact(m.licences)
	return nil
}

// judge reads which licences a text is. What is beside a licence, such as a notice, a
// grant of patents or the licence of a picture, is given away with it and decides nothing.
func (m *module) judge(name string, text []byte) error {
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "notice") || strings.HasPrefix(lower, "patents") || strings.HasSuffix(lower, "-logo") {
		return nil
	}
	covered := licensecheck.Scan(text)
	const enough = 60 // percent: lines of who holds the copyright, and headings, belong to no licence
	if licence, is := byPeople[m.Path+"/"+name]; is {
		m.licences = append(m.licences, licence)
		return nil
	}
	ofOthers := strings.Contains(lower, "party") // with words about each of them
	if covered.Percent < enough && !ofOthers {
		return fmt.Errorf("%s of %s %s is no licence that is known (%.0f %% of it are); read it, and do without the module if it must not be linked",
			name, m.Path, m.Version, covered.Percent)
	}
	for _, match := range covered.Match {
		if !slices.Contains(mayBeLinked, match.ID) {
			return fmt.Errorf("%s of %s %s is %s, which a program under the MIT licence is not linked with here; do without the module",
				name, m.Path, m.Version, match.ID)
		}
		m.licences = append(m.licences, match.ID)
	}
	return nil
}

// embedded are files of others in the program that come from no module.
var embedded = []struct{ what, licence string }{
	{"the word lists of zxcvbn", "walletcore/vault/strength/lists/LICENSE"},
}

// notices returns the licences of all that is linked, as one text.
func (r *release) notices(linked []module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("Billfold is under the MIT licence (LICENSE). It is linked with the modules below, which are under theirs.\n\n")
	for _, m := range linked {
		fmt.Fprintf(&b, "  %s %s: %s\n", m.Path, m.Version, strings.Join(m.licences, ", "))
	}
	rule := "\n" + strings.Repeat("-", 78) + "\n"
	for _, m := range linked {
		for _, n := range m.texts {
			fmt.Fprintf(&b, "%s%s %s, %s\n\n%s\n", rule, m.Path, m.Version, n.name, bytes.TrimSpace(n.text))
		}
	}
	for _, e := range embedded {
		text, err := os.ReadFile(filepath.Join(r.root, e.licence))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s, the licence of %s, is gone; leave it beside them", e.licence, e.what)
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%sBillfold has %s\n\n%s\n", rule, e.what, bytes.TrimSpace(text))
	}
	return b.Bytes(), nil
}
