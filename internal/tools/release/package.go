package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// packages makes the packages for Linux from packaging/nfpm.yaml.
func (r *release) packages(work string, programs []program, shipped []entry) error {
	for _, p := range programs {
		goos, goarch, _ := strings.Cut(p.system, "/")
		if goos != "linux" {
			continue
		}
		for _, kind := range []string{"deb", "rpm"} {
			stage := filepath.Join(work, kind+"-"+goarch)
			if err := r.stage(stage, kind, p, shipped); err != nil {
				return err
			}
			environment := []string{"ARCH=" + goarch, "VERSION=" + r.version, "MAINTAINER=" + r.maintainer, "STAGE=" + stage,
				"SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.commit.time.Unix(), 10), "TZ=UTC"}
			if _, err := r.output(environment, r.packager, "package", "--config", "packaging/nfpm.yaml", "--packager", kind, "--target", r.out+"/"); err != nil {
				return err
			}
		}
	}
	return nil
}

// places lists the places of what the release ships: its folder, and the folder in the package.
var places = []struct{ from, to string }{
	{"docs/", "usr/share/doc/billfold/docs/"},
	{"README.md", "usr/share/doc/billfold/README.md"},
	{"SECURITY.md", "usr/share/doc/billfold/SECURITY.md"},
	{"packaging/systemd/billfold.sysusers", "usr/lib/sysusers.d/billfold.conf"},
	{"packaging/systemd/billfold.tmpfiles", "usr/lib/tmpfiles.d/billfold.conf"},
	{"packaging/systemd/unlock.conf", "usr/share/doc/billfold/unlock.conf"},
	{"packaging/systemd/", "usr/lib/systemd/system/"},
	{"completions/billfold.bash", "usr/share/bash-completion/completions/billfold"},
	{"completions/billfold.fish", "usr/share/fish/vendor_completions.d/billfold.fish"},
}

// stage lays out what a package installs, as it stands below the root.
func (r *release) stage(root, kind string, p program, shipped []entry) error {
	program, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	entries := []entry{{"usr/bin/billfold", program, 0o755}}
	zsh := "usr/share/zsh/site-functions/_billfold"
	if kind == "deb" {
		zsh = "usr/share/zsh/vendor-completions/_billfold"
		entries = append(entries, entry{"usr/share/doc/billfold/changelog.Debian.gz", zipped(r.debianChangelog()), 0o644})
	}
	for _, e := range shipped {
		switch {
		case e.name == "completions/_billfold":
			entries = append(entries, entry{zsh, e.text, e.mode})
		case e.name == "CHANGELOG.md":
			entries = append(entries, entry{"usr/share/doc/billfold/changelog.gz", zipped(e.text), e.mode})
		case e.name == "THIRD_PARTY_LICENCES.txt":
			entries = append(entries, entry{"usr/share/doc/billfold/THIRD_PARTY_LICENCES.txt.gz", zipped(e.text), e.mode})
		case e.name == "LICENSE":
			entries = append(entries, entry{"usr/share/doc/billfold/copyright", r.copyright(e.text), e.mode})
		case strings.HasPrefix(e.name, "man/"):
			entries = append(entries, entry{"usr/share/man/man1/" + filepath.Base(e.name) + ".gz", zipped(e.text), e.mode})
		}
		for _, place := range places {
			if rest, is := strings.CutPrefix(e.name, place.from); is {
				entries = append(entries, entry{place.to + rest, e.text, e.mode})
				break
			}
		}
	}
	for _, e := range entries {
		path := filepath.Join(root, filepath.FromSlash(e.name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, e.text, os.FileMode(e.mode))
		}
		if err = errors.Join(err, os.Chtimes(path, time.Time{}, r.commit.time)); err != nil {
			return err
		}
	}
	return r.setTimes(root)
}

// setTimes sets the time of every folder to that of the commit.
func (r *release) setTimes(root string) error {
	return filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chtimes(path, time.Time{}, r.commit.time)
	})
}

func zipped(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one
	_, _ = w.Write(text)                                  // into memory
	_ = w.Close()
	return b.Bytes()
}

// debianChangelog returns what Debian's tools want to know of a package's versions.
func (r *release) debianChangelog() []byte {
	return fmt.Appendf(nil, "billfold (%s-1) unstable; urgency=medium\n\n  * What is new is in changelog.gz.\n\n -- %s  %s\n",
		strings.Replace(r.version, "-", "~", 1), r.maintainer, r.commit.time.Format(time.RFC1123Z))
}

// copyright returns the file in which Debian looks for licences.
func (r *release) copyright(licence []byte) []byte {
	var b bytes.Buffer
	b.WriteString("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: billfold\n" +
		"Comment: The program is linked with modules of others. They and their licences are in\n THIRD_PARTY_LICENCES.txt.gz.\n\nFiles: *\n")
	_, text, _ := strings.Cut(strings.TrimSpace(string(licence)), "\n\n") // its name is above
	holder, rest, _ := strings.Cut(text, "\n\n")
	fmt.Fprintf(&b, "Copyright: %s\nLicense: Expat\n", strings.TrimPrefix(holder, "Copyright (c) "))
	for line := range strings.Lines(rest) {
		if line = strings.TrimRight(line, "\n"); line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.Bytes()
}
