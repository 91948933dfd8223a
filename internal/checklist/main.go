// Command checklist runs the checklist of the terminal UI in tmux, each line at 80×24 and 140×40. What a machine can judge passes
// or fails; what a person must judge is captured, as text and picture, in a folder that is named at the end.
//
//	go run ./internal/checklist [-only 1,14] [-size 80x24] [-binary FILE] [-pictures FOLDER]
//
// It runs only the program, as a wallet and as the ledger, in folders of its own, which it removes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	only := flag.String("only", "", "numbers of the lines to run, with commas; default all")
	size := flag.String("size", "80x24,140x40", "sizes of the terminal")
	binary := flag.String("binary", "", "the program; by default it is built")
	pictures := flag.String("pictures", "", "the folder for captured screens; default a new one")
	flag.Parse()
	failed, err := run(strings.FieldsFunc(*only, comma), strings.FieldsFunc(*size, comma), *binary, *pictures)
	if err != nil {
		fmt.Fprintln(os.Stderr, "checklist:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func comma(r rune) bool { return r == ',' }

func run(only, sizes []string, binary, pictures string) (failed int, err error) {
	work, err := os.MkdirTemp("", "billfold-checklist-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if pictures == "" {
		if pictures, err = os.MkdirTemp("", "billfold-pictures-"); err != nil {
			return 0, err
		}
	}
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		return 0, err
	}
	if binary == "" {
		binary = filepath.Join(work, "billfold")
		if out, err := exec.Command("go", "build", "-o", binary, "./cmd/billfold").CombinedOutput(); err != nil {
			return 0, fmt.Errorf("building: %w: %s", err, out)
		}
	}
	k := &kit{binary: binary, work: work, pictures: pictures, socket: filepath.Base(work)}
	if _, err := k.tmux("new-session", "-d", "-s", "keep", "cat"); err != nil { // the server ends with its last session
		return 0, err
	}
	defer func() { _, _ = k.tmux("kill-server") }()
	passed := 0
	for _, c := range checks() {
		if len(only) > 0 && !slices.Contains(only, fmt.Sprint(c.number)) {
			continue
		}
		ok, bad, err := k.runCheck(&c, sizes)
		if passed, failed = passed+ok, failed+bad; err != nil {
			return failed, err
		}
	}
	fmt.Printf("%d passed, %d failed; for looking: %s\n", passed, failed, pictures)
	return failed, nil
}

// runCheck runs a line of the list at each size.
func (k *kit) runCheck(c *check, sizes []string) (passed, failed int, err error) {
	if c.run == nil {
		fmt.Printf("  –  %2d         %s: see %s\n", c.number, c.do, c.where)
		return 0, 0, nil
	}
	for _, size := range sizes {
		var w, h int
		if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
			return passed, failed, fmt.Errorf("%q is not a size; write it like 80x24", size)
		}
		t := k.newTerminal(c, w, h)
		c.run(t)
		t.end()
		for _, end := range t.cleanups {
			end()
		}
		look := ""
		if t.shots > 0 && c.where != "" {
			look = "; look: " + c.where
		}
		if t.err != nil {
			failed++
			fmt.Printf("FAIL %2d %-7s %s: %v\n", c.number, size, c.do, t.err)
			continue
		}
		passed++
		fmt.Printf("  ok %2d %-7s %s%s\n", c.number, size, c.do, look)
	}
	return passed, failed, nil
}
