package linear_test

import (
	"regexp"
	"strings"
	"testing"

	"billfold/tui/uitest"
)

// An account is watched, another one is registered with words that are proven first, and what is on paper is compared with
// its keys.
func TestAccountsByWords(t *testing.T) {
	key := uitest.KeyOf(uitest.Alice.Name).WIF()
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		all := reads(func(said string) string {
			var words []string
			for _, l := range regexp.MustCompile(`Words \d+ to \d+: (.*)`).FindAllStringSubmatch(said, -1) {
				words = append(words, l[1])
			}
			return strings.Join(words, " ")
		})
		said, _ := hold(w, nil, "keys", "watch nobody-here", `watch "nobody" here`, `watch "stop"`, "watch carol",
			"card 1", "card 9", "backup 2",
			"register alice", "register Alice", "register team-fund", "nobody-here", "again", "", "2", "angry river", "back", "1",
			"ready", "next", "wrong", word(3), "back", word(3), word(9), word(14), "", "sign",
			"keys", "backup 4", "not it", uitest.Password, "?", "", "angry river", all,
			"send team-fund 1 DCT", "?", `"?"`, "", "?", "sign", "keys",
			"change 4", "?", "back", "change 4", "", "", "new", "?", "sign", "backup 4", uitest.Password, "2", "?", "back", "1", all,
			"backup 1", uitest.Password, "2", "ready", "aaaaaa", key[len(key)-6:], "forget 3", "delete", "quit", "quit")
		for _, l := range regexp.MustCompile(`Words \d+ to \d+: (.*)`).FindAllStringSubmatch(said, -1) {
			if strings.Count(said, l[1]) != 1 {
				t.Errorf("%q was said more than once", l[1])
			}
		}
		said = regexp.MustCompile(`(Words \d+ to \d+): .*`).ReplaceAllString(said, "$1: ...")
		said = regexp.MustCompile(`DCT\w{50}`).ReplaceAllString(said, "DCT...")
		said = regexp.MustCompile(`(?m)^(Word \d+) > .*`).ReplaceAllString(said, "$1 > ...")
		const news = "Event: this wallet has the account team-fund 1.2.114 now.\n" // comes with the block, between two answers
		if strings.Count(said, news) != 1 {
			t.Errorf("the new account is told of %d times", strings.Count(said, news))
		}
		said = strings.Replace(said, news, "", 1)
		golden(t, "accounts", regexp.MustCompile(`(ransaction id:\s+)\w{40}`).ReplaceAllString(said, "$1..."))
	})
}

// Two of three shall sign, by words: what it comes to is said before, and what nobody could sign for is refused.
func TestSignersByWords(t *testing.T) {
	key := uitest.KeyOf(uitest.Alice.Name).Public().String()
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "keys", "change 9",
			"change 1", "", "", "", "stop", "change 1", "x", "", "new", "back", "", "same", "", "stop",
			"multisig 1", "3", "none", "2", key, "carol x", "carol 1", "bob-trade", "back", "", "",
			"nobody", "back", "stop", "multisig 1", "3", "4",
			key, "carol", "", "stop", "multisig 1", "3", "2", key, "carol 1", "bob-trade", "", "alice", "", "sign",
			"keys", "xray 1", "quit", "quit")
		fresh := regexp.MustCompile(`DCT\w{50}`)
		said = fresh.ReplaceAllStringFunc(said, func(text string) string {
			if text == key {
				return "DCT-of-alice"
			}
			return "DCT..."
		})
		golden(t, "signers", regexp.MustCompile(`(ransaction id:\s+)\w{40}`).ReplaceAllString(said, "$1..."))
	})
}
