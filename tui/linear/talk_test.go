package linear_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui"
	"billfold/tui/linear"
	"billfold/tui/uitest"
)

// person is the input of a test: a script of lines, pauses and events between them.
type person struct {
	script []any
	output func() string
	away   func()
	back   func()
}

// OnResume records the calls that ctrlZ makes.
func (p *person) OnResume(away, back func()) { p.away, p.back = away, back }

// Besides lines, a script has ahead, a line typed before its question; pause, which lets time pass before the next
// line; act, which runs a function; reads, a line computed from the output so far; ctrlD, which leaves a question; and
// ctrlZ, which suspends the program.
type (
	ahead string // typed or pasted before the question was asked
	pause time.Duration
	act   func()
	reads func(output string) string
	ctrlD struct{} // the end of the input, once
	ctrlZ struct{}
)

// Line returns the next line once the program is idle.
func (p *person) Line(ctx context.Context) (string, error) {
	for len(p.script) > 0 {
		next := p.script[0]
		p.script = p.script[1:]
		synctest.Wait()
		switch next := next.(type) {
		case string:
			return next, ctx.Err()
		case ahead:
			return string(next), ctx.Err()
		case reads:
			return next(p.output()), ctx.Err()
		case ctrlD:
			return "", io.EOF
		case ctrlZ:
			p.away()
			p.back()
		case act:
			next()
		case pause:
			time.Sleep(time.Duration(next))
		}
	}
	return "", io.EOF
}

// TypedAhead reports whether the next line was typed ahead.
func (p *person) TypedAhead() bool {
	if len(p.script) == 0 {
		return false
	}
	_, is := p.script[0].(ahead)
	return is
}

// DropTyped drops what was typed ahead.
func (p *person) DropTyped(ctx context.Context) (dropped bool, err error) {
	for len(p.script) > 0 {
		if _, is := p.script[0].(ahead); !is {
			break
		}
		p.script, dropped = p.script[1:], true
	}
	return dropped, ctx.Err()
}

// NoEcho does nothing: lines are written only once they are read as answers.
func (p *person) NoEcho() (restore func()) { return func() {} }

func (p *person) Secret(ctx context.Context, ask func()) (string, error) {
	ask()
	return p.Line(ctx)
}

// runSession runs a session on a world and returns its output and exit code.
func runSession(w *uitest.World, change func(o *linear.Options), script ...any) (output string, code int) {
	w.T.Helper()
	var out bytes.Buffer
	opt := linear.Options{Options: tui.Options{Core: tui.CoreOf(w.Wallet), Folder: "~/.billfold/default"},
		Lines: &person{script: script, output: out.String}, Out: &out, Echo: true}
	opt.Clock.Now = func() time.Time { return time.Now().UTC() }
	if change != nil {
		change(&opt)
	}
	code, err := linear.Run(w.Ctx, opt)
	if err != nil && !errors.Is(err, tui.ErrWantSandbox) && !errors.Is(err, tui.ErrWantNode) {
		w.T.Fatalf("the conversation ended with %v after\n%s", err, out.String())
	}
	checkLines(w.T, out.String())
	return out.String(), code
}

// nap returns a pause long enough for the wallet to lock itself; the auto-lock delay is shortened, because the ledger
// makes blocks meanwhile.
func nap(w *uitest.World) any {
	w.Wallet.Vault.SetLockAfter(2 * time.Minute)
	return pause(150 * time.Second)
}

// lines returns a script made of lines only, separated by bars in text.
func lines(text string) (out []any) {
	for _, l := range strings.Split(text, "|") {
		out = append(out, l)
	}
	return out
}

