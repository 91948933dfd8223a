package linear_test

import (
	"regexp"
	"strings"
	"testing"

	"billfold/tui/uitest"
)

// An account is watched, another is registered after its phrase was proven, and a paper backup is compared with the
// keys.
func TestWatchRegisterAndBackUp(t *testing.T) {
	key := uitest.KeyOf(uitest.Alice.Name).WIF()
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		all := reads(func(output string) string {
			var words []string
			for _, l := range regexp.MustCompile(`Words \d+ to \d+: (.*)`).FindAllStringSubmatch(output, -1) {
				words = append(words, l[1])
			}
			return strings.Join(words, " ")
		})
		output, _ := runSession(w, nil, "keys", "watch nobody-here", `watch "nobody" here`, `watch "stop"`, "watch carol",
			"card 1", "card 9", "backup 2",
			"register alice", "register Alice", "register team-fund", "nobody-here", "again", "", "2", "angry river", "back", "1",
			"ready", "next", "wrong", word(3), "back", word(3), word(9), word(14), "", "sign",
			"keys", "backup 4", "not it", uitest.Password, "?", "", "angry river", all,
			"send team-fund 1 DCT", "?", `"?"`, "", "?", "sign", "keys",
			"change 4", "?", "back", "change 4", "", "", "new", "?", "sign", "backup 4", uitest.Password, "2", "?", "back", "1", all,
			"backup 1", uitest.Password, "2", "ready", "aaaaaa", key[len(key)-6:], "forget 3", "delete", "quit", "quit")
		for _, l := range regexp.MustCompile(`Words \d+ to \d+: (.*)`).FindAllStringSubmatch(output, -1) {
			if strings.Count(output, l[1]) != 1 {
				t.Errorf("%q was printed more than once", l[1])
			}
		}
		output = regexp.MustCompile(`(Words \d+ to \d+): .*`).ReplaceAllString(output, "$1: ...")
		output = regexp.MustCompile(`DCT\w{50}`).ReplaceAllString(output, "DCT...")
		output = regexp.MustCompile(`(?m)^(Word \d+) > .*`).ReplaceAllString(output, "$1 > ...")
		const event = "Event: this wallet now has the account team-fund 1.2.114.\n" // comes with the block, between two answers
		if strings.Count(output, event) != 1 {
			t.Errorf("the new account is reported %d times", strings.Count(output, event))
		}
		output = strings.Replace(output, event, "", 1)
		golden(t, "accounts", regexp.MustCompile(`(ransaction id:\s+)\w{40}`).ReplaceAllString(output, "$1..."))
	})
}

// An account becomes two-of-three by words: the effect is printed first, and what nobody could sign for is refused.
func TestChangeSigners(t *testing.T) {
	key := uitest.KeyOf(uitest.Alice.Name).Public().String()
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "keys", "change 9",
			"change 1", "", "", "", "stop", "change 1", "x", "", "new", "back", "", "same", "", "stop",
			"multisig 1", "3", "none", "2", key, "carol x", "carol 1", "bob-trade", "back", "", "",
			"nobody", "back", "stop", "multisig 1", "3", "4",
			key, "carol", "", "stop", "multisig 1", "3", "2", key, "carol 1", "bob-trade", "", "alice", "", "sign",
			"keys", "xray 1", "quit", "quit")
		fresh := regexp.MustCompile(`DCT\w{50}`)
		output = fresh.ReplaceAllStringFunc(output, func(text string) string {
			if text == key {
				return "DCT-of-alice"
			}
			return "DCT..."
		})
		golden(t, "signers", regexp.MustCompile(`(ransaction id:\s+)\w{40}`).ReplaceAllString(output, "$1..."))
	})
}
