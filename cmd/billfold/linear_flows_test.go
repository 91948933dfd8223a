package main

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"billfold/internal/stories"
	"billfold/ledger"
)

// All flows of a wallet with two accounts in the linear UI at a terminal: importing a key, a payment request, contacts, messages,
// a filter, an export, new keys, several signers, approving a proposal, the console, settings, nodes and tokens.
func TestLinearFlowsAtATerminal(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	const password = "seven otters juggle quietly"
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	daemon, alice, bobby := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`), box.line(`^demo key +bobby +(\w+)$`)
	folder := t.TempDir()
	w := atTerminal(t, 40, 80, []string{"TERM=xterm"}, "--linear", "--data-dir="+folder, "--daemon-url="+daemon)
	w.sees(`Choose 1 to \d > $`)
	third := ledger.DeriveKey("the third of three", 0)
	const signed = `In block \d+\.(.|\n)* > $`
	for _, turn := range [][2]string{
		{"3", `Private key \(not shown\): $`}, {alice, `empty finds(.|\n)* > $`}, {"", `New password \(not shown\): $`},
		{password, `Again \(not shown\): $`}, {password, `Wallet written(.|\n)*home > $`},
		{"import", `Choose 1 to \d > $`}, {"2", `Private key \(not shown\): $`}, {bobby, `empty finds(.|\n)* > $`}, {"", `Key kept(.|\n)*home > $`},
		{"receive", `Link: dcore:alice(.|\n)*receive > $`}, {"request 5 DCT tea", `memo=tea(.|\n)*receive > $`}, {"spell", `c, o, r, e, colon(.|\n)* > $`},
		{"contacts add carol", `Note(.|\n)* > $`}, {"my sister", `is a contact now(.|\n)*contacts > $`},
		{"messages write carol", `Text > $`}, {`see you "at" 8`, `Kind.* > $`}, {"2", `\\"at\\"(.|\n)*Type sign to sign and send, back to \w+ > $`},
		{"sign", signed}, {"messages", `1\. carol(.|\n)*messages > $`}, {"1", `see you(.|\n)*messages > $`},
		{"history type:transfer", `Showing 1 to 5(.|\n)*history > $`},
		{"order amount", `rows of \d+\. Largest amount of each asset first(.|\n)*history > $`}, {"order newest", `Newest(.|\n)*history > $`}, {"1", `Operation: transfer(.|\n)*history > $`},
		{"export jsonl " + filepath.Join(folder, "all.jsonl"), `Type write(.|\n)*back to \w+ > $`}, {"month", `of this month(.|\n)*back > $`},
		{"all", `all that(.|\n)*back > $`}, {"memos", `Memos: no\.(.|\n)*back > $`}, {"write", `Done\.(.|\n)*history > $`},
		{"keys", `2\. bobby(.|\n)*keys > $`}, {"change 2", `Owner key \[same\] > $`}, {"", `Active key \[same\] > $`}, {"", `Memo key \[same\] > $`}, {"new", `back to \w+ > $`},
		{"sign", signed}, {"multisig 1", `Role.* > $`}, {"3", `Weight.* > $`}, {"2", `Signer 1.* > $`},
		{"bobby", `Signer 2.* > $`}, {"carol", `Signer 3.* > $`}, {third.Public().String(), `Signer 4.* > $`},
		{"", `would not suffice(.|\n)*name of the account > $`}, {"alice", `back to \w+ > $`}, {"sign", signed},
		{"account 1", `Account: alice(.|\n)*keys > $`}, {"send carol 2 DCT for two", `Memo kind.* > $`}, {"back", `Memo.*for two\] > $`},
		{"none", `becomes a proposal(.|\n)*write a file(.|\n)* > $`},
	} {
		w.says(turn[0], turn[1])
	}
	// Two of three signers sign a file, in two wallets; the second one sends it.
	unsigned := pathIn(t, w.says("payment", `sign file opens it(.|\n)* > $`), "Saved unsigned")
	w.says("sign file "+unsigned, `Type sign to sign the file, back to \w+ > $`)
	signedOnce := pathIn(t, w.says("sign", `Signed, in a new file(.|\n)*sign > $`), "Signed, in a new file")
	other := []string{"3", third.WIF(), "-", password, password, "sign file " + signedOnce, "sign", "send", ""}
	out, problems, code := runToEnd(t, strings.Join(other, "\n"),
		"--linear", "--data-dir="+t.TempDir(), "--daemon-url="+daemon)
	if code != 0 || !strings.Contains(out, "In block") {
		t.Errorf("the second wallet ended with %d: %s%s", code, out, problems)
	}
	for _, turn := range [][2]string{
		{"send carol 3", `Memo.* > $`}, {"", `becomes a proposal(.|\n)*back to \w+ > $`}, {"sign", signed},
		{"sign", `1\. 1\.6\.0(.|\n)*weight 0 of 2(.|\n)*sign > $`}, {"approve 1", `Effect(.|\n)*back to \w+ > $`}, {"sign", signed},
		{"sign", `weight 1 of 2(.|\n)*sign > $`}, {"withdraw 1", `back to leave > $`}, {"stop", `Left(.|\n)*sign > $`},
		{"console get_account_count", `\d+(.|\n)*console > $`}, {`transfer bobby carol 1 DCT "" true`, `back to \w+ > $`}, {"back", `Left(.|\n)*console > $`},
		{"settings theme light", `theme: light(.|\n)*settings > $`}, {"settings", `theme: light, from(.|\n)*settings > $`},
		{"node add wss://node.example", `names the nodes of this run(.|\n)*node > $`},
		{"check", `asked(.|\n)*node > $`},
		{"rpc token till", `May call.* > $`}, {"back", `Name \[till\] > $`}, {"", `May call.* > $`}, {"", `For accounts.* > $`}, {"nobody", `May pay.* > $`},
		{"back", `For accounts.* > $`}, {"none", `May pay.* > $`}, {"", `payment.* > $`}, {"", `day.* > $`}, {"", `above.* > $`}, {"", `Expires.* > $`},
		{"30d", `Type make(.|\n)* > $`}, {"make", `billfold_\w{60}(.|\n)*rpc > $`}, {"http up", `On or off(.|\n)*rpc > $`}, {"http on", `HTTP: open(.|\n)*rpc > $`}, {"http on", `is on already(.|\n)*rpc > $`},
		{"lock", `Locked(.|\n)*rpc > $`}, {"http off", `HTTP: closed(.|\n)*rpc > $`}, {"switch HTTP", `Password \(not shown\): $`},
		{"\x04", `Left(.|\n)*rpc > $`}, {"unlock", `Password \(not shown\): $`}, {password, `Unlocked(.|\n)*rpc > $`},
	} {
		w.says(turn[0], turn[1])
	}
	w.types("quit\nquit\n")
	text, err := os.ReadFile(filepath.Join(folder, "all.jsonl"))
	if err != nil || !strings.Contains(string(text), "merchant-7") || strings.Contains(string(text), "invoice") {
		t.Errorf("the export is %s, %v", text, err)
	}
	typed := regexp.MustCompile(` > [^\n]+`) // which the terminal does not wrap
	plainLines(t, typed.ReplaceAllString(w.leaves(), " > "), password, alice, bobby)
}

// pathIn returns the path of a file in a line, which may continue in the next line.
func pathIn(t *testing.T, said, label string) string {
	t.Helper()
	found := regexp.MustCompile(label + `:\s+(/[^\n]*(?:\n   [^\n]*)*)`).FindStringSubmatch(strings.ReplaceAll(said, "\r", ""))
	if found == nil {
		t.Fatalf("no %q is in %s", label, said)
	}
	return strings.ReplaceAll(found[1], "\n   ", "")
}

// A signal at a review signs nothing, and that is reported; a script then ends with another code than if it had finished.
func TestASignalEndsALinearReview(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	args := []string{"--sandbox", "--linear", "--data-dir"}
	lines := "send\nbobby\n1\n\n"
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) { // as under nohup, where the program ignores it, too
			continue
		}
		w := atTerminal(t, 40, 80, nil, append(args, t.TempDir())...)
		w.sees(`home > $`)
		w.types(lines)
		w.sees(`Type sign(.|\n)*back to \w+ > $`)
		must(t, w.cmd.Process.Signal(sent))
		if said := w.leaves(); !strings.Contains(said, "Stopped.\r\nMoney: nothing was sent.") {
			t.Errorf("%v ends with %q", sent, said[max(len(said)-200, 0):])
		}
	}
	cmd := processOf(append(args, t.TempDir()))
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, err = in.Write([]byte(lines))
	must(t, err)
	var said []byte
	signalled := false
	for part := make([]byte, 4096); ; {
		n, err := out.Read(part)
		said = append(said, part[:n]...)
		if err != nil {
			break
		}
		if asked := bytes.Contains(said, []byte("back to change >")); asked && !signalled {
			signalled = true
			must(t, cmd.Process.Signal(syscall.SIGTERM))
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !bytes.HasSuffix(said, []byte("Money: nothing was sent.\nNext: start again.\n")) {
		t.Errorf("a script ends with %d: %s", code, said)
	}
}
