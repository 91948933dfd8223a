package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// changelogHead begins the chapter of what no release has yet.
const changelogHead = "## Unreleased\n"

// changelog returns CHANGELOG.md as the release ships it: what the tree calls unreleased is this version, unless it has a chapter already.
func (r *release) changelog() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte("\n## "+r.version)) {
		return text, nil
	}
	head := fmt.Sprintf("## %s (%s)\n", r.version, r.commit.time.Format("2006-01-02"))
	if !bytes.Contains(text, []byte(changelogHead)) {
		return nil, fmt.Errorf("CHANGELOG.md has no chapter %s, and none of what is unreleased; write what is new", r.version)
	}
	return bytes.Replace(text, []byte(changelogHead), []byte(head), 1), nil
}

// The names under which shells look for completions.
var completions = map[string]string{"bash": "billfold.bash", "zsh": "_billfold", "fish": "billfold.fish"}

// gather returns what goes into every archive beside the program: texts, manual pages, completions, units, and the licences of what is linked.
func (r *release) gather(work string, programs []program, linked []module) (shipped []entry, err error) {
	changes, err := r.changelog()
	if err != nil {
		return nil, err
	}
	licences, err := r.notices(linked)
	if err != nil {
		return nil, err
	}
	shipped = []entry{{"CHANGELOG.md", changes, 0o644}, {"THIRD_PARTY_LICENCES.txt", licences, 0o644}}
	for _, name := range []string{"LICENSE", "README.md", "SECURITY.md"} {
		if shipped, err = r.add(shipped, name); err != nil {
			return nil, err
		}
	}
	for _, folder := range []string{"docs", "packaging/systemd"} {
		list, err := r.output(nil, "git", "ls-files", folder)
		if err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(list) {
			if shipped, err = r.add(shipped, name); err != nil {
				return nil, err
			}
		}
	}
	native, err := r.native(work, programs)
	if err != nil {
		return nil, err
	}
	pages := filepath.Join(work, "man")
	if err := run(native.path, nil, "manual", pages); err != nil {
		return nil, err
	}
	err = fs.WalkDir(os.DirFS(pages), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(pages, name))
		shipped = append(shipped, entry{"man/" + name, text, 0o644})
		return err
	})
	for _, shell := range []string{"bash", "fish", "zsh"} {
		var text bytes.Buffer
		if err == nil {
			err = run(native.path, &text, "completion", shell)
		}
		shipped = append(shipped, entry{"completions/" + completions[shell], text.Bytes(), 0o644})
	}
	return shipped, err
}

func (r *release) add(to []entry, name string) ([]entry, error) {
	text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
	return append(to, entry{name, text, 0o644}), err
}

// run runs the program that was made, which finds no settings.
func run(path string, out *bytes.Buffer, args ...string) error {
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"HOME=" + filepath.Dir(path), "PATH=" + os.Getenv("PATH")}
	var problems bytes.Buffer
	cmd.Stderr = &problems
	if out != nil {
		cmd.Stdout = out
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("billfold %s: %w\n%s", strings.Join(args, " "), err, problems.Bytes())
	}
	return nil
}
