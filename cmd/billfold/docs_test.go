package main

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
	"github.com/spf13/cobra"
)

// docPage is a page of the documentation whose commands and samples are run, in their order, in one folder. A key of its maps is how a command or a
// block begins.
type docPage struct {
	file   string            // in the root of the tree
	typed  map[string]string // what is typed at a command; "" at all others
	notRun map[string]string // why a command or a block is not run
	saves  map[string]string // the file that a block is
	ends   map[string]int    // exit codes other than 0
	setUp  func(w *docWorld) // makes what the page takes for granted
	check  func(w *docWorld)
}

// docStep is a command of a page with its sample output, or a block that is something else.
type docStep struct {
	kind   string // sh for a command, otherwise what the fence names; "" for an indented block
	text   string
	sample string // what a command prints
}

// commandWords are the words with which a line begins that is a command. Any other line below a command is a sample of what it prints.
var commandWords = []string{"billfold", "curl", "go", "python3", "node", "printf", "echo", "cat", "cp", "mkdir", "export", "cd", "source", "sleep", "(cat", "umask", "head", "make",
	"systemctl", "install", "systemd-ask-password", "systemd-sysusers"}

func isCommandLine(line string) bool {
	fields := strings.Fields(line)
	return len(fields) > 0 && slices.Contains(commandWords, fields[0]) || assigns.MatchString(line)
}

var (
	assigns  = regexp.MustCompile(`^[A-Za-z_]+=\S`)
	lasts    = regexp.MustCompile(`^(export |cd |umask |[A-Za-z_]+=\S*$)`) // what later commands of a page depend on
	fenced   = regexp.MustCompile("^```([a-z ]*)$")
	toServe  = regexp.MustCompile(`^--?(rpc-http|rpc-ws|rpc-socket|metrics|r|H)(=|$)`)
	comments = regexp.MustCompile(`\s+# .*$`)
)

// docSteps returns the steps of a page.
func docSteps(t *testing.T, file string) (steps []docStep) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
	must(t, err)
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		if found := fenced.FindStringSubmatch(lines[i]); found != nil {
			from := i + 1
			for i++; i < len(lines) && lines[i] != "```"; i++ {
			}
			steps = addBlock(steps, found[1], lines[from:i])
			continue
		}
		if strings.HasPrefix(lines[i], "    ") && (i == 0 || lines[i-1] == "") {
			var block []string
			for ; i < len(lines) && strings.HasPrefix(lines[i], "    "); i++ {
				block = append(block, strings.TrimPrefix(lines[i], "    "))
			}
			steps = addBlock(steps, "", block)
		}
	}
	return steps
}

