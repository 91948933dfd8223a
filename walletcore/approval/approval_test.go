package approval

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// ask asks in the background and gives the answer.
func ask(ctx context.Context, q *Queue, who string) <-chan Answer {
	out := make(chan Answer, 1)
	go func() { out <- q.Ask(ctx, Request{Who: who, Method: "transfer"}) }()
	return out
}

func TestAPersonAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		changed := q.Changed()
		yes, no := ask(t.Context(), q, "till"), ask(t.Context(), q, "shop")
		<-changed
		synctest.Wait()
		list := q.Waiting()
		if len(list) != 2 || list[0].Number != 1 || list[1].Number != 2 || list[0].Until.Sub(list[0].Asked) != Patience {
			t.Fatalf("%+v", list)
		}
		byName := map[string]int64{list[0].Who: list[0].Number, list[1].Who: list[1].Number}
		if err := errors.Join(q.Approve(byName["till"]), q.Deny(byName["shop"])); err != nil {
			t.Error(err)
		}
		if a, b := <-yes, <-no; a != Yes || b != No {
			t.Error(a, b)
		}
		if err := q.Approve(byName["shop"]); !errors.Is(err, ErrGone) {
			t.Error("a request was answered twice:", err)
		}
		if len(q.Waiting()) != 0 {
			t.Error("what was answered waits")
		}
	})
}

func TestSilenceMeansNo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		silent := ask(t.Context(), q, "till")
		time.Sleep(Patience)
		if a := <-silent; a != Silence {
			t.Error(a)
		}
		if err := q.Approve(1); !errors.Is(err, ErrGone) {
			t.Error("a late yes counted:", err)
		}
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if a := <-ask(short, q, "till"); a != Silence || time.Since(start) != 30*time.Second-timeToSign {
			t.Error(a, time.Since(start))
		}
	})
}

func TestAProgramThatLeavesTakesItsRequestAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		ctx, cancel := context.WithCancel(t.Context())
		gone := ask(ctx, q, "till")
		synctest.Wait()
		cancel()
		if a := <-gone; a != Left || len(q.Waiting()) != 0 {
			t.Error(a, q.Waiting())
		}
	})
}

// A program that may not ask any more gets no yes, and does not wait for one.
func TestAProgramThatIsUnwelcomeGetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		var revoked atomic.Bool
		still := func() error {
			if revoked.Load() {
				return errors.New("revoked")
			}
			return nil
		}
		ask := func() <-chan Answer {
			out := make(chan Answer, 1)
			go func() { out <- q.Ask(t.Context(), Request{Who: "till", Still: still}) }()
			synctest.Wait()
			return out
		}
		late := ask()
		time.Sleep(recheckEvery / 2)
		revoked.Store(true)
		if err := q.Approve(1); !errors.Is(err, ErrUnwelcome) {
			t.Error("approved:", err)
		}
		if a := <-late; a != Unwelcome {
			t.Error(a)
		}
		revoked.Store(false)
		begun, alone := time.Now(), ask()
		time.Sleep(3 * recheckEvery)
		revoked.Store(true)
		if a := <-alone; a != Unwelcome || time.Since(begun) > 4*recheckEvery || len(q.Waiting()) != 0 {
			t.Error(a, time.Since(begun), q.Waiting())
		}
	})
}

// Whoever comes first decides, and all agree on who that was.
func TestOneAnswerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 200 {
			q := New()
			ctx, cancel := context.WithCancel(t.Context())
			asked := ask(ctx, q, "till")
			synctest.Wait()
			var group sync.WaitGroup
			var approved, denied error
			group.Go(func() { approved = q.Approve(1) })
			group.Go(func() { denied = q.Deny(1) })
			group.Go(cancel)
			group.Wait()
			a := <-asked
			if (a == Yes) != (approved == nil) || (a == No) != (denied == nil) || a != Yes && a != No && a != Left {
				t.Fatal(a, approved, denied)
			}
		}
	})
}

func TestOneProgramCannotTakeAllTheRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		for range mostPerCaller {
			ask(t.Context(), q, "greedy")
		}
		synctest.Wait()
		if a := q.Ask(t.Context(), Request{Who: "greedy"}); a != TooMany {
			t.Error(a)
		}
		for i := range mostWaiting - mostPerCaller {
			ask(t.Context(), q, string(rune('a'+i)))
		}
		synctest.Wait()
		if a := q.Ask(t.Context(), Request{Who: "late"}); a != TooMany {
			t.Error(a)
		}
		q.Close()
		if a := q.Ask(t.Context(), Request{Who: "late"}); a != Unattended || len(q.Waiting()) != 0 {
			t.Error(a)
		}
	})
}
