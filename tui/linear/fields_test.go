package linear_test

import (
	"strings"
	"testing"

	"billfold/tui/uitest"
)

// Text that the fields of the pages refuse is refused here too and asked for again; earlier answers are kept.
func TestTextIsCheckedLikeThePagesDo(t *testing.T) {
	for _, bad := range []string{"tea\x1b[2J", "tea\xff", strings.Repeat("tea ", 600), "tea " + uitest.KeyOf(uitest.Carol.Name).WIF()} {
		uitest.Live(t, saved(), func(w *uitest.World) {
			output, _ := runSession(w, nil, "send", "carol", "2", bad, "tea", "2", "stop", "messages", "write carol", bad, "stop", "stop",
				"contacts", "note 1 "+bad, "stop", "quit", "quit")
			if !strings.Contains(output, "2.00000000 DCT, 1.3.0") || strings.Count(output, "\nReview.") != 1 {
				t.Errorf("the payment form did not reach its review, or a message was accepted:\n%s", output)
			}
		})
	}
}

// A payer that cannot pay is refused before the first question, a recipient that cannot be paid as soon as it is
// known.
func TestImpossiblePaymentIsRefusedAtOnce(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "5", "carol", secret, secret, "send", "stop", "quit")
		if before, _, asked := strings.Cut(output, "To >"); !asked || !strings.Contains(before, "no key to pay from it") {
			t.Errorf("the recipient was asked for:\n%s", output)
		}
	})
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send", "alice", "carol", "2", "", "stop", "quit")
		if !strings.Contains(output, "From and to are the same account.") || !strings.Contains(output, "Review.") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// A name in capitals, a path with ~ and a quoted word are accepted, or the error says what to type.
func TestSmallTypingErrorsAreForgiven(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "contacts", "add Carol", "keys", "watch Carol", "messages", "write Carol", "sign",
			"file ~/none.json", "receive", "import", "back", `"home"`, "history", "again 1", "stop", "again 2", "stop",
			"again 3", "stop", "quit")
		for what, n := range map[string]int{"write carol": 3, "Choose 1 to 4": 1, `no word "home"`: 1, "memo is not copied": 1} {
			if strings.Count(output, what) < n {
				t.Errorf("%q is not printed %d times", what, n)
			}
		}
		if strings.Contains(output, "open ~") || t.Failed() {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}