// addBlock adds a block, cut into its commands if it begins with one. A fence of text or json after a command is a sample of what it prints.
func addBlock(steps []docStep, kind string, lines []string) []docStep {
	first := strings.TrimPrefix(lines[0], "$ ")
	switch {
	case kind == "sh", kind == "" && isCommandLine(first):
	case (kind == "text" || kind == "json") && len(steps) > 0 && steps[len(steps)-1].kind == "sh" && steps[len(steps)-1].sample == "":
		steps[len(steps)-1].sample = strings.Join(lines, "\n")
		return steps
	default:
		return append(steps, docStep{kind, strings.Join(lines, "\n") + "\n", ""})
	}
	open := false // the line before ends with a backslash
	for i, line := range lines {
		line := strings.TrimPrefix(line, "$ ")
		switch last := len(steps) - 1; {
		case open:
			steps[last].text += "\n" + line
		case isCommandLine(line) || i == 0:
			steps = append(steps, docStep{"sh", line, ""})
		case line != "" && !strings.HasPrefix(line, "#"):
			steps[last].sample = strings.TrimPrefix(steps[last].sample+"\n"+line, "\n")
		}
		open = strings.HasSuffix(line, `\`)
	}
	return steps
}

// looked returns the value of the key of a map with which text begins, the longest such key, and reports whether there is one. It counts the key as used.
func looked[T any](used map[string]bool, in map[string]T, text string) (value T, key string, ok bool) {
	for k := range in {
		if strings.HasPrefix(text, k) && (!ok || len(k) > len(key)) {
			key, value, ok = k, in[k], true
		}
	}
	used[key] = used[key] || ok
	return value, key, ok
}

// Every command in the documentation exists, with its flags and its operation, and each block of a page by reader is run by TestDocsAsWritten or
// says why not.
func TestCommandsInDocsExist(t *testing.T) {
	t.Parallel()
	listed := map[string]docPage{}
	for _, page := range docPages() {
		listed[page.file] = page
	}
	files, err := filepath.Glob("../../docs/*.md")
	must(t, err)
	examples := 0
	for _, reason := range reasonsNotToRun() {
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(reason, -1) {
			if !testExists(t, name) {
				t.Errorf("the reason %q names a test that does not exist", reason)
			}
		}
	}
	for _, path := range append(files, "../../README.md", "../../SECURITY.md", "../../docs/examples/README.md") {
		file := filepath.ToSlash(strings.TrimPrefix(path, "../../"))
		text, err := os.ReadFile(path)
		must(t, err)
		for _, span := range regexp.MustCompile("`(billfold [^`\n]+)`").FindAllStringSubmatch(string(text), -1) {
			examples++
			commandExists(t, file, span[1])
		}
		page, is := listed[file]
		if !is {
			if docsElsewhere[file] == "" && len(docSteps(t, file)) > 0 {
				t.Errorf("%s: nobody runs its commands and samples, and no reason is declared", file)
			}
			continue
		}
		delete(listed, file)
		used := map[string]bool{}
		for _, step := range docSteps(t, file) {
			_, _, skipped := looked(used, page.notRun, step.text)
			_, _, saved := looked(used, page.saves, step.text)
			looked(used, page.ends, step.text)
			looked(used, page.typed, step.text)
			switch step.kind {
			case "sh":
				examples++
				commandExists(t, file, step.text)
			case "bash", "python", "js", "wire":
			default:
				if !skipped && !saved {
					t.Errorf("%s: nobody runs this, and no reason is declared:\n%s", file, step.text)
				}
			}
			for _, method := range regexp.MustCompile(`"method": ?"([a-z_.]+)"`).FindAllStringSubmatch(step.text, -1) {
				operationExists(t, file, method[1])
			}
		}
		for _, key := range slices.Concat(slices.Collect(maps.Keys(page.notRun)), slices.Collect(maps.Keys(page.saves)),
			slices.Collect(maps.Keys(page.ends)), slices.Collect(maps.Keys(page.typed))) {
			if key != "" && !used[key] {
				t.Errorf("%s: nothing on the page begins with %q", file, key)
			}
		}
	}
	for file := range listed {
		t.Errorf("%s is not there", file)
	}
	if examples < 130 {
		t.Errorf("found %d commands; there are more", examples)
	}
}

// reasonsNotToRun returns all declared reasons.
func reasonsNotToRun() []string {
	reasons := slices.Collect(maps.Values(docsElsewhere))
	for _, page := range docPages() {
		reasons = slices.AppendSeq(reasons, maps.Values(page.notRun))
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// testExists reports whether this package, or one of those that reasons speak of, has a test with a name.
func testExists(t *testing.T, name string) bool {
	t.Helper()
	for _, folder := range []string{".", "../../internal/house", "../../walletcore", "../../keystore"} {
		files, err := filepath.Glob(folder + "/*_test.go")
		must(t, err)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
				return true
			}
		}
	}
	return false
}

// commandExists fails for a command, a flag or an operation that text calls and that does not exist.
func commandExists(t *testing.T, file, text string) {
	t.Helper()
	for _, found := range calls.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
		words, err := splitAsShell(comments.ReplaceAllString(found[1], ""))
		if err != nil { // it goes on elsewhere
			words = strings.Fields(found[1])
		}
		root := rootCommand(nil)
		root.InitDefaultHelpCmd()
		root.InitDefaultCompletionCmd()
		if own, _, err := fromCLIWallet(root, words); err == nil {
			words = own
		}
		cmd, rest, err := root.Find(words)
		if err != nil {
			t.Errorf("%s: %s: %v", file, text, err)
			continue
		}
		if cmd != root && cmd.HasSubCommands() && len(rest) > 0 && regexp.MustCompile(`^[a-z]`).MatchString(rest[0]) {
			t.Errorf("%s: %s: %s has no command %s", file, text, cmd.CommandPath(), rest[0])
		}
		cmd.InitDefaultHelpFlag()
		for _, word := range words {
			name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
			name = strings.TrimRight(strings.TrimSuffix(name, "[" /* --rpc-http[=ADDR] */), ",.")
			if strings.HasPrefix(word, "--") && name != "" && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
				t.Errorf("%s: %s: %s has no flag --%s", file, text, cmd.CommandPath(), name)
			}
		}
		if cmd.Name() == "call" {
			operationCalled(t, file, cmd, rest)
		}
	}
}

