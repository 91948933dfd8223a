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

// What is wrong with an amount is told as it is, with what to type instead: too much is no matter of digits, and a fee is named only where it is
// what is missing.
func TestAnAmountIsRefusedWithWhatToTypeInstead(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		for amount, want := range map[string][2]string{
			"99999":          {"More than you have: 12600.50410000 DCT.", "type a smaller amount, max for all that can be sent, or back."},
			"12600.5041":     {"More than you have, with the fee: 12600.50410000 DCT, fee 0.00100000 DCT.", "type a smaller amount, max for all that can be sent, or back."},
			"251 USDX":       {"More than you have: 250.00 USDX.", "type a smaller amount, max for all that can be sent, or back."},
			"5 NONESUCH":     {"You hold no NONESUCH.", "type an amount of an asset that you hold, with its symbol, or back."},
			"1.2.3":          {"", "type the amount in digits, or back."},
			"0":              {"An amount above zero is needed.", "type the amount in digits, or back."},
			"0.000000000001": {"", "type the amount in digits, or back."},
		} {
			output, _ := runSession(w, nil, "send", "carol", amount, "stop", "quit")
			said := strings.Join(strings.Fields(output), " ")
			if !strings.Contains(said, "Error: "+want[0]) || !strings.Contains(said, "Next: "+want[1]) {
				t.Errorf("%s is refused without %q:\n%s", amount, want, output[strings.Index(output, "To: "):])
			}
		}
	})
}
