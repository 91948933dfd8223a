package main

import (
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"billfold/internal/stories"
	"billfold/tui"
	"billfold/tui/linear"
)

// everyWord types every word of every page, alone and with possible arguments, and leaves every question.
type everyWord struct {
	first []string // what is typed first
	said  strings.Builder
	seen  int // how much of it was read

	pages []string
	words []string // words of the page that are still to be typed
	left  bool     // the question after the last word was left
	in    []string // answers for the next secrets
}

var (
	listed  = regexp.MustCompile(`(?s)you can type:\n(.*)At every page:\n(.*)Pages: (.*?)\nAt every prompt`)
	helpFor = regexp.MustCompile(`(?m)^([a-z]+)[^:\n]*: `)
)

// heard returns the output since the last call.
func (w *everyWord) heard() string {
	text := w.said.String()[w.seen:]
	w.seen = w.said.Len()
	return text
}

func (w *everyWord) Line(context.Context) (string, error) {
	text := w.heard()
	if len(w.first) > 0 {
		line := w.first[0]
		w.first = w.first[1:]
		return line, nil
	}
	if found := listed.FindStringSubmatch(text); found != nil {
		w.list(found)
	}
	switch {
	case w.pages == nil:
		w.pages = []string{""} // until the pages are known
		return "help", nil
	case !w.left: // leave any question
		w.left = true
		return "stop", nil
	case len(w.words) > 0:
		line := w.words[0]
		w.words, w.left = w.words[1:], false
		return line, nil
	case len(w.pages) > 1:
		w.pages = w.pages[1:]
		w.words = []string{"help"}
		if w.pages[0] == "send" { // this page asks at once
			return "send resend", nil
		}
		return w.pages[0], nil
	}
	return "", io.EOF
}

// list takes over the words that help named, and those of all pages only once.
func (w *everyWord) list(found []string) {
	all := found[1]
	if len(w.pages) == 1 && w.pages[0] == "" {
		w.pages = append(w.pages, strings.Fields(strings.ReplaceAll(found[3], "\n", " "))...)
		all += found[2]
	}
	page := w.pages[0]
	for _, word := range helpFor.FindAllStringSubmatch(all, -1) {
		if word[1] == "number" {
			word[1] = ""
		}
		for _, more := range []string{"", " 1", " bobby", " x y z"} {
			w.words = append(w.words, strings.Join(strings.Fields(page+" "+word[1]+more), " "))
		}
	}
}

func (w *everyWord) Secret(_ context.Context, ask func()) (string, error) {
	ask()
	if len(w.in) > 0 {
		secret := w.in[0]
		w.in = w.in[1:]
		return secret, nil
	}
	return "back", nil
}

func (w *everyWord) DropTyped(context.Context) (bool, error) { return false, nil }

func (w *everyWord) TypedAhead() bool { return false }

func (w *everyWord) NoEcho() (restore func()) { return func() {} }

// Every word of every page is answered, in every state of the wallet.
func TestEveryWordAnswersInEveryState(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	daemon := "--daemon-url=" + box.line(`^websocket +(ws://\S+)$`)
	const password = "seven otters juggle quietly"
	away := "--daemon-url=ws://127.0.0.1:1"
	for name, test := range map[string]struct {
		flags, first, secrets []string

		made bool // with a password but no keys
	}{
		"open":      {flags: []string{"--sandbox"}},
		"listening": {flags: []string{"--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-ws=127.0.0.1:0", "--rpc-spends=ask"}},
		"locked":    {flags: []string{"--sandbox"}, first: []string{"lock"}},
		"watching":  {flags: []string{daemon}, first: []string{"5", "bobby"}, secrets: []string{password, password}},
		"empty":     {flags: []string{daemon}, made: true},
		"away":      {flags: []string{away}, made: true},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "open" {
				stories.Long(t)
			}
			t.Parallel()
			s, err := readSettings(t, "", append(test.flags, "--linear")...)
			must(t, err)
			s.newKeys = throwAwayKeystore()
			p, err := newProgram(s)
			must(t, err)
			defer p.close()
			w := &everyWord{first: test.first, in: test.secrets, left: true}
			must(t, p.run(t.Context(), func(ctx context.Context) error {
				if test.made {
					must(t, p.wallet.Vault.Create(ctx, password))
				}
				return p.show(ctx, func(ctx context.Context, opt tui.Options) error {
					_, err := linear.Run(ctx, linear.Options{Options: opt, Lines: w, Out: &w.said, Echo: true})
					return err
				})
			}))
			for _, page := range []string{"home", "history", "send", "messages", "keys", "rpc", "settings"} {
				if !strings.Contains(w.said.String(), "\nAt "+page+" you can type:") {
					t.Errorf("%s was not walked:\n%s", page, w.said.String())
				}
			}
			plainLines(t, w.said.String())
			for _, never := range []string{"bug in Billfold", "F2", "ctrl+"} {
				if at := strings.Index(w.said.String(), never); at >= 0 {
					t.Errorf("%q is said: %s", never, w.said.String()[max(at-400, 0):at+40])
				}
			}
			if file := os.Getenv("WALK"); file != "" {
				must(t, os.WriteFile(file+name, []byte(w.said.String()), 0o600))
			}
		})
	}
}
