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

// After ctrl+z the prompt says that the wallet is locked and how to open it, so that nobody types a password at a
// visible prompt.
func TestResumeAtAPageSaysHowToUnlock(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, ctrlZ{}, uitest.Password, "unlock", uitest.Password, "quit")
		for what, n := range map[string]int{"The wallet is locked. unlock asks for the password, unseen.\nhome > ": 1,
			"A password is typed only when asked for": 1, "Unlocked.": 1, "Event: the wallet is locked": 0} {
			if got := strings.Count(output, what); got != n {
				t.Errorf("%q is printed %d times:\n%s", what, got, output)
			}
		}
	})
}

// After ctrl+z at a question, the password is asked for before the form goes on; the answers are kept.
func TestResumeAtAQuestionAsksForThePassword(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send", "carol", ctrlZ{}, "5", uitest.Password, "", ctrlZ{}, "sign", uitest.Password,
			"stop", "quit", "quit")
		if n := strings.Count(output, "The wallet is locked. Its password is asked for, unseen, when"); n != 2 {
			t.Errorf("it is printed %d times:\n%s", n, output)
		}
		if strings.Contains(output, "Event: the wallet is locked") || w.Paid() != 0 {
			t.Errorf("%d payments:\n%s", w.Paid(), output)
		}
	})
}

// After ctrl+z in the first run, nothing is reported as locked: there is no wallet yet.
func TestResumeInTheFirstRunReportsNoLock(t *testing.T) {
	uitest.Live(t, uitest.Scene{Unmade: true}, func(w *uitest.World) {
		output, _ := runSession(w, nil, ctrlZ{}, "quit")
		if strings.Contains(output, "locked") || !strings.Contains(output, "There is no wallet yet") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// The event of a request that arrives during a question says at which prompt its word works.
func TestRequestEventAtAQuestionSaysWhereToOpenIt(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		q := approval.New()
		request := act(func() {
			r := uitest.Review(uitest.Carol, 1)
			go q.Ask(w.Ctx, approval.Request{Who: "till", Via: "HTTP", Method: "transfer", Review: r})
			synctest.Wait()
		})
		withQueue := func(o *linear.Options) { o.Approvals = q }
		output, _ := runSession(w, withQueue, "send", request, "carol", "stop", request, "where", "quit", "quit")
		for _, what := range []string{"1.2.57; at a page", "1.2.57; approvals"} {
			if strings.Count(output, what) != 1 {
				t.Errorf("%q is not printed once:\n%s", what, output)
			}
		}
		time.Sleep(2 * approval.Patience) // nobody answers
	})
}
