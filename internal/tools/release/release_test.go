package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

const gpl = `This program is free software; you can redistribute it and/or modify it under the terms of the GNU General Public License as published by
the Free Software Foundation; either version 2 of the License, or (at your option) any later version.
`

// A module is linked only under a licence that is known and may be linked, in whichever of its folders the licence is.
func TestLicences(t *testing.T) {
	for name, c := range map[string]struct {
		own, inner string
		want       string // begins the licences, or is in the error
	}{
		"MIT":                   {own: mit, want: "MIT"},
		"none":                  {want: "no licence that is known"},
		"other words":           {own: "Ask me before you use it.", want: "is no licence that is known"},
		"copyleft":              {own: gpl, want: "GPL-2.0"},
		"copyleft in a package": {own: mit, inner: gpl, want: "GPL-2.0"},
	} {
		folder := t.TempDir()
		m := module{Path: "example.org/m", Version: "v1.0.0", folders: []string{folder, filepath.Join(folder, "inner")}}
		err := os.Mkdir(m.folders[1], 0o700)
		for i, text := range []string{c.own, c.inner} {
			if err == nil && text != "" {
				err = os.WriteFile(filepath.Join(m.folders[i], "LICENSE"), []byte(text), 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		err = m.read()
		got := strings.Join(m.licences, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (err == nil) != (c.want == "MIT") {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A version is three numbers, and what comes before one.
func TestVersions(t *testing.T) {
	for text, want := range map[string]bool{"1.0.0": true, "1.0.0-rc.1": true, "v1.0.0": false, "1.0": false, "01.0.0": false, "1.0.0+x": false, "1.0.0 -X y": false} {
		if versionForm.MatchString(text) != want {
			t.Errorf("%q is a version: %v", text, !want)
		}
	}
}

// What the tree calls unreleased is the release, and a chapter that is there already stays.
func TestChangelog(t *testing.T) {
	r := &release{root: t.TempDir(), version: "1.0.0", commit: commit{time: time.Unix(0, 0).UTC()}}
	for text, want := range map[string]string{
		"# Changelog\n\n## Unreleased\n\n- a\n":                         "# Changelog\n\n## 1.0.0 (1970-01-01)\n\n- a\n",
		"# Changelog\n\n## Unreleased\n\n- b\n\n## 1.0.0 (yesterday)\n": "# Changelog\n\n## Unreleased\n\n- b\n\n## 1.0.0 (yesterday)\n",
		"# Changelog\n": "",
	} {
		if err := os.WriteFile(filepath.Join(r.root, "CHANGELOG.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := r.changelog(); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v, want %q", text, got, err, want)
		}
	}
}

// An archive is the same whenever it is made, and a bill that lacks a licence is refused.
func TestArchiveAndBill(t *testing.T) {
	r := &release{version: "1.0.0", commit: commit{id: "c", time: time.Unix(1, 0).UTC()}, goes: "go1.26.10"}
	entries := []entry{{"folder/file", []byte("text"), 0o644}}
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return r.writeTar(b, entries) },
		func(b *bytes.Buffer) error { return r.writeZip(b, entries) },
	} {
		var first, second bytes.Buffer
		if write(&first) != nil || write(&second) != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("the same files make two archives")
		}
	}
	linked := []module{{Path: standard, Version: "1.26.10", licences: []string{"BSD-3-Clause"}}, {Path: "example.org/m", Version: "v1.0.0", Sum: "h1:x"}}
	if err := r.bill(nil, linked).check(); err == nil {
		t.Error("a module without a licence is in the bill of materials")
	}
	linked[1].licences = []string{"MIT"}
	if err := r.bill(nil, linked).check(); err != nil {
		t.Error(err)
	}
}
