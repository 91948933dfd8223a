package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func filterMistake(t *terminal) {
	t.sandbox()
	t.keys("2")
	t.wait(`row 1 of`)
	t.keys("/")
	t.text("type:transfr")
	t.wait(`nearest: transfer|transfer\?|nearest.*transfer`)
	t.wait(`DCT`)
}

func memo(t *terminal) {
	t.sandbox()
	t.keys("2")
	t.wait(`rent, my half`)
	t.keys("C-l")
	t.wait(`Unlock`)
	t.keys("Escape Escape 2")
	t.wait(`locked`)
	t.hides(`rent, my half`)
	t.keys("C-l")
	t.wait(`Password`)
	t.text("sandbox")
	t.keys("Enter")
	t.wait(`“rent, my half”`)
}

func hostileMemo(t *terminal) {
	t.sandbox()
	t.keys("2")
	t.wait(`“\\x1b\[2J`)
	t.framed()
	t.shot("list")
	t.keys("/")
	t.text("amount:0.00000001")
	t.pause(time.Second)
	t.keys("Enter Enter")
	t.wait(`▏“\\x1b\[2J`)
	t.framed()
	t.shot("detail")
}

func exports(t *terminal) {
	t.sandbox()
	t.keys("2")
	t.wait(`row 1 of`)
	rows := regexp.MustCompile(`row 1 of ([\d,]+)`).FindStringSubmatch(t.screen())
	t.keys("x")
	t.wait(`Export history`)
	t.keys("Escape")
	t.want(len(t.files("*.csv")) == 0, "a file is there before one was written")
	t.keys("x")
	t.wait(`Export history`)
	t.keys("Enter")
	t.wait(`(?i)written|wrote|rows in`)
	found := t.files("*.csv")
	t.want(len(found) == 1, "%d files were written", len(found))
	if t.err == nil {
		text, err := os.ReadFile(found[0])
		t.want(err == nil, "%v", err)
		n := strings.Count(strings.TrimSpace(string(text)), "\n")
		t.want(len(rows) > 1 && rows[1] == strconv.Itoa(n), "%d rows were written of %v", n, rows)
	}
}

// files returns the files in the home folder whose names match pattern.
func (t *terminal) files(pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(t.home, pattern)) // the pattern is well formed
	return found
}

// amount matches amounts of DCT with any number of decimals.
var amount = regexp.MustCompile(`[+-]?[\d,]+(\.\d+)? DCT`)

// id matches the id of an account.
var id = regexp.MustCompile(`1\.2\.\d+`)

func decimals(t *terminal) {
	t.sandbox()
	whole := regexp.MustCompile(`\.\d{8} DCT$`)
	for _, key := range strings.Fields("1 2 9") {
		t.keys("Escape Escape " + key)
		t.pause(400 * time.Millisecond)
		column := -1
		for _, line := range strings.Split(t.screen(), "\n") {
			for _, at := range amount.FindAllStringIndex(line, -1) {
				t.want(whole.MatchString(line[at[0]:at[1]]), "%s is not whole", line[at[0]:at[1]])
			}
			if key != "2" || !strings.Contains(line, "transfer") {
				continue
			}
			if at := amount.FindStringIndex(line); at != nil {
				point := len([]rune(line[:at[1]]))
				t.want(column < 0 || column == point, "amounts do not end in one column")
				column = point
			}
		}
	}
}

func ids(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2") {
		t.keys("Escape Escape " + key)
		t.pause(400 * time.Millisecond)
		for _, line := range strings.Split(t.screen(), "\n") {
			if strings.Contains(line, "transfer") && strings.ContainsAny(line, "→←") && amount.MatchString(line) {
				t.want(id.MatchString(line), "an account has no id: %s", line)
			}
		}
	}
}

func hidden(t *terminal) {
	t.sandbox()
	t.keys("*")
	for _, key := range strings.Fields("1 2") {
		t.keys(key)
		t.pause(400 * time.Millisecond)
		t.wait(`••••••••`)
		t.hides(`\d\.\d{8}`)
		t.framed()
	}
	t.toReview("carol", "5")
	t.wait(`5\.00000000 DCT`)
	t.wait(`amounts are visible here`)
}

func receiveCode(t *terminal) {
	t.sandbox()
	t.keys("4")
	t.wait(`▀|█`)
	t.shot("code")
	t.keys("i")
	t.pause(400 * time.Millisecond)
	t.shot("inverted")
}

func copies(t *terminal) {
	t.sandbox()
	t.keys("2")
	t.wait(`row 1 of`)
	t.keys("y")
	t.wait(`Copy`)
	t.wait(`1\.7\.\d+`)
	t.wait(`private, leaves the clipboard after 30 s`)
	t.keys("1")
	t.wait(`(?i)copied`)
}

