package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"billfold/internal/stories"
)

// A person without a screen makes a wallet, pays, answers a program, writes the history to a file, and locks. No line is
// long, no output moves the cursor, and an empty line never spends.
func TestLinearAtATerminal(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	const password = "seven otters juggle quietly"
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	daemon, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	folder := t.TempDir()
	// TERM selects the linear UI; the flag here is for the listener.
	w := atTerminal(t, 40, 80, []string{"TERM=dumb"}, "--tui", "--data-dir="+folder, "--daemon-url="+daemon,
		"--rpc-http=127.0.0.1:0", "--rpc-spends=ask")
	say := w.says
	w.sees(`Linear mode(.|\n)*Choose 1 to \d > `)
	say("1", `New password \(not shown\): $`)
	say(password, `Again \(not shown\): $`)
	say(password, `ready(.|\n)* > $`)
	said := say("ready", `next to go on > $`)
	var words []string
	for _, l := range regexp.MustCompile(`Words \d+ to \d+: ([A-Z ]+)`).FindAllStringSubmatch(said, -1) {
		words = append(words, strings.Fields(l[1])...)
	}
	if len(words) != 16 {
		t.Fatalf("the phrase has the words %q", words)
	}
	if err := keysThere(folder); err == nil {
		t.Error("the wallet was written before the phrase was typed")
	}
	say("next", `Word 3 > $`)
	say(words[2], `Word 9 > $`)
	say(words[8], `Word 14 > $`)
	say(words[13], `Account name.* > $`)
	say("", `Wallet written(.|\n)*home > $`)
	must(t, keysThere(folder))
	say("import", `Choose 1 to \d > $`)
	say("2", `Private key \(not shown\): $`)
	say(wif, `empty finds(.|\n)* > $`)
	say("", `Key kept(.|\n)*home > $`)
	say("send bobby 3", `Memo.* > $`)
	say("two coffees", `Memo kind.* > $`)
	say("", `Total out: 3\.(.|\n)*back to \w+ > $`)
	for _, no := range []string{"", "yes", "s", "S", "Sign"} {
		say(no, `Nothing was done(.|\n)* > $`)
	}
	say("sign", `In block \d+\.(.|\n)*home > $`)
	// A paste answers questions, but does not approve a review, which the person cannot have heard yet.
	say("send\nbobby\n4\nInvoice 4711\n1\nsign\nsig", `Total out: 4\.(.|\n)*was dropped(.|\n)*back to \w+ > $`)
	say("stop", `Left(.|\n)*send > $`)

	address := regexp.MustCompile(`http://[\d.:]+/rpc`).FindString(say("rpc", `Waiting approvals: 0(.|\n)*rpc > $`))
	answers := make(chan reply, 2)
	ask := func() {
		answers <- remote{t, address}.call("transfer", "alice", "bobby", "2", "DCT", "", "true")
	}
	for _, answer := range []string{"deny", "approve"} {
		go ask()
		for !strings.Contains(say("", ` > $`), "Event: a program without a token asks to spend") {
		}
		say("approvals", `Call: transfer(.|\n)*back to \w+ > $`)
		say("", `Nothing was done(.|\n)* > $`)
		say(answer, `rpc > $`)
	}
	if no, yes := <-answers, <-answers; no.Error == nil || yes.Error != nil ||
		!strings.Contains(string(yes.Result), "bobby") && !json.Valid(yes.Result) {
		t.Errorf("the programs heard %+v and %+v", no, yes)
	}

	file := filepath.Join(folder, "all.csv")
	say("history", `history > $`)
	say("export csv "+file, `Type write(.|\n)* > $`)
	say("", `Nothing was done(.|\n)* > $`)
	say("write", `Done\.(.|\n)*history > $`)
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "3.00000000") == 0 {
		t.Errorf("the export has %q, %v", text, err)
	}
	say("lock", `Locked\.(.|\n)*history > $`)
	w.types("quit\n")
	w.types("quit\n")
	plainLines(t, w.leaves(), password, wif)
}

// keysThere returns an error unless a folder has a key file.
func keysThere(folder string) error {
	_, err := os.Stat(filepath.Join(folder, keystoreName))
	return err
}

