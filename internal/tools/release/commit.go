package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// commit is the commit that a release is made from.
type commit struct {
	id        string
	time      time.Time
	committer string // NAME <ADDRESS>
}

func (c commit) rfc3339() string { return c.time.Format(time.RFC3339) }

// output runs a command in the folder of go.mod and returns what it prints, without blanks around it.
func (r *release) output(environment []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), environment...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, problems.Bytes())
	}
	return strings.TrimSpace(string(text)), nil
}

func (r *release) readGo() (err error) {
	r.goes, err = r.output(nil, "go", "env", "GOVERSION")
	return err
}

// checkGo refuses a Go that is older than the one that go.mod names.
func (r *release) checkGo() error {
	if err := r.readGo(); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(r.root, "go.mod"))
	if err != nil {
		return err
	}
	_, least, found := strings.Cut(string(mod), "\ntoolchain ")
	least, _, _ = strings.Cut(least, "\n")
	if !found || version.Compare(r.goes, least) < 0 {
		return fmt.Errorf("%s has known faults, and releases are made with %s or newer; GOTOOLCHAIN=auto fetches it", r.goes, least)
	}
	return nil
}

func (r *release) readHead() error {
	line, err := r.output(nil, "git", "log", "-1", "--format=%H %ct %cn <%ce>")
	if err != nil {
		return err
	}
	id, rest, _ := strings.Cut(line, " ")
	seconds, committer, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	r.commit = commit{id, time.Unix(n, 0).UTC(), committer}
	return err
}

var versionForm = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9a-z]+(\.[0-9a-z]+)*)?$`)

// readCommit reads what the release is made from, and finds its version.
func (r *release) readCommit() error {
	changed, err := r.output(nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the tree is not that of a commit; commit or remove this first:\n%s", changed)
	}
	tags, err := r.output(nil, "git", "tag", "--points-at", "HEAD", "--list", "v*")
	if err = errors.Join(err, r.readHead()); err != nil {
		return err
	}
	switch {
	case r.version == "" && tags == "":
		return errors.New("the commit has no tag such as v1.0.0; make one, or give VERSION=1.0.0")
	case strings.Contains(tags, "\n"):
		return fmt.Errorf("the commit has several tags: %s; leave one", strings.ReplaceAll(tags, "\n", ", "))
	case r.version == "":
		r.version = strings.TrimPrefix(tags, "v")
	case tags != "" && tags != "v"+r.version:
		return fmt.Errorf("the commit has the tag %s, and the version is to be %s; move the tag, or leave VERSION out", tags, r.version)
	}
	if !versionForm.MatchString(r.version) {
		return fmt.Errorf("%q is not a version; write it like 1.0.0, or 1.0.0-rc.1 before it", r.version)
	}
	if r.maintainer == "" {
		r.maintainer = r.commit.committer
	}
	return nil
}
