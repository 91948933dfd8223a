package linear_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui"
	"billfold/tui/linear"
	"billfold/tui/uitest"
)

// person is who types: the lines of a script, each when the prompt for it is there.
type person struct {
	lines []string
	wait  func(line string) // is told a line before it is heard
}

func (p *person) Line(ctx context.Context) (string, error) {
	for {
		if len(p.lines) == 0 {
			return "", io.EOF
		}
		line := p.lines[0]
		p.lines = p.lines[1:]
		if pause, is := strings.CutPrefix(line, "…"); is { // time goes by before the next line
			d, err := time.ParseDuration(pause)
			if err != nil {
				return "", err
			}
			time.Sleep(d)
			synctest.Wait()
			continue
		}
		if p.wait != nil {
			p.wait(line)
		}
		return line, ctx.Err()
	}
}

func (p *person) Secret(ctx context.Context) (string, error) { return p.Line(ctx) }

// hold holds a conversation on a world and returns all that was said, and how it ended.
func hold(w *uitest.World, change func(o *linear.Options), lines ...string) (said string, code int) {
	w.T.Helper()
	var out bytes.Buffer
	opt := linear.Options{Options: tui.Options{Core: tui.CoreOf(w.Wallet), Folder: "~/.billfold/default"},
		Lines: &person{lines: lines}, Out: &out, Echo: true}
	opt.Clock.Now = func() time.Time { return time.Now().UTC() }
	if change != nil {
		change(&opt)
	}
	code, err := linear.Run(w.Ctx, opt)
	if err != nil && !errors.Is(err, tui.ErrWantSandbox) {
		w.T.Fatalf("the conversation ended with %v after\n%s", err, out.String())
	}
	return out.String(), code
}

// golden compares a conversation with a file.
func golden(t *testing.T, name, said string) {
	t.Helper()
	sane(t, said)
	path := filepath.Join("testdata", name+".txt")
	if os.Getenv("GOLDEN") == "update" {
		uitest.Must(t, os.MkdirAll("testdata", 0o755))
		uitest.Must(t, os.WriteFile(path, []byte(said), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	uitest.Must(t, err)
	if string(want) != said {
		t.Errorf("%s: the conversation is another (GOLDEN=update writes it):\n%s", path, said)
	}
}

// sane checks what holds for every line that is ever said.
func sane(t *testing.T, said string) {
	t.Helper()
	for _, l := range strings.Split(said, "\n") {
		if len(l) > 72 {
			t.Errorf("a line has %d characters: %s", len(l), l)
		}
		for _, r := range l {
			if r < ' ' || r > '~' {
				t.Errorf("a line has the byte %q: %q", r, l)
			}
		}
	}
}

func TestConversations(t *testing.T) {
	for name, talk := range map[string]struct {
		scene uitest.Scene
		lines []string
	}{
		"unlock": {locked(), []string{"wrong horse", uitest.Password, "pending", "recent", "account", "account 2", "hide", "home", "hide",
			"where", "quiet", "events", "nonsense", "lock", "home", "unlock", "back", "quit"}},
		"history": {indexed(), []string{"history", "1", "more", "filter type:transfr", "filter type:transfer", "sum", "2", "filter", "order", "quit"}},
		"pay":     {uitest.Rows(), []string{"send", "carol", "250", "rent november, thank you", "2", "", "yes", "json", "sign", "", "…2m", "", "pending", "quit", "quit"}},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, talk.scene, func(w *uitest.World) {
				said, _ := hold(w, nil, talk.lines...)
				golden(t, name, said)
			})
		})
	}
}

func locked() uitest.Scene {
	s := uitest.Shown()
	s.Locked = true
	return s
}

func indexed() uitest.Scene {
	s := uitest.Rows()
	p := &uitest.Past{Ledger: s.Past.Ledger, Index: true}
	s.Past = p
	return s
}
