package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// checks are the lines of the list.
func checks() []check {
	return []check{
		{1, "start in an empty folder", firstPage, ""},
		{2, "choose the sandbox", chooseSandbox, ""},
		{3, "rows and edges of ten screens", edges, "nothing is cut, edges are straight"},
		{4, "the keys of the pages", pages, ""},
		{5, "one heavy frame on each page, tab moves it", heavy, ""},
		{6, "help of five pages", helps, ""},
		{7, "the palette finds Receive", paletteFinds, ""},
		{8, "letters are text in a field", letters, ""},
		{9, "esc leaves the field, q quits or asks", leaves, ""},
		{10, "locked while typing, the text is kept", lockTyping, ""},
		{11, "a wrong password three times", wrongPassword, ""},
		{12, "To: unknown, known, look-alike", recipients, ""},
		{13, "amounts: nine decimals, all, too much", amounts, ""},
		{14, "enter, space, y, s and a click do not sign", noSigning, ""},
		{15, "S is deaf at first", deaf, ""},
		{16, "prepared, sent, in a block, irreversible", paysOne, "no line moves sideways between the pictures"},
		{17, "the same payment again", again, ""},
		{18, "large payments, and strangers", large, ""},
		{19, "the node goes between sent and block", nil, "TestTerminal… of cmd/billfold and make payments"},
		{20, "the node comes back", nil, "make payments"},
		{21, "killed after S", nil, "make payments, which kills at random"},
		{22, "a million rows", nil, "make bench, which times keys, jumps and filters on a million rows"},
		{23, "a filter with a mistake", mistake, ""},
		{24, "an encrypted memo, locked and unlocked", memo, ""},
		{25, "a hostile memo", hostileMemo, "the frame is whole, the text in quotes"},
		{26, "export", exports, ""},
		{27, "amounts have all decimals", decimals, ""},
		{28, "accounts have their ids", ids, ""},
		{29, "hidden amounts", hidden, ""},
		{30, "the code of Receive", code, "scan the code: it is the link; the second one is inverted"},
		{31, "copies of a row", copies, ""},
		{32, "x-ray of the keys", xray, "the tree and its sentence"},
		{33, "control is lost", nil, "tui/page/keys, which refuses it"},
		{34, "a proposal", nil, "tui/page/sign, on a ledger with proposals"},
		{35, "console: complete, misspell, form, spend", consoles, ""},
		{36, "the curl line", nil, "cmd/billfold's TestConsole…, which runs it"},
		{37, "a listener on and off", listener, ""},
		{38, "a spend of a program while typing", nil, "cmd/billfold's terminal test, with a program that calls"},
		{39, "an approval runs out", nil, "cmd/billfold's terminal test"},
		{40, "all nodes stop", nodesStop, "banner, titles with times"},
		{41, "sizes", sizes, "no leftovers"},
		{42, "no colour, ASCII, dumb", plain, "focus, in, out and warnings without colour"},
		{43, "light, 16 colours", themes, "every label can be read"},
		{44, "j held down", held, ""},
		{45, "idle and locked", idle, ""},
		{46, "linear: pay, export", lines, ""},
		{47, "quit, signal: the terminal is whole", endings, ""},
	}
}

func firstPage(t *terminal) {
	t.start("", "--daemon-url", "ws://127.0.0.1:1")
	t.wait(`Welcome\. Billfold keeps`)
	for n := 1; n <= 6; n++ {
		t.wait(fmt.Sprintf(`[▌ ] %d  \w`, n))
	}
	t.wait(`▌ 1  Create`)
	t.wait(`↵ continue`)
	t.wait(`First run +.*no wallet open`)
}

func chooseSandbox(t *terminal) {
	t.start("", "--daemon-url", "ws://127.0.0.1:1")
	t.wait(`Try the sandbox`)
	t.keys("6")
	if !t.has(`13,860`) {
		t.pause(time.Second)
	}
	t.wait(`▒ SANDBOX ▒`)
	t.wait(`DCT +13,860\.34367892`)
}

func edges(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 4 5 6 7 8 9 0 - = ,") {
		t.keys("Escape Escape " + key)
		t.pause(400 * time.Millisecond)
		t.framed()
		t.shot("page")
	}
}

// names are what the crumb calls the pages, by key.
func names() map[string]string {
	return map[string]string{"1": "Home", "2": "History", "3": "Send", "4": "Receive", "5": "Messages", "6": "Keys", "7": "Contacts", "8": "Sign",
		"9": "Assets", "0": "Console", "-": "RPC", "=": "Node", ",": "Settings"}
}

func pages(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 3 4 5 6 7 8 9 0 - = ,") {
		t.keys("Escape Escape Escape " + key)
		name := names()[key]
		t.wait(` (KEYS|TYPE|MODAL) +` + name)
		if key >= "1" && key <= "9" {
			t.wait(regexp.QuoteMeta("[" + key + " " + name + "]"))
			t.want(strings.Count(strings.Split(t.screen(), "\n")[1], "[") == 1, "more than one page is marked")
		}
	}
}

