package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"billfold/walletcore/ledgerview"

	"github.com/spf13/cobra"
)

// What make release links into a program, as whoever packages it elsewhere may too (docs/develop.md). Any other build is of no release, and
// knows its commit if Go saw a checkout.
var release, releaseCommit, releaseDate string

// buildInfo holds what a program knows of how it was made. It is the answer of billfold version --json.
type buildInfo struct {
	Version      string       `json:"version"`               // of the release, such as 1.0.0, or unreleased
	Commit       string       `json:"commit,omitempty"`      // if it is known
	CommitDate   string       `json:"commit_date,omitempty"` // RFC 3339, UTC
	Modified     bool         `json:"modified,omitempty"`    // the files were not those of the commit
	Go           string       `json:"go"`
	System       string       `json:"system"` // such as linux/amd64
	Dependencies []dependency `json:"dependencies"`
}

// dependency is a module that is linked.
type dependency struct {
	Module  string `json:"module"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"` // as in go.sum
}

func readBuildInfo() buildInfo {
	b := buildInfo{Version: release, Commit: releaseCommit, CommitDate: releaseDate, Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, Dependencies: []dependency{}}
	if release == "" {
		b.Version = "unreleased"
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Dependencies = append(b.Dependencies, dependency{m.Path, m.Version, m.Sum})
	}
	if release == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.CommitDate = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	return b
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := withoutSettings(&cobra.Command{
		Use: "version", Short: "Print the version, and with which Go it was built", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, out := readBuildInfo(), cmd.OutOrStdout()
			if asJSON {
				e := json.NewEncoder(out)
				e.SetIndent("", "  ")
				return e.Encode(b)
			}
			fmt.Fprintln(out, "billfold", b.Version)
			if b.Commit != "" {
				changed := ""
				if b.Modified {
					changed = ", with changes"
				}
				fmt.Fprintf(out, "commit %s of %s%s\n", b.Commit, b.CommitDate, changed)
			}
			fmt.Fprintf(out, "built with %s for %s\n", b.Go, b.System)
			return nil
		},
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print version, commit, Go and every linked module as JSON")
	return cmd
}

// fullVersion returns the release, or that there is none and the first digits of the commit.
func fullVersion() string {
	b := readBuildInfo()
	const digits = 12
	if release != "" || len(b.Commit) < digits {
		return b.Version
	}
	return b.Version + "-" + b.Commit[:digits]
}

// versions returns the answer of the operation about. The libraries of the reference are not used here.
func versions() ledgerview.Versions {
	return ledgerview.Versions{
		Version: fullVersion(), BoostVersion: "none", OpensslVersion: "none", CryptoppVersion: "none",
		Build: runtime.GOOS + " " + runtime.GOARCH + " " + runtime.Version(),
	}
}
