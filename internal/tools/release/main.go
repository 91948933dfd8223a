// Release makes the files of a release of Billfold from a commit: programs for six systems, archives, packages for Debian and for RPM,
// manual pages, completions of shells, the licences of what is linked, a bill of materials, and the sums of all of these.
//
//	commit ──► programs ──► licences, manual, completions ──► archives, packages ──► bill of materials, sums
//
// Everything is made from the commit and from the modules that go.mod names, and its times are the commit's: the same Go makes the same bytes, in
// whatever folder. It refuses a tree that is not the commit's, and a Go that is older than go.mod says. With -licences it only checks
// that every linked module has a licence that a release may carry, and that the bill of materials is whole.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	r := &release{}
	flag.StringVar(&r.root, "root", ".", "the folder of go.mod")
	flag.StringVar(&r.version, "version", "", "the version, such as 1.0.0; without it, the commit's tag v1.0.0")
	flag.StringVar(&r.out, "out", "dist", "the folder for the files; it must be empty or not exist")
	flag.StringVar(&r.maintainer, "maintainer", "", "who maintains the packages, as NAME <ADDRESS>; without it, who made the commit")
	flag.StringVar(&r.packager, "nfpm", "", "the program nfpm")
	systems := flag.String("systems", strings.Join(allSystems(), ","), "the systems to make programs for")
	onlyCheck := flag.Bool("licences", false, "only check the licences and the bill of materials")
	flag.Parse()
	r.systems = strings.Split(*systems, ",")
	do := r.make
	if *onlyCheck {
		do = r.check
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func allSystems() []string {
	return []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
}

// release is one that is being made.
type release struct {
	root, out, version, maintainer, packager string

	systems []string
	commit  commit
	goes    string // the version of Go that builds it, such as go1.26.10
}

// name returns the beginning of the names of a system's files.
func (r *release) name(system string) string {
	return "billfold_" + r.version + "_" + strings.ReplaceAll(system, "/", "_")
}

// make makes everything in the folder for the files.
func (r *release) make() (err error) {
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	for _, system := range r.systems {
		if !slices.Contains(allSystems(), system) {
			return fmt.Errorf("there is no program for %q; these are the systems: %s", system, strings.Join(allSystems(), ", "))
		}
	}
	if left, err := os.ReadDir(r.out); err == nil && len(left) > 0 {
		return fmt.Errorf("%s is not empty; remove it, or name another folder", r.out)
	}
	if err := errors.Join(r.checkGo(), r.readCommit()); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "billfold-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // nothing uses what may be left of it
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	fmt.Printf("billfold %s, commit %s of %s, with %s\n", r.version, r.commit.id, r.commit.rfc3339(), r.goes)
	programs, err := r.build(work)
	if err != nil {
		return err
	}
	linked, err := r.linked(r.systems)
	if err != nil {
		return err
	}
	if err := checkPrograms(programs, linked); err != nil {
		return err
	}
	shipped, err := r.gather(work, programs, linked)
	if err != nil {
		return err
	}
	if err := errors.Join(r.archives(programs, shipped), r.packages(work, programs, shipped), r.source()); err != nil {
		return err
	}
	if err := r.materials(programs, linked); err != nil {
		return err
	}
	return r.sums()
}

// check checks what can be checked without building anything.
func (r *release) check() error {
	if err := errors.Join(r.readGo(), r.readHead()); err != nil {
		return err
	}
	r.version = "0.0.0"
	linked, err := r.linked([]string{"linux/amd64", "darwin/arm64", "windows/amd64"})
	if err != nil {
		return err
	}
	if _, err := r.notices(linked); err != nil {
		return err
	}
	return r.bill(nil, linked).check()
}