func heavy(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 4 5 6 7 8 9 - = ,") {
		t.keys("Escape Escape " + key)
		t.pause(300 * time.Millisecond)
		t.want(strings.Count(t.screen(), "┏") == 1, "%s has %d heavy frames", names()[key], strings.Count(t.screen(), "┏"))
	}
	t.keys("Escape Escape 1")
	before := t.screen()
	t.keys("Tab")
	t.want(t.screen() != before, "tab moves nothing")
	t.keys("BTab")
	t.wait(`Home › Balances`)
}

func helps(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 4 6 =") {
		t.keys("Escape Escape " + key + " ?")
		t.wait(`Help · ` + names()[key])
		t.keys("Escape")
	}
	t.keys("2 ?")
	t.keys("/")
	t.text("exp")
	t.wait(`x +export`)
	t.keys("Enter")
	t.wait(`Export history`)
	t.keys("Escape")
	t.hides(`Export history`)
}

func paletteFinds(t *terminal) {
	t.sandbox()
	t.keys(":")
	t.text("recv")
	t.wait(`Receive +4`)
	t.keys("Enter")
	t.wait(`\[4 Receive\]`)
}

func letters(t *terminal) {
	t.sandbox()
	t.keys("3")
	const all = "q1-=,?:/@*!~y"
	t.text(all)
	t.wait(regexp.QuoteMeta(all))
	t.wait(`TYPE +Send`)
}

func leaves(t *terminal) {
	t.sandbox()
	t.keys("3")
	t.text("carol")
	t.keys("Escape")
	t.wait(`KEYS +Send`)
	t.keys("q")
	t.pause(time.Second)
	t.want(t.has(`q quits`) || t.has(`^ended 0`), "q neither quits nor asks")
}

func lockTyping(t *terminal) {
	t.sandbox()
	t.keys("3")
	t.text("carol")
	t.keys("C-l")
	t.wait(`Unlock`)
	t.text("sandbox")
	t.keys("Enter")
	t.wait(`Send`)
	t.wait(`carol`)
}

func wrongPassword(t *terminal) {
	t.sandbox()
	t.keys("C-l")
	for n := 1; n <= 3; n++ {
		t.wait(`Unlock`)
		t.text("wrong")
		t.keys("Enter")
		t.wait(fmt.Sprintf(`%d (try|tries)`, n))
		t.pause(3 * time.Second)
		t.keys("C-u")
	}
	t.text("sandbox")
	t.keys("Enter")
	t.wait(`unlocked`)
}

func recipients(t *terminal) {
	t.sandbox()
	t.keys("3")
	t.text("nobody-such")
	t.wait(`(?i)no account|no such account|not found`)
	t.keys("C-u")
	t.text("carol")
	t.wait(`✓ carol 1\.2\.18`)
	t.keys("C-u")
	t.text("caro1")
	t.wait(`▲`)
}

func amounts(t *terminal) {
	t.sandbox()
	t.keys("3")
	t.text("carol")
	t.keys("Tab")
	t.text("1.123456789")
	t.wait(`at most 8|8 decimals`)
	t.keys("C-u C-g")
	t.wait(`13860\.34\d+|13,860\.34\d+`)
	t.keys("C-u")
	t.text("999999")
	t.wait(`(?i)more than|not enough|only`)
}

// toReview fills a payment and opens its review.
func (t *terminal) toReview(to, amount string) {
	t.keys("Escape Escape 1 :")
	t.text("send " + to + " " + amount + " DCT")
	t.keys("Enter")
	t.wait(`leaves`)
	t.keys("C-s")
	t.wait(`Review`)
}

func noSigning(t *terminal) {
	t.sandbox()
	t.toReview("carol", "5")
	t.pause(time.Second)
	t.shot("review")
	t.keys("Enter Space y s")
	t.click("S sign")
	t.pause(500 * time.Millisecond)
	t.wait(`Review`)
	t.keys("Escape Escape 1")
	t.wait(`No pending payments`)
}

func deaf(t *terminal) {
	t.sandbox()
	t.toReview("carol", "5")
	t.keys("Escape")
	t.pause(escPause)
	// Opening and signing in one piece: what comes within the pause is dropped.
	_, err := t.kit.tmux("send-keys", "-t", t.name, "C-s", "S")
	t.want(err == nil, "%v", err)
	t.pause(time.Second)
	t.hides(`In a block|Irreversible`)
}

func paysOne(t *terminal) {
	t.sandbox()
	t.pay("carol", "5")
	t.shot("sent")
	t.wait(`(?i)in a block|in block`)
	t.shot("in-block")
	t.wait(`(?i)irreversible`)
	t.shot("irreversible")
}

// pay signs and waits until it was sent.
func (t *terminal) pay(to, amount string) {
	t.toReview(to, amount)
	t.pause(time.Second)
	t.keys("S")
	t.wait(`(?i)prepared|sent|accepted`)
}

func again(t *terminal) {
	t.sandbox()
	t.pay("carol", "5")
	t.wait(`(?i)in a block|in block`)
	t.toReview("carol", "5")
	t.wait(`same payment was sent`)
	t.wait(`type the amount`)
}

func large(t *terminal) {
	t.sandbox()
	t.toReview("carol", "1500")
	t.wait(`type the amount`)
	t.pause(time.Second)
	t.keys("S")
	t.wait(`Review`)
	t.keys("Escape")
	t.toReview("faucet", "60")
	t.wait(`type the object id`)
}