var calls = regexp.MustCompile(`(?:^|[|&;(]\s*|\$ )billfold ([^|&;)<>\n]*)`)

// operationCalled fails for an operation of billfold call that does not exist.
func operationCalled(t *testing.T, file string, cmd *cobra.Command, rest []string) {
	t.Helper()
	if cmd.ParseFlags(rest) != nil || len(cmd.Flags().Args()) == 0 {
		return
	}
	if name := cmd.Flags().Arg(0); regexp.MustCompile(`^[a-z][a-z_.]+$`).MatchString(name) {
		operationExists(t, file, name)
	}
}

func operationExists(t *testing.T, file, name string) {
	t.Helper()
	known := slices.ContainsFunc(walletapi.Methods(), func(m *walletapi.Method) bool { return m.Name == name })
	if !known && !strings.HasPrefix(name, "sandbox_") && !slices.Contains([]string{"subscribe", "unsubscribe", "event", "rpc.discover"}, name) {
		t.Errorf("%s: there is no operation %s", file, name)
	}
}

// A reader follows a page to the letter: each command ends as it should and prints what the page shows, apart from digits, and each sample does what it is there for.
// Only ports and folders are others.
func TestDocsAsWritten(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	for _, page := range docPages() {
		t.Run(page.file, func(t *testing.T) {
			t.Parallel()
			w := newDocWorld(t, page)
			if page.setUp != nil {
				page.setUp(w)
			}
			for _, step := range docSteps(t, page.file) {
				w.run(step)
			}
			if page.check != nil {
				page.check(w)
			}
		})
	}
}

// docWorld is the machine of a reader.
type docWorld struct {
	t       *testing.T
	page    docPage
	folder  string // the working folder, and the home folder
	program string
	ports   map[string]string // of the documentation, and those here
	places  []string          // further pairs of what a page writes and what it is here
	before  string            // what earlier commands set
	servers map[bool]*process // by whether it is a sandbox's
	api     string            // the address of the last server
	ran     map[string]int    // steps that were run, by kind
}

// docPorts are the ports of the documentation.
var docPorts = []string{"8090", "8091", "8093", "8094", "9091"}

func newDocWorld(t *testing.T, page docPage) *docWorld {
	program, err := os.Executable()
	must(t, err)
	w := &docWorld{t: t, page: page, folder: testwallet.SocketFolder(t), program: program, ports: map[string]string{}, servers: map[bool]*process{}, ran: map[string]int{}}
	must(t, os.Chmod(w.folder, 0o700))
	must(t, os.Mkdir(filepath.Join(w.folder, "bin"), 0o700))
	must(t, os.Symlink(program, filepath.Join(w.folder, "bin", "billfold")))
	for _, name := range []string{"docs", "packaging"} {
		tree, err := filepath.Abs(filepath.Join("..", "..", name))
		must(t, err)
		must(t, os.Symlink(tree, filepath.Join(w.folder, name)))
	}
	for _, folder := range []string{"/var/lib/billfold", "/backup", "/srv", "/media/usb", "/tmp"} {
		must(t, os.MkdirAll(w.folder+folder, 0o700))
	}
	for _, port := range docPorts {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		_, w.ports[port], err = net.SplitHostPort(l.Addr().String())
		must(t, err)
		must(t, l.Close())
	}
	return w
}

// here returns text with the ports, folders and other names of this machine.
func (w *docWorld) here(text string) string {
	var pairs []string
	pairs = append(pairs, w.places...)
	for port, own := range w.ports {
		for _, host := range []string{"127.0.0.1:", "localhost:"} {
			pairs = append(pairs, host+port, host+own)
		}
	}
	for _, folder := range []string{"/var/lib/billfold", "/backup", "/srv/wallet", "/etc/billfold", "/media/usb", "/tmp"} {
		pairs = append(pairs, folder, w.folder+folder)
	}
	return strings.NewReplacer(append(pairs, "go run ./cmd/billfold", "billfold")...).Replace(text)
}

// environment returns what commands see.
func (w *docWorld) environment() []string {
	env := []string{asProgram + "=1", "GORACE=" + quickExit, "HOME=" + w.folder, "PATH=" + filepath.Join(w.folder, "bin") + ":" + os.Getenv("PATH"),
		"BILLFOLD_DAEMON_URL=ws://127.0.0.1:" + w.ports["8090"], "WALLET_URL=http://127.0.0.1:" + w.ports["8093"] + "/rpc",
		"WALLET_PASSWORD=" + linearPassword, "PYTHONDONTWRITEBYTECODE=1", "TMPDIR=" + w.folder}
	if at := w.here("IPFS-ADDRESS"); at != "IPFS-ADDRESS" {
		env = append(env, "BILLFOLD_IPFS_API="+at)
	}
	return env
}