func xray(t *terminal) {
	t.sandbox()
	t.keys("6")
	t.wait(`Result: the keys here can act as active`)
	t.keys("Tab Tab")
	t.wait(`Keys › X-ray`)
	t.shot("x-ray")
	t.keys("t")
	t.wait(`What if: with what is switched, you lack weight 1 of 1 for active`)
	t.framed()
	t.shot("switched")
}

func consolePage(t *terminal) {
	t.sandbox()
	t.keys("0")
	t.wait(`TYPE +Console`)
	t.text("get_account_h")
	t.keys("Tab")
	t.wait(`get_account_history`)
	t.keys("C-u")
	t.text("get_account_histroy alice 5")
	t.keys("Enter")
	t.wait(`get_account_history`)
	t.text("transfer alice carol 2 DCT")
	t.keys("F2")
	t.wait(`amount`)
	t.keys("Escape C-u")
	t.text(`transfer alice carol 2 DCT "" true`)
	t.keys("Enter")
	t.wait(`(?i)approve|review`)
}

func listener(t *terminal) {
	t.sandbox()
	t.keys("-")
	t.wait(`RPC ›`)
	t.keys("Space")
	t.wait(`● (on|127)`)
	t.keys("Space")
	t.wait(`○ off|HTTP +○`)
}

func sizes(t *terminal) {
	t.w, t.h = 140, 40
	t.sandbox()
	for _, s := range [][2]int{{140, 40}, {80, 24}, {60, 20}, {50, 16}, {36, 8}, {80, 24}} {
		t.resize(s[0], s[1])
		if s[0] == 36 {
			t.wait(`needs 40 x 12, has 36 x 8`)
		} else {
			t.wait(`13,860\.34367892`)
			t.framed()
		}
		t.shot("resized")
	}
}

func plainTerminals(t *terminal) {
	t.start("NO_COLOR=1", "--sandbox", "--ascii")
	t.wait(`13,860`)
	for _, key := range strings.Fields("1 2 3 6 =") {
		t.keys("Escape Escape " + key)
		t.pause(400 * time.Millisecond)
		for _, r := range t.screen() {
			t.want(r < 0x7f, "%q is not ASCII", r)
		}
		t.shot("plain")
	}
	t.end()
	t.start("TERM=dumb", "--sandbox")
	t.wait(`Linear mode\. Type help\.`)
}

func themes(t *terminal) {
	for _, args := range [][]string{{"--theme", "light"}, {"--color", "16"}, {"--theme", "contrast"}} {
		t.start("", append([]string{"--sandbox"}, args...)...)
		t.wait(`13,860`)
		t.shot(args[1])
		t.end()
	}
}

func holdsKey(t *terminal) {
	t.sandbox()
	t.keys("2")
	t.wait(`row 1 of`)
	t.text(strings.Repeat("j", 200))
	t.pause(300 * time.Millisecond)
	m := regexp.MustCompile(`row ([\d,]+) of ([\d,]+)`).FindStringSubmatch(t.screen())
	t.want(len(m) == 3 && m[1] == m[2], "the cursor is not at the end: %v", m)
	t.framed()
}

func lockedScreen(t *terminal) {
	t.sandbox()
	t.keys("C-l")
	t.wait(`Unlock`)
	t.hides(`13,860`)
	t.pause(3 * time.Second)
	t.hides(`13,860`)
	t.framed()
}

func linearMode(t *terminal) {
	t.start("", "--sandbox", "--linear")
	t.wait(`home >`)
	for _, line := range []string{"send", "carol", "5", "", ""} {
		t.text(line)
		t.keys("Enter")
		t.pause(400 * time.Millisecond)
	}
	t.hides(`Sent\.`)
	t.text("sign")
	t.keys("Enter")
	t.wait(`Sent\.|In block`)
	for _, line := range strings.Split(t.screen(), "\n") {
		t.want(len(line) <= max(72, t.w), "a line is too long: %s", line)
	}
}

func quits(t *terminal) {
	t.sandbox()
	t.keys("C-c C-c")
	t.pause(2 * time.Second)
	t.hides(`13,860`)
	t.hides(`Balances`)
	t.wait(`ended`)
	cursor, err := t.kit.tmux("display-message", "-p", "-t", t.name, "#{cursor_flag} #{alternate_on}")
	t.want(err == nil && strings.TrimSpace(cursor) == "1 0", "cursor and screen are left as %q (%v)", cursor, err)
}
