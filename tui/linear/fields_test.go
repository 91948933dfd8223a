package linear_test

import (
	"strings"
	"testing"

	"billfold/tui/uitest"
)

// What the fields of the pages refuse is refused here, and asked for again; what was answered before stays.
func TestTextsAreThoseThatFieldsTake(t *testing.T) {
	for _, bad := range []string{"tea\x1b[2J", "tea\xff", strings.Repeat("tea ", 600), "tea " + uitest.KeyOf(uitest.Carol.Name).WIF()} {
		uitest.Live(t, saved(), func(w *uitest.World) {
			said, _ := hold(w, nil, "send", "carol", "2", bad, "tea", "2", "stop", "messages", "write carol", bad, "stop", "stop",
				"contacts", "note 1 "+bad, "stop", "quit", "quit")
			if !strings.Contains(said, "2.00000000 DCT, 1.3.0") || strings.Count(said, "\nReview.") != 1 {
				t.Errorf("the payment was not asked for to its end, or a message was taken:\n%s", said)
			}
		})
	}
}

// Who cannot pay is said before anything else is asked, and who cannot be paid once that is known.
func TestWhatCannotBePaidIsSaidAtOnce(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		said, _ := hold(w, nil, "5", "carol", secret, secret, "send", "stop", "quit")
		if before, _, asked := strings.Cut(said, "To >"); !asked || !strings.Contains(before, "no key to pay from it") {
			t.Errorf("it was asked:\n%s", said)
		}
	})
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "send", "alice", "carol", "2", "", "stop", "quit")
		if !strings.Contains(said, "From and to are the same account.") || !strings.Contains(said, "Review.") {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// A name in capitals, a path with the home folder and a word between quotes are understood, or what to type is said.
func TestSlipsAreUnderstood(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "contacts", "add Carol", "keys", "watch Carol", "messages", "write Carol", "sign", "file ~/none.json",
			"receive", "import", "back", `"home"`, "history", "again 1", "stop", "again 2", "stop", "again 3", "stop", "quit")
		for what, n := range map[string]int{"write carol": 3, "Choose 1 to 4": 1, `no word "home"`: 1, "memo is not copied": 1} {
			if strings.Count(said, what) < n {
				t.Errorf("%q is not said %d times", what, n)
			}
		}
		if strings.Contains(said, "open ~") || t.Failed() {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}