func (w *docWorld) run(step docStep) {
	w.t.Helper()
	used := map[string]bool{}
	if name, _, saved := looked(used, w.page.saves, step.text); saved {
		writeFile(w.t, w.folder, name, w.here(step.text))
		return
	}
	if _, _, skipped := looked(used, w.page.notRun, step.text); skipped {
		return
	}
	for _, tool := range []string{"bash", "python3", "node", "curl"} {
		if _, err := exec.LookPath(tool); err != nil && strings.Contains(step.text, tool+" ") {
			w.t.Logf("%v, so this was not run: %s", err, step.text)
			return
		}
	}
	w.ran[step.kind]++
	text := w.here(step.text)
	switch step.kind {
	case "sh":
		switch words := serverWords(text); {
		case words != nil:
			w.printed(step, w.serve(words))
		case lasts.MatchString(step.text):
			w.before += comments.ReplaceAllString(text, "") + "\n"
		default:
			w.command(step, exec.Command("bash", "-euc", w.before+text))
		}
	case "bash", "python", "js":
		cmd := exec.Command(map[string]string{"bash": "bash", "python": "python3", "js": "node"}[step.kind], writeFile(w.t, w.folder, "script."+step.kind, text))
		if cmd.Err != nil {
			w.t.Logf("the sample in %s was not run: %v", step.kind, cmd.Err)
			return
		}
		w.command(step, cmd)
	case "wire":
		w.converse(text)
	default:
		w.t.Errorf("nobody knows how to run %q:\n%s", step.kind, step.text)
	}
}

// command runs a command, and compares its end and what it prints with the page.
func (w *docWorld) command(step docStep, cmd *exec.Cmd) {
	w.t.Helper()
	typed, _, _ := looked(map[string]bool{}, w.page.typed, step.text)
	want, _, _ := looked(map[string]bool{}, w.page.ends, step.text)
	ctx, cancel := context.WithTimeout(w.t.Context(), 4*patience) // billfold doctor --attack takes up to 90 s
	defer cancel()
	limited := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
	limited.WaitDelay = time.Second
	limited.Dir, limited.Env, limited.Stdin = w.folder, append(os.Environ(), w.environment()...), strings.NewReader(w.here(typed))
	out, err := limited.CombinedOutput()
	if limited.ProcessState == nil || limited.ProcessState.ExitCode() != want {
		w.t.Errorf("%s\n%v, not %d:\n%s", step.text, err, want, out)
		return
	}
	w.printed(step, string(out))
	w.remember(string(out))
}

// printed compares what a command printed with the sample of the page.
func (w *docWorld) printed(step docStep, out string) {
	w.t.Helper()
	if missing := sampleMissing(w.here(step.sample), out); missing != "" {
		w.t.Errorf("%s\nprints\n%s\nwithout %q", step.text, out, missing)
	}
}

// digits are the parts of an output that differ each time.
var digits = regexp.MustCompile(`[0-9a-f]{16,}|[0-9]+`)

// sampleMissing returns the first part of a sample that out lacks, "" if it has them all in their order. Between parts is … or a line's end; other digits are
// the same to it.
func sampleMissing(sample, out string) string {
	rest := digits.ReplaceAllString(out, "0")
	for _, line := range strings.Split(sample, "\n") {
		if strings.HasSuffix(line, "(not shown):") {
			continue // what is not typed at a terminal is not asked for
		}
		for _, part := range strings.Split(line, "…") {
			part = digits.ReplaceAllString(strings.TrimSpace(part), "0")
			at := strings.Index(rest, part)
			if at < 0 {
				return part
			}
			rest = rest[at+len(part):]
		}
	}
	return ""
}

// serverWords returns the words of a command that starts a server, nil for any other.
func serverWords(text string) []string {
	line, is := strings.CutPrefix(strings.TrimSuffix(comments.ReplaceAllString(text, ""), " &"), "billfold ")
	words, err := splitAsShell(line)
	if !is || err != nil || len(words) == 0 {
		return nil
	}
	root := rootCommand(nil)
	own, _, err := fromCLIWallet(root, words)
	if err != nil {
		own = words
	}
	found, _, err := root.Find(own)
	if err != nil || !(found.Name() == sandboxName || found == root && slices.ContainsFunc(words, toServe.MatchString)) {
		return nil
	}
	return words
}

