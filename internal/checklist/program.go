package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// startServing starts the sandbox with an HTTP listener, and returns the listener's address.
func (t *terminal) startServing(args ...string) (url string) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
	if err != nil {
		t.fail("%v", err)
		return ""
	}
	addr := l.Addr().String()
	_ = l.Close()
	t.sandbox(append([]string{"--tui", "--rpc-http=" + addr}, args...)...)
	return "http://" + addr + "/rpc"
}

// callResult is the answer to a program's call.
type callResult struct {
	body string
	err  error
}

// call asks for a payment as a program does, and returns the channel of the answer.
func call(url string) <-chan callResult {
	out := make(chan callResult, 1)
	go func() {
		const body = `{"jsonrpc":"2.0","id":1,"method":"transfer","params":["alice","carol","7","DCT","",true]}`
		answer, err := http.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			out <- callResult{err: err}
			return
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		out <- callResult{string(text), err}
	}()
	return out
}

// wantRefused waits for an answer and fails unless it is an error.
func (t *terminal) wantRefused(answer <-chan callResult) {
	select {
	case got := <-answer:
		t.want(got.err == nil && strings.Contains(got.body, `"error"`), "the program was answered %s, %v", got.body, got.err)
	case <-time.After(patience):
		t.fail("the program was not answered")
	}
}

// losesControl plans to make alice's account need two signers, one of them somebody else.
func losesControl(t *terminal) {
	t.sandbox()
	t.keys("6")
	t.wait(`Keys of alice`)
	t.keys("m")
	t.wait(`Who may sign`)
	t.keys("C-u")
	t.text("both")
	t.keys("Enter C-u")
	t.text("2")
	t.keys("Enter Enter")
	t.text("carol 1")
	t.keys("Enter Enter")
	t.wait(`you would lose control`)
	t.framed()
	t.shot("plan")
	t.keys("Enter")
	t.wait(`(?i)type the name of the account`)
	t.text("bob")
	t.keys("Enter X S")
	t.wait(`lose control`)
	t.hides(`Prepared|In a block`)
}

func curlLine(t *terminal) {
	if _, err := t.kit.tmux("set-option", "-s", "set-clipboard", "on"); err != nil {
		t.fail("%v", err)
	}
	t.startServing()
	t.keys("0")
	t.wait(`TYPE +Console`)
	t.text("get_account_count")
	t.wait(`curl -s http`)
	t.keys("C-y")
	t.wait(`(?i)copied`)
	t.keys("C-u")
	t.text("get_account_count")
	t.keys("Enter")
	t.wait(`✓`)
	line, err := t.kit.tmux("show-buffer")
	t.want(err == nil && strings.HasPrefix(line, "curl -s http://127.0.0.1:"), "the clipboard has %q, %v", line, err)
	if t.err != nil {
		return
	}
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	m := regexp.MustCompile(`"result":(\d+)`).FindSubmatch(out)
	t.want(err == nil && m != nil, "curl answers %s, %v", out, err)
	if m != nil {
		t.wait(fmt.Sprintf(`[┃ ]%s\b`, m[1]))
	}
}

func spendWhileTyping(t *terminal) {
	url := t.startServing("--rpc-spends=ask")
	t.keys("3")
	t.text("car")
	answer := call(url)
	t.wait(`!1`)
	t.text("ol")
	t.wait(`TYPE +Send`)
	t.wait(`✓ carol`)
	t.hides(`Approve a payment`)
	t.keys("Escape !")
	t.wait(`Approve a payment`)
	t.wait(`7\.00000000 DCT`)
	t.framed()
	t.shot("approval")
	t.pause(time.Second)
	t.keys("Enter Space y")
	t.wait(`Approve a payment|Copy`)
	t.keys("Escape !")
	t.pause(time.Second)
	t.keys("X")
	t.wantRefused(answer)
}

func approvalExpires(t *terminal) {
	url := t.startServing("--rpc-spends=ask")
	answer := call(url)
	t.wait(`!1`)
	t.keys("!")
	t.wait(`denied automatically in`)
	t.pause(time.Minute)
	t.wantRefused(answer)
	t.wait(`(?i)nothing was signed`)
}
