package uitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	"github.com/charmbracelet/x/ansi"
)

// Screen returns what the terminal shows, without colour. It fails the test if the frame does not have the size of the terminal.
func (d *Driver) Screen() string {
	d.T.Helper()
	plain := ansi.Strip(d.Model.View())
	lines := strings.Split(plain, "\n")
	if len(lines) != d.h {
		d.T.Errorf("the frame has %d rows in a terminal of %d", len(lines), d.h)
	}
	for i, l := range lines {
		if canvas.Width(l) != d.w {
			d.T.Errorf("row %d is %d cells wide in a terminal of %d: %q", i, canvas.Width(l), d.w, l)
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Shows fails the test if the screen lacks one of the texts.
func (d *Driver) Shows(parts ...string) {
	d.T.Helper()
	s := d.Screen()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			d.T.Errorf("the screen does not show %q:\n%s", p, s)
		}
	}
}

// Hides fails the test if the screen has one of the texts.
func (d *Driver) Hides(parts ...string) {
	d.T.Helper()
	s := d.Screen()
	for _, p := range parts {
		if strings.Contains(s, p) {
			d.T.Errorf("the screen shows %q:\n%s", p, s)
		}
	}
}

// Golden compares the screen with testdata/NAME.txt; for a name PAGE/NAME, with PAGE/testdata/NAME.txt if there is that folder.
// With GOLDEN=update in the environment it writes the file.
func (d *Driver) Golden(name string) {
	d.T.Helper()
	golden(d.T, name, d.Screen())
}

// GoldenSizes compares the screen at every size: NAME80x24 and so on.
func (d *Driver) GoldenSizes(name string, sizes [][2]int) {
	d.T.Helper()
	for _, s := range sizes {
		d.Resize(s[0], s[1])
		d.Golden(fmt.Sprintf("%s%dx%d", name, s[0], s[1]))
	}
}

// GoldenPage compares the screen, as text and as meanings, at the three sizes that are drawn for all pages: NAME80x24,
// NAME80x24.meanings and so on.
func (d *Driver) GoldenPage(name string) {
	d.T.Helper()
	for _, s := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		d.Resize(s[0], s[1])
		at := fmt.Sprintf("%s%dx%d", name, s[0], s[1])
		d.Golden(at)
		d.GoldenMeanings(at)
	}
}

// GoldenMeanings compares the meanings of the cells, as names, with the golden NAME.meanings, so that a change of colour is noticed.
func (d *Driver) GoldenMeanings(name string) {
	d.T.Helper()
	golden(d.T, name+".meanings", d.meanings())
}

// meanings lists the runs of cells with the same meaning in each row: "1-6 focus".
func (d *Driver) meanings() string {
	var out strings.Builder
	c := d.Model.Frame()
	for y := range d.h {
		fmt.Fprintf(&out, "%d:", y)
		for x, start := 1, 0; x <= d.w; x++ {
			if x < d.w && c.StyleAt(x, y) == c.StyleAt(start, y) {
				continue
			}
			s := c.StyleAt(start, y)
			fmt.Fprintf(&out, " %d-%d %v", start, x-1, s.Fg)
			if s.Bg != theme.NoBg {
				fmt.Fprintf(&out, " on %v", s.Bg)
			}
			start = x
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// maskPauses replaces the time until a node is dialled again, which is random.
func maskPauses(screen string) string {
	pause := regexp.MustCompile(`try +\d+ (s|min) *`)
	return pause.ReplaceAllStringFunc(screen, func(found string) string { return "try #" + strings.Repeat(" ", len(found)-len("try #")) })
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	compareFile(t, goldenPath(name), maskPauses(got), "run with GOLDEN=update if it should")
}

// goldenPath returns the file of a golden screen, see Golden.
func goldenPath(name string) string {
	page := filepath.Join(filepath.Dir(name), "testdata")
	if _, err := os.Stat(page); err != nil {
		return filepath.Join("testdata", name+".txt")
	}
	return filepath.Join(page, filepath.Base(name)+".txt")
}

// compareFile compares a text with a file. With GOLDEN=update in the environment it writes the file.
func compareFile(t *testing.T, path, got, hint string) {
	t.Helper()
	if os.Getenv("GOLDEN") == "update" {
		Must(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	Must(t, err)
	if got != string(want) {
		t.Errorf("%s differs (%s).\ngot:\n%s\nwant:\n%s", path, hint, got, want)
	}
}

// showsAll reports whether the screen shows all of the texts.
func (d *Driver) showsAll(parts []string) bool {
	s := d.Screen()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// maxWait is the maximum waiting time of Until, in virtual time.
const maxWait = 20 * time.Second

// Until lets time pass until the screen shows all of the texts. It fails the test if it never does.
func (d *Driver) Until(parts ...string) {
	d.T.Helper()
	waited, looked := time.Duration(0), -1
	for looked == d.updates || !d.showsAll(parts) { // nothing changes without a message
		if waited > maxWait {
			d.T.Fatalf("the screen never shows %q:\n%s", parts, d.Screen())
		}
		looked = d.updates
		d.Wait(100 * time.Millisecond)
		waited += 100 * time.Millisecond
	}
}
