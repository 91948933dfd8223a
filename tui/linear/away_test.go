package linear_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui/linear"
	"billfold/tui/uitest"
	"billfold/walletcore/approval"
)

// Whoever comes back after ctrl+z reads that the wallet is locked and how it is opened: a password is not typed at a plain prompt.
func TestWhoComesBackIsToldHowToUnlock(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, ctrlZ{}, uitest.Password, "unlock", uitest.Password, "quit")
		for what, n := range map[string]int{"The wallet is locked. unlock asks for the password, unseen.\nhome > ": 1,
			"A password is typed only when asked for": 1, "Unlocked.": 1, "Event: the wallet is locked": 0} {
			if got := strings.Count(said, what); got != n {
				t.Errorf("%q is said %d times:\n%s", what, got, said)
			}
		}
	})
}

// In a question the password is asked for before anything goes on, and what was answered stays.
func TestWhoComesBackToAQuestionIsToldTheSame(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, "send", "carol", ctrlZ{}, "5", uitest.Password, "", ctrlZ{}, "sign", uitest.Password,
			"stop", "quit", "quit")
		if n := strings.Count(said, "The wallet is locked. Its password is asked for, unseen, when"); n != 2 {
			t.Errorf("it is said %d times:\n%s", n, said)
		}
		if strings.Contains(said, "Event: the wallet is locked") || w.Paid() != 0 {
			t.Errorf("%d payments:\n%s", w.Paid(), said)
		}
	})
}

// Where there is no wallet yet, nothing is locked.
func TestWhoComesBackToTheFirstRunHasNoLockedWallet(t *testing.T) {
	uitest.Live(t, uitest.Scene{Unmade: true}, func(w *uitest.World) {
		said, _ := hold(w, nil, ctrlZ{}, "quit")
		if strings.Contains(said, "locked") || !strings.Contains(said, "There is no wallet yet") {
			t.Errorf("it is said:\n%s", said)
		}
	})
}

// The event of a request that comes in a question says where its word is heard.
func TestARequestInAQuestionSaysWhereItIsOpened(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		q := approval.New()
		request := act(func() {
			r := uitest.Review(uitest.Carol, 1)
			go q.Ask(w.Ctx, approval.Request{Who: "till", Via: "HTTP", Method: "transfer", Review: r})
			synctest.Wait()
		})
		said, _ := hold(w, func(o *linear.Options) { o.Approvals = q }, "send", request, "carol", "stop", request, "where", "quit", "quit")
		for _, what := range []string{"till asks to spend, approvals opens, at a page:", "till asks to spend, approvals opens: "} {
			if strings.Count(said, what) != 1 {
				t.Errorf("%q is not said once:\n%s", what, said)
			}
		}
		time.Sleep(2 * approval.Patience) // nobody answers
	})
}
