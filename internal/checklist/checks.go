package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

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

// pageNames returns the names of the pages in the title bar, by key.
func pageNames() map[string]string {
	return map[string]string{"1": "Home", "2": "History", "3": "Send", "4": "Receive", "5": "Messages", "6": "Keys", "7": "Contacts",
		"8": "Sign", "9": "Assets", "0": "Console", "-": "RPC", "=": "Node", ",": "Settings"}
}

func pages(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 3 4 5 6 7 8 9 0 - = ,") {
		t.keys("Escape Escape Escape " + key)
		name := pageNames()[key]
		t.wait(` (KEYS|TYPE|MODAL) +` + name)
		if key >= "1" && key <= "9" {
			t.wait(regexp.QuoteMeta("[" + key + " " + name + "]"))
			t.want(strings.Count(strings.Split(t.screen(), "\n")[1], "[") == 1, "more than one page is marked")
		}
	}
}

func heavyFrames(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 4 5 6 7 8 9 - = ,") {
		t.keys("Escape Escape " + key)
		t.pause(300 * time.Millisecond)
		t.want(strings.Count(t.screen(), "┏") == 1, "%s has %d heavy frames", pageNames()[key], strings.Count(t.screen(), "┏"))
	}
	t.keys("Escape Escape 1")
	t.wait(`Home › Balances`)
	t.keys("Tab")
	t.wait(`Home › (Pending|Recent|Accounts)`)
	t.keys("BTab")
	t.wait(`Home › Balances`)
}

func helpPages(t *terminal) {
	t.sandbox()
	for _, key := range strings.Fields("1 2 4 6 =") {
		t.keys("Escape Escape " + key + " ?")
		t.wait(`Help · ` + pageNames()[key])
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

func leavesField(t *terminal) {
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
	t.wait(`S sign`) // keys without a meaning disable it for a moment
	t.click("S sign")
	t.pause(500 * time.Millisecond)
	t.wait(`Review`)
	t.keys("Escape Escape 1")
	t.wait(`No pending payments`)
}

func dropsEarlySign(t *terminal) {
	t.sandbox()
	t.toReview("carol", "5")
	t.keys("Escape")
	t.pause(escPause)
	// Opening and signing in one piece: keys within the pause after opening are dropped.
	_, err := t.kit.tmux("send-keys", "-t", t.name, "C-s", "S")
	t.want(err == nil, "%v", err)
	t.pause(time.Second)
	t.hides(`In a block|Irreversible`)
}

func paysOne(t *terminal) {
	t.sandbox()
	t.pay("carol", "5")
	t.shot("sent")
	t.waitLong(`✓ In a block`)
	t.shot("in-block")
	t.waitLong(`✓ Irreversible`)
	t.shot("irreversible")
}

// pay signs and waits until it was sent.
func (t *terminal) pay(to, amount string) {
	t.toReview(to, amount)
	t.pause(time.Second)
	t.keys("S")
	t.wait(`✓ Prepared`)
}

func paysAgain(t *terminal) {
	t.sandbox()
	t.pay("carol", "5")
	t.waitLong(`✓ In a block`)
	t.toReview("carol", "5")
	t.wait(`same payment was (sent|made)`)
	t.wait(`type the amount`)
}

func largePayments(t *terminal) {
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