// serve starts a server in place of the one before, waits until nothing but a person keeps it from paying, and returns what it printed.
func (w *docWorld) serve(words []string) (said string) {
	w.t.Helper()
	box := words[0] == sandboxName
	for i, word := range words {
		for flag, port := range map[string]string{"--rpc-http": "8093", "--rpc-ws": "8091", "--metrics": "8094"} {
			if word == flag {
				words[i] = flag + "=127.0.0.1:" + w.ports[port]
			}
		}
	}
	if box && !slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "--listen") }) {
		words = append(words, "--listen=127.0.0.1:"+w.ports["8090"])
	}
	if before := w.servers[box]; before != nil {
		before.stop()
	}
	cmd := exec.Command("/usr/bin/env", slices.Concat(w.environment(), []string{"/bin/sh", "-euc", w.before + `exec "$@"`, "sh", w.program}, words)...)
	cmd.Dir = w.folder
	p := begin(w.t, "1", cmd)
	w.servers[box] = p
	last := regexp.MustCompile(`^rpc: `)
	if box {
		last = regexp.MustCompile(`^(demo key +bobby|HTTP .*)`) // a genesis of its own has no demo keys
		if !strings.HasPrefix(strings.Join(words[1:], " "), "--genesis") {
			last = regexp.MustCompile(`^demo key +bobby`)
		}
	}
	for line := ""; !last.MatchString(line); said += line + "\n" {
		line = p.line(`^(.*)$`)
	}
	w.remember(said)
	if url := regexp.MustCompile(`(?m)^wallet API over HTTP on (http://\S+)$`).FindStringSubmatch(said); url != nil {
		w.api = url[1]
	}
	if !box {
		w.awaitReady(slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "--unlock-from") }))
	}
	return said
}

// remember makes of what a program printed what later commands write.
func (w *docWorld) remember(said string) {
	for _, known := range []struct{ form, written string }{{`(billfold_[A-Za-z0-9_-]{20,})`, "billfold_…"}, {`(?m)^demo key +alice +(\S+)$`, "ALICE-KEY"},
		{`(?m)^demo key +bobby +(\S+)$`, "BOBBY-KEY"}, {`receipt: (\S+\.jsonl)`, "may.csv.receipt-8d99b56c.jsonl"},
		{`(?m)^IPFS +(\S+)$`, "IPFS-ADDRESS"}, {`on offer: (ipfs:\S+)`, "ipfs:Qm…"}} {
		if found := regexp.MustCompile(known.form).FindStringSubmatch(said); found != nil {
			w.places = append([]string{known.written, found[1]}, w.places...)
		}
	}
}

// awaitReady waits until the server says that it pays or, unless it unlocks by itself, that a person has to unlock it.
func (w *docWorld) awaitReady(unlocks bool) {
	w.t.Helper()
	if w.api == "" {
		return
	}
	said := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		resp, err := http.Get(strings.TrimSuffix(w.api, "/rpc") + "/readyz")
		if err != nil {
			return // it is not at this address any more
		}
		text, err := io.ReadAll(resp.Body)
		must(w.t, err)
		must(w.t, resp.Body.Close())
		if said = string(text); said == "ok\n" || !unlocks && said == onlyLocked || said == onlyKeyless {
			http.DefaultClient.CloseIdleConnections()
			return
		}
	}
	w.t.Errorf("/readyz stays %s", said)
}

// converse sends the lines after --> over a websocket, and expects those after <-- in their order, among others.
func (w *docWorld) converse(text string) {
	w.t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws://127.0.0.1:"+w.ports["8091"], nil)
	must(w.t, err)
	defer conn.Close()
	must(w.t, conn.SetReadDeadline(time.Now().Add(patience)))
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if request, is := strings.CutPrefix(line, "--> "); is {
			if !json.Valid([]byte(request)) {
				w.t.Errorf("this is no JSON: %s", request)
			}
			must(w.t, conn.WriteMessage(websocket.TextMessage, []byte(request)))
			continue
		}
		want, is := strings.CutPrefix(line, "<-- ")
		if !is {
			w.t.Errorf("nobody says %q", line)
		}
		for missing := "all"; missing != ""; {
			_, answer, err := conn.ReadMessage()
			if err != nil {
				w.t.Fatalf("nothing like %s came: %v", want, err)
			}
			missing = sampleMissing(want, string(answer))
		}
	}
}
