package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// program is one that was built.
type program struct{ system, path string }

// environment returns what decides about the bytes of a program, whatever the caller's environment has.
func environment(system string) []string {
	goos, goarch, _ := strings.Cut(system, "/")
	return []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOEXPERIMENT=", "GOAMD64=v1",
		"GOARM64=v8.0", "GOFIPS140=off"}
}

// build builds the programs.
func (r *release) build(work string) (programs []program, err error) {
	for _, system := range r.systems {
		p := program{system, filepath.Join(work, r.name(system))}
		if strings.HasPrefix(system, "windows/") {
			p.path += ".exe"
		}
		if err := r.buildOne(p); err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	return programs, nil
}

func (r *release) buildOne(p program) error {
	fmt.Println("building for", p.system)
	stamp := fmt.Sprintf("-s -X main.release=%s -X main.releaseCommit=%s -X main.releaseDate=%s", r.version, r.commit.id, r.commit.rfc3339())
	_, err := r.output(environment(p.system), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", stamp, "-o", p.path, "./cmd/billfold")
	return err
}

// native returns a program that runs here: one of those, or else another one.
func (r *release) native(work string, programs []program) (program, error) {
	here := program{runtime.GOOS + "/" + runtime.GOARCH, filepath.Join(work, "native")}
	for _, p := range programs {
		if p.system == here.system {
			return p, nil
		}
	}
	return here, r.buildOne(here)
}

// checkPrograms compares what the linker wrote into the programs with the modules whose licences are shipped.
func checkPrograms(programs []program, linked []module) error {
	known := map[string]bool{}
	for _, m := range linked {
		known[m.Path+" "+m.Version] = true
	}
	for _, p := range programs {
		info, err := buildinfo.ReadFile(p.path)
		if err != nil {
			return err
		}
		for _, m := range info.Deps {
			if m.Replace != nil || !known[m.Path+" "+m.Version] {
				return fmt.Errorf("%s has %s %s, which is not among the modules whose licences are known", filepath.Base(p.path), m.Path, m.Version)
			}
		}
		for _, s := range info.Settings {
			if s.Key == "CGO_ENABLED" && s.Value != "0" {
				return fmt.Errorf("%s was linked with C", filepath.Base(p.path))
			}
		}
		if _, err := os.Stat(p.path); err != nil {
			return err
		}
	}
	return nil
}