// plainLines checks what must hold for all output of the linear UI.
func plainLines(t *testing.T, said string, secrets ...string) {
	t.Helper()
	for _, l := range strings.Split(said, "\n") {
		l = strings.TrimSuffix(l, "\r")
		if len(l) > 72 {
			t.Errorf("a line has %d characters: %s", len(l), l)
		}
		for i := range len(l) {
			if l[i] < ' ' || l[i] > '~' {
				t.Errorf("a line has the byte %#x: %q", l[i], l)
			}
		}
	}
	for _, s := range secrets {
		if strings.Contains(said, s) {
			t.Errorf("%q is shown", s)
		}
	}
}

// A script for the linear UI pays, and the exit code shows how it ended. Nothing is signed without the word.
func TestLinearScripts(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	for _, c := range []struct {
		lines, flags string
		code         int
		out          string
	}{
		{"send\nbobby\n1\n\nsign\n", "", 0, "In block"},
		{"send\nbobby\n1\n\n\n\n", "", 2, "Nothing was done"},
		{"send\nbobby\n1\n\nyes\nsign\n", "", 2, "Nothing was done"},
		{"send\nbobby\n1\n\n\nsign\n", "", 2, "Nothing was done"},
		{"send\nnobody-here\n", "", 1, `Error: there is no account "nobody-here"`},
		{"sned\n", "", 2, "Error: There is no word"},
		{strings.Repeat("x", 1<<17) + "\n", "--json", 2, `{"error":"The line is longer than 64 KiB.","money":"not affected.","next":"type a shorter one.","code":2}`},
		{"settings change max-fee much\n", "", 1, "Error: max-fee"},
		{"history\n", "--json", 0, `{"label":"Type"`},
		{"lock\nunlock\nwrong\n", "", 4, "not the right password"},
		{"", "", 0, "Linear mode. Type help."},
	} {
		args := append([]string{"--sandbox", "--linear", "--data-dir=" + t.TempDir()}, strings.Fields(c.flags)...)
		out, problems, code := runToEnd(t, c.lines, args...)
		if code != c.code || !strings.Contains(out, c.out) || problems != "" {
			t.Errorf("%q ends with %d: %s%s", c.lines, code, out, problems)
		}
		if c.flags == "" {
			plainLines(t, out)
		}
	}
	dead := []string{"--linear", "--data-dir=" + t.TempDir(), "--daemon-url=ws://127.0.0.1:1"}
	for _, c := range []struct {
		lines string
		code  int
		out   string
	}{
		{"", 2, "Error: The input ended before the answer."},
		{"5\n", 2, "Error: The input ended before the answer."},
		{"5\nbobby\n", 5, "in a moment."},
	} {
		if out, _, code := runToEnd(t, c.lines, dead...); code != c.code || !strings.Contains(out, c.out) {
			t.Errorf("without a node %q ends with %d: %s", c.lines, code, out)
		}
	}
	if out, problems, code := runToEnd(t, "", "--sandbox", "--json"); code != 2 || !strings.Contains(problems, "--linear") {
		t.Errorf("--json alone ends with %d: %s%s", code, out, problems)
	}
	if out, _, _ := runToEnd(t, "", "--linear", "--data-dir="+t.TempDir(), "--daemon-url=ws://127.0.0.1:1"); !strings.Contains(
		out,
		"No wallet in this folder",
	) {
		t.Errorf("a folder without a wallet says %s", out)
	}
}

// A total that was typed ahead does not approve a payout.
func TestTypedAheadTotalDoesNotApproveAPayout(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "may.csv")
	must(t, os.WriteFile(file, []byte("account,amount,asset,memo\nbobby,2.5,DCT,\n"), 0o600))
	w := atTerminal(t, 40, 120, nil, "--sandbox", "--data-dir="+t.TempDir(), "pay", "--from=alice", file)
	w.types("3 DCT\n") // as the answer, it would be refused
	w.sees(`Type the total to pay it \(2\.5 DCT\): $`)
	w.types("2.5 DCT\n")
	w.sees("paid|sent")
	must(t, w.end())
}

