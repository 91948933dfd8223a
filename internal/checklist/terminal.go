package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// How long to wait between keys, after esc (for which the program waits), and for a screen.
const (
	keyPause = 60 * time.Millisecond
	escPause = 250 * time.Millisecond
	patience = 15 * time.Second
)

// check is a line of the checklist.
type check struct {
	number int
	do     string
	run    func(t *terminal) // nil = it is proven elsewhere
	where  string            // where it is proven, or what a person has to look at
}

// terminal is the program in a terminal of tmux. After the first failure, which err holds, all methods do nothing.
type terminal struct {
	kit   *kit
	name  string
	w, h  int
	home  string
	check *check
	shots int
	err   error

	wif      map[string]string // the private keys of the accounts of its ledger
	cleanups []func()          // called at the end of the check
}

// kit holds what all checks share.
type kit struct {
	binary, work, pictures, socket string
	made                           int
	million                        string // the folder with a long history; "" = not made yet
}

func (k *kit) tmux(args ...string) (string, error) {
	out, err := exec.Command("tmux", append([]string{"-L", k.socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// newTerminal returns a terminal with its own HOME.
func (k *kit) newTerminal(c *check, w, h int) *terminal {
	k.made++
	t := &terminal{kit: k, name: fmt.Sprintf("t%d", k.made), w: w, h: h, check: c, home: filepath.Join(k.work, fmt.Sprint("home", k.made))}
	t.err = os.MkdirAll(t.home, 0o700)
	return t
}

// start runs billfold; env are variables such as NO_COLOR=1.
func (t *terminal) start(env string, args ...string) {
	if t.err != nil {
		return
	}
	command := fmt.Sprintf("env -u NO_COLOR LANG=C.UTF-8 COLORTERM=truecolor HOME=%s TMPDIR=%s %s %s %s; echo ended $?; exec cat",
		t.home, t.home, env, t.kit.binary, strings.Join(args, " "))
	_, t.err = t.kit.tmux("new-session", "-d", "-s", t.name, "-x", fmt.Sprint(t.w), "-y", fmt.Sprint(t.h), command)
}

// sandbox starts the sandbox and waits for Home.
func (t *terminal) sandbox(args ...string) {
	t.start("", append([]string{"--sandbox"}, args...)...)
	t.wait(`Home`)
	t.wait(`13,860`)
}

func (t *terminal) end() { _, _ = t.kit.tmux("kill-session", "-t", t.name) }

// keys presses keys as tmux names them, separated by spaces.
func (t *terminal) keys(names string) {
	for _, name := range strings.Fields(names) {
		if t.err != nil {
			return
		}
		_, t.err = t.kit.tmux("send-keys", "-t", t.name, name)
		time.Sleep(keyPause)
		if name == "Escape" {
			time.Sleep(escPause)
		}
	}
}

// text types characters one by one.
func (t *terminal) text(s string) {
	for _, r := range s {
		if t.err != nil {
			return
		}
		_, t.err = t.kit.tmux("send-keys", "-t", t.name, "-l", string(r))
		time.Sleep(keyPause / 6)
	}
	time.Sleep(keyPause)
}

// click presses the left button on a text.
func (t *terminal) click(text string) {
	for y, line := range strings.Split(t.screen(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			x := len([]rune(line[:i])) + 1
			press := fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y+1, x, y+1)
			if _, err := t.kit.tmux("send-keys", "-t", t.name, "-l", press); err != nil {
				t.fail("clicking: %v", err)
			}
			return
		}
	}
	t.fail("there is no %q to click", text)
}

func (t *terminal) pause(d time.Duration) { time.Sleep(d) }

// screen returns what the terminal shows.
func (t *terminal) screen() string {
	out, err := t.kit.tmux("capture-pane", "-p", "-t", t.name)
	if err != nil && t.err == nil {
		t.err = err
	}
	return out
}

func (t *terminal) has(pattern string) bool {
	return regexp.MustCompile(pattern).MatchString(t.screen())
}

// wait waits until the screen matches pattern.
func (t *terminal) wait(pattern string) {
	for end := time.Now().Add(patience); t.err == nil; time.Sleep(50 * time.Millisecond) {
		if t.has(pattern) {
			return
		}
		if time.Now().After(end) {
			t.fail("the screen never shows %q", pattern)
		}
	}
}

// waitLong is wait for what takes some blocks.
func (t *terminal) waitLong(pattern string) {
	for end := time.Now().Add(4 * patience); t.err == nil && !t.has(pattern); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.fail("the screen never shows %q", pattern)
		}
	}
}

// hides fails if the screen matches pattern.
func (t *terminal) hides(pattern string) {
	if t.err == nil && t.has(pattern) {
		t.fail("the screen shows %q", pattern)
	}
}

// want fails unless ok.
func (t *terminal) want(ok bool, format string, args ...any) {
	if t.err == nil && !ok {
		t.fail(format, args...)
	}
}

func (t *terminal) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format+"\n%s", append(args, t.screen())...)
	}
}

func (t *terminal) resize(w, h int) {
	if t.err == nil {
		_, t.err = t.kit.tmux("resize-window", "-t", t.name, "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
		t.w, t.h = w, h
		time.Sleep(4 * escPause)
	}
}

// shot saves the screen for a person, as text and as a picture.
func (t *terminal) shot(what string) {
	if t.err != nil {
		return
	}
	t.shots++
	base := filepath.Join(t.kit.pictures, fmt.Sprintf("%02d-%dx%d-%d-%s", t.check.number, t.w, t.h, t.shots, what))
	coloured, err := t.kit.tmux("capture-pane", "-e", "-p", "-t", t.name)
	if err == nil {
		err = os.WriteFile(base+".txt", []byte(t.screen()), 0o644)
	}
	if err == nil {
		err = os.WriteFile(base+".svg", []byte(picture(coloured, t.w, t.h, paperOf(what))), 0o644)
	}
	t.err = err
}

// framed fails unless the screen is as large as the terminal, with straight edges.
func (t *terminal) framed() {
	lines := strings.Split(strings.TrimSuffix(t.screen(), "\n"), "\n")
	t.want(len(lines) == t.h, "%d rows in a terminal of %d", len(lines), t.h)
	for y, line := range lines {
		r := cells(strings.TrimRight(line, " "))
		t.want(len(r) <= t.w, "row %d has %d cells", y, len(r))
		if len(r) > 0 && strings.ContainsRune("│┃╭┏╰┗", r[0]) && t.w >= 60 {
			t.want(len(r) == t.w && strings.ContainsRune("│┃╮┓╯┛█", r[len(r)-1]), "the edge of row %d is not straight: %s", y, line)
		}
	}
}

// cells returns the characters of a line, with a blank after those that are two cells wide.
func cells(line string) (out []rune) {
	for _, r := range line {
		if out = append(out, r); r >= 0x1f300 && r <= 0x1faff || r >= 0x2e80 && r <= 0xffdc {
			out = append(out, ' ')
		}
	}
	return out
}
