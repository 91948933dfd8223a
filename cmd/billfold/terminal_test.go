package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"

	"github.com/charmbracelet/x/ansi"
)

// viewer is a person at the terminal UI of a billfold process.
type viewer struct{ *typist }

// watch starts the UI in a terminal of 100 by 30 cells.
func watch(t *testing.T, args ...string) *viewer {
	t.Helper()
	args = append(args, "--data-dir="+filepath.Join(t.TempDir(), "wallet"))
	return &viewer{atTerminal(t, 30, 100, []string{"TERM=xterm", "NO_COLOR=1", "LANG=C.UTF-8"}, args...)}
}

// toALine matches escape sequences that move the cursor to a line.
var toALine = regexp.MustCompile(`\x1b\[[0-9;]*H`)

// take returns what was drawn since the last match, without escape sequences, and forgets it if pattern matches. Lines that changed
// are drawn whole.
func (v *viewer) take(pattern *regexp.Regexp) (text string, found bool) {
	v.lock.Lock()
	defer v.lock.Unlock()
	text = ansi.Strip(toALine.ReplaceAllString(v.seen.String(), "\n"))
	if found = pattern.MatchString(text); found {
		v.seen.Reset()
	}
	return text, found
}

// finds waits until the drawn lines match form, returns them, and forgets them.
func (v *viewer) finds(form string) string {
	v.t.Helper()
	return v.until(form, func() {})
}

// until is finds with a call of try before each attempt.
func (v *viewer) until(form string, try func()) string {
	v.t.Helper()
	pattern := regexp.MustCompile(form)
	again := time.Now()
	for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if text, found := v.take(pattern); found {
			return text
		}
		if time.Since(again) > 700*time.Millisecond {
			try()
			again = time.Now()
		}
	}
	text, _ := v.take(pattern)
	v.t.Fatalf("%s was never seen; drawn was\n%s", form, text)
	return ""
}

// ctrl returns what a terminal sends for a letter with the control key.
func ctrl(letter byte) string { return string(rune(letter & 0x1f)) }

// A new user makes a wallet, is registered, is paid, pays, and locks.
func TestNewUserAtATerminal(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	ledger := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	url := ledger.line(`^websocket +(ws://\S+)$`)
	key := ledger.line(`^demo key +alice +(\S+)$`)
	server := start(t, "--daemon-url="+url, "--rpc-http=127.0.0.1:0", "--data-dir="+t.TempDir())
	registrar := remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}
	for _, call := range [][]string{{"set_password", "pw"}, {"unlock", "pw"}, {"import_single_key", "alice", key}} {
		registrar.ok(call[0], call[1:]...)
	}

	v := watch(t, "--daemon-url="+url)
	v.finds("Welcome")
	v.types("1")
	v.finds("New password")
	v.types("correct horse battery staple\r")
	v.finds("Once more")
	v.types("correct horse battery staple\r")
	words := map[string]string{} // by number, since a line may be drawn twice
	phrase := v.finds(`16 [A-Z]{3,8}(.|\n)*Next: you type`)
	for _, found := range regexp.MustCompile(` (\d+) ([A-Z]{3,8})\b`).FindAllStringSubmatch(phrase, -1) {
		words[found[1]] = found[2]
	}
	if len(words) != 16 {
		t.Fatalf("the phrase has %d words", len(words))
	}
	v.types("\r")
	for _, n := range []string{"3", "9", "14"} {
		v.finds("Word " + n)
		v.types(strings.ToLower(words[n]) + "\r")
	}
	v.finds("Account name")
	v.types("newcomer\r")
	text := v.finds(`register_account_with_keys newcomer(.|\n)*THEIR-ACCOUNT`)
	var keys []string
	for _, key := range regexp.MustCompile(`DCT\w{50}`).FindAllString(text, -1) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) != 3 {
		t.Fatalf("the request has %d keys: %s", len(keys), text)
	}
	v.types("\r")
	v.finds("no account yet")
	registrar.ok("register_account_with_keys", "newcomer", keys[0], keys[1], keys[2], "alice", "true")
	v.finds(`newcomer 1\.2\.\d+`)

	v.types("4")
	v.finds("dcore:newcomer")
	registrar.ok("transfer", "alice", "newcomer", "50", "DCT", "welcome", "true")
	v.finds(`50\.00000000 DCT`)
	v.types("3")
	v.finds("To ")
	v.types("bobby\t")
	v.finds(`bobby 1\.2\.\d+`)
	v.types("2" + ctrl('s'))
	v.finds("read back from the bytes")
	v.until("Prepared", func() { v.types("S") }) // not before it can be read
	v.finds(`✓ Irreversible|Final in block|is irreversible`)
	v.types(ctrl('l'))
	v.finds("Password")
}

// Two programs ask to spend: the first is approved, the second denied. Then incoming rows are exported.
func TestApprovalsAndAnExportAtATerminal(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	v := watch(t, "--sandbox", "--tui", "--rpc-spends=ask", "--rpc-http=127.0.0.1:0")
	v.finds("Balances")
	v.types("-")
	address := regexp.MustCompile(`127\.0\.0\.1:\d+/rpc`).FindString(v.finds(`HTTP +● on +127\.0\.0\.1:\d+/rpc`))
	wallet := remote{t, "http://" + address}
	for _, answer := range []struct {
		key string
		yes bool
	}{{"A", true}, {"X", false}} {
		replies := make(chan reply, 1)
		go func() { replies <- wallet.call("transfer", "alice", "bobby", "1", "DCT", "", "true") }()
		v.finds("asks to spend|wants to|1 waits|!1")
		v.types("!")
		v.finds("Approve a payment")
		var out reply
		for done := false; !done; { // not before it can be read
			v.types(answer.key)
			select {
			case out = <-replies:
				done = true
			case <-time.After(700 * time.Millisecond): // an earlier one restarts the pause
			}
		}
		if (out.Error == nil) != answer.yes {
			t.Errorf("after %s a program is told %+v", answer.key, out.Error)
		}
		v.finds("Approved, being sent|Denied") // keys do not change the page while the request is still shown
	}
	v.types("2")
	v.finds("row 1 of")
	v.types("/dir:in\r")
	v.finds(`\d+ of \d+ rows`)
	v.types("x")
	v.finds("Export history")
	v.types("\r")
	v.finds(`\d+ rows written`)
	written, err := filepath.Glob(filepath.Join(v.home, "billfold-alice-*.csv"))
	must(t, err)
	if len(written) != 1 {
		t.Fatalf("the files are %q", written)
	}
	rows, err := os.ReadFile(written[0])
	must(t, err)
	if lines := strings.Split(strings.TrimSpace(string(rows)), "\n"); len(lines) < 3 || strings.Contains(string(rows), ",out,") {
		t.Errorf("the file has %s", rows)
	}
}