// golden compares the output of a session with a file.
func golden(t *testing.T, name, output string) {
	t.Helper()
	output = preparedIDs.ReplaceAllString(output, "Prepared. Transaction id: (id)") // signatures are random, and with them the block referred to
	path := filepath.Join("testdata", name+".txt")
	if os.Getenv("GOLDEN") == "update" {
		uitest.Must(t, os.MkdirAll("testdata", 0o755))
		uitest.Must(t, os.WriteFile(path, []byte(output), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	uitest.Must(t, err)
	if string(want) != output {
		t.Errorf("%s: the output differs; run with GOLDEN=update if it should:\n%s", path, output)
	}
}

var preparedIDs = regexp.MustCompile(`Prepared\. Transaction id:\s+[0-9a-f]{40}`)

// checkLines checks what holds for every line of output.
func checkLines(t *testing.T, output string) {
	t.Helper()
	for _, l := range strings.Split(output, "\n") {
		if len(l) > 72 && !strings.HasPrefix(l, "{") {
			t.Errorf("a line has %d characters: %s", len(l), l)
		}
		for _, r := range l {
			if r < ' ' || r > '~' {
				t.Errorf("a line has the byte %q: %q", r, l)
			}
		}
	}
}

// talks returns the sessions whose output is kept in golden files.
func talks() map[string]struct {
	scene  uitest.Scene
	change func(o *linear.Options)
	script []any
} {
	type talk = struct {
		scene  uitest.Scene
		change func(o *linear.Options)
		script []any
	}
	return map[string]talk{
		"unlock": {
			locked(),
			nil,
			lines("wrong horse|" + uitest.Password + "|pending|recent|account|account 2|hide|home|hide|where|quiet|" +
				"events|nonsense|lock|home|unlock|back|quit|quit"),
		},
		"history": {
			indexed(),
			nil,
			lines(
				"history|1|more|filter type:transfr|filter type:transfer|sum|2|filter|order|order|order big|order amount|more|date 2026-11-17|date x|again 1|again 5|stop|history|again 1|stop|history reply 1|stop|home|recent|reply 9|again 2|stop|help|quit",
			),
		},
		"pay": {uitest.Rows(), nil, append(lines("send|carol|250|rent november, thank you|2||yes|json|spell|repeat|sign||help"),
			append([]any{pause(2 * time.Minute)}, lines("|pending|send|steps|quit")...)...)},
		"several": {
			uitest.Rows(), nil, append(lines("send several June|carol 2,5 rent, May|carrol 1|carol 1.000|bob-trade||carol 3|carol 1,5|drop|sign"),
				append([]any{pause(2 * time.Minute)}, lines("|send several June|carol 2.5 rent, May|carol 3|carol 1.5||send several|carol 7|bob-trade 1||stop|send drafts|quit")...)...)},
		"alike": {
			saved(),
			nil,
			lines("send|caro1|3|carl|caro1|1|5|\"stop\"||back|back|6||stop|send caro1 60|2||back|||nonsense|1.2.112|sign|quit|quit"),
		},
		"large": {
			uitest.Rows(),
			nil,
			lines("send|nobody-here|CAROL|1.2.57|0|1.123456789|99999999|2 GOLD|max||12600|12600.5031|sign|quit|quit"),
		},
		"receive": {
			uitest.Rows(),
			nil,
			lines("receive|spell|spell|request 5 DCT|request 1.5 points two|request x|request 5 NOSUCH|copy link|save qr|incoming|request|back|quit"),
		},
		"contacts": {
			saved(),
			nil,
			lines(
				"contacts|1|add bob-trade|pays late|contacts|note 1 new words|1|remove 2|carol|no|delete|remove 1|bob|stop|contacts|pay 1|stop|quit",
			),
		},
		"keys": {
			uitest.Rows(),
			nil,
			lines("keys|1|whatif 1|xray 2|find DCT6NGuv1VLEA6xbDqQq5BmTw8XNWgUeJn4nogd6ioLVzv3NaSiXi|find x|reveal 1|back|" +
				"1|reveal 1|wrong|3NaSiXi|NaSiXi|nope|" + uitest.Password +
				"|back|" + uitest.Password + "|reveal|password|wrong|new horse battery|back|new horse battery|new horse battery|" + uitest.Password + "|quit"),
		},
		"assets": {uitest.Rows(), nil, lines("assets|2|about NOSUCH|find PO|quit")},
		"node":   {measured(), nil, lines("node|use 1|use 7|check|log|chain|quit")},
		"messages": {uitest.Rows(), nil, append(lines("messages|write carol|see you at 8|2|sign"), append([]any{pause(10 * time.Second)},
			lines("messages|card 1|find PARCEL|find 8|1|older|unread 1|reply|thanks|2|stop|hide 1|messages|again|unread 9|history|label 1 a note|1|label 1|card 1|label 9|quit|quit")...)...)},
	}
}

func TestConversations(t *testing.T) {
	for name, talk := range talks() {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, talk.scene, func(w *uitest.World) {
				output, _ := runSession(w, talk.change, talk.script...)
				golden(t, name, output)
			})
		})
	}
}

// saved returns Rows with carol as a contact.
func saved() uitest.Scene {
	s := uitest.Rows()
	s.Wallet = func(w *uitest.World) {
		_, err := w.Wallet.Contacts.Save(w.Ctx, uitest.Carol.Name, "my sister")
		uitest.Must(w.T, err)
	}
	return s
}

// measured returns Rows with a wallet that has run for half a minute, so that its node was measured.
func measured() uitest.Scene {
	s := uitest.Rows()
	s.Wallet = func(*uitest.World) {}
	return s
}

func locked() uitest.Scene {
	s := uitest.Shown()
	s.Locked = true
	return s
}

// indexed returns Rows with a history index.
func indexed() uitest.Scene { return uitest.Scene{Past: uitest.Charted().Past} }