// ctrl+C at a question ends the command at once, without an approval: what is typed afterwards is the shell's.
func TestAnInterruptedQuestionIsNoApproval(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	folder := t.TempDir()
	file := writeFile(t, folder, "may.csv", "account,amount,asset,memo\nbobby,2.5,DCT,\n")
	must(t, os.Mkdir(filepath.Join(folder, "song"), 0o700))
	writeFile(t, filepath.Join(folder, "song"), "la.txt", "la")
	for question, args := range map[string][]string{
		`Type the total to pay it \(2\.5 DCT\): $`: {"pay", "--from=alice", file},
		`sign it\? type yes: $`:                    {"content", "publish", filepath.Join(folder, "song"), "--from=alice", "--price=1 DCT"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			w := atTerminal(t, 60, 120, nil, append([]string{"--sandbox", "--data-dir=" + t.TempDir()}, args...)...)
			w.sees(question)
			if said := w.interrupted(); !strings.Contains(said, "nothing was ") {
				t.Errorf("it says %q", said)
			}
		})
	}
}

// A script waits for the first answer of a node.
func TestLinearScriptsWaitForTheNode(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--delay=100ms")
	flags := []string{"--linear", "--data-dir=" + t.TempDir(), "--daemon-url=" + box.line(`^websocket +(ws://\S+)$`)}
	wif := box.line(`^demo key +alice +(\w+)$`)
	for _, c := range []struct{ lines, out string }{
		{"5\nbobby\npw\npw\n", "The account is on the list"},
		{"pw\nimport\n2\n" + wif + "\n\n", "Key kept"},
		{"pw\nsend\nbobby\n4.5\n\nsign\n", "In block"},
	} {
		out, problems, code := runToEnd(t, c.lines, flags...)
		if code != 0 || !strings.Contains(out, c.out) || strings.Contains(out, "Event: a node answers") {
			t.Errorf("%q ends with %d: %s%s", c.lines, code, out, problems)
		}
	}
	flags[2] = "--daemon-url=ws://127.0.0.1:1"
	for _, lines := range []string{"pw\n", "pw\nwhere\nquit\n"} {
		if out, _, code := runToEnd(t, lines, flags...); code != 5 || !strings.Contains(out, "Balances: not known") {
			t.Errorf("without a node %q ends with %d: %s", lines, code, out)
		}
	}
}

// The conversation in the documentation is the program's output, except for numbers and ids, and "..." for left-out lines.
func TestDocumentedConversation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/linear.md")
	must(t, err)
	_, talk, _ := strings.Cut(string(page), "```text\n")
	talk, _, _ = strings.Cut(talk, "```")
	var lines, form []string
	plain := func(text string) string {
		return regexp.MustCompile(`\d+`).ReplaceAllString(regexp.MustCompile(`[0-9a-f]{40}`).ReplaceAllString(text, "ID"), "0")
	}
	for _, l := range strings.Split(strings.TrimSpace(talk), "\n") {
		if _, answer, is := strings.Cut(l+" ", " > "); is {
			lines = append(lines, strings.TrimSpace(answer))
		}
		if l == "..." {
			form = append(form, `(?:.*\n)*?.*`)
			continue
		}
		form = append(form, regexp.QuoteMeta(plain(l))+` ?`)
	}
	out, problems, code := runToEnd(t, strings.Join(lines, "\n")+"\n", "--sandbox", "--linear", "--data-dir="+t.TempDir())
	if said := plain(out); code != 0 || problems != "" || !regexp.MustCompile("^"+strings.Join(form, `\n`)+`\n*$`).MatchString(said) {
		t.Errorf("it ends with %d %s, and is\n%s", code, problems, said)
	}
}

// A text in another encoding that is piped in is named as that, and is no bug of Billfold.
func TestLinearNamesTheEncodingOfItsInput(t *testing.T) {
	for encoding, text := range map[string]string{"UTF-16": "\xff\xfe1\x00\r\x00\n\x00", "UTF-32": "\xff\xfe\x00\x001\x00\x00\x00\n\x00\x00\x00"} {
		out, problems, code := runToEnd(t, text, "--linear", "--daemon-url=ws://127.0.0.1:1", "--data-dir="+t.TempDir())
		if told := out + problems; code == 0 || !strings.Contains(told, encoding) || !strings.Contains(told, "save what is piped in as UTF-8") || strings.Contains(told, "bug") {
			t.Errorf("%s: exit code %d: %s%s", encoding, code, out, problems)
		}
	}
}
