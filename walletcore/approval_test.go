package walletcore_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"billfold/walletcore/approval"
)

// The limits that programs and people may rely on, besides approval.Patience.
const (
	requestRoom       = 32              // requests that may wait
	requestRoomForOne = 8               // those of one program
	timeToSign        = 5 * time.Second // what a late approval leaves of a call's deadline
	approvalGlance    = time.Second     // how often the queue checks whether a waiting program may still ask
)

// askApproval asks in the background; the answer comes on the channel.
func askApproval(ctx context.Context, q *approval.Queue, who string) <-chan approval.Answer {
	out := make(chan approval.Answer, 1)
	go func() { out <- q.Ask(ctx, approval.Request{Who: who, Method: "transfer"}) }()
	return out
}

func TestPersonAnswersRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := approval.New()
		changed := q.Changed()
		yes, no := askApproval(t.Context(), q, "till"), askApproval(t.Context(), q, "shop")
		<-changed
		synctest.Wait()
		list := q.Waiting()
		if len(list) != 2 || list[0].Number != 1 || list[1].Number != 2 || list[0].Until.Sub(list[0].Asked) != approval.Patience {
			t.Fatalf("%+v", list)
		}
		byName := map[string]int64{list[0].Who: list[0].Number, list[1].Who: list[1].Number}
		if err := errors.Join(q.Approve(byName["till"]), q.Deny(byName["shop"])); err != nil {
			t.Error(err)
		}
		if a, b := <-yes, <-no; a != approval.Yes || b != approval.No {
			t.Error(a, b)
		}
		if err := q.Approve(byName["shop"]); !errors.Is(err, approval.ErrGone) {
			t.Error("a request was answered twice:", err)
		}
		if len(q.Waiting()) != 0 {
			t.Error("what was answered waits")
		}
	})
}

// What a person typed waits for that person, however long; only the end of the run takes it back.
func TestATypedRequestIsNotDeniedBySilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := approval.New()
		ctx, end := context.WithTimeout(t.Context(), time.Hour)
		answer := make(chan approval.Answer, 1)
		go func() { answer <- q.Ask(ctx, approval.Request{Who: "you", Via: approval.Console}) }()
		time.Sleep(20 * approval.Patience)
		if r := q.Waiting(); len(r) != 1 || !r[0].Until.IsZero() || !r[0].Waits(time.Now()) {
			t.Fatalf("%+v", r)
		}
		if err := q.Approve(1); err != nil || <-answer != approval.Yes {
			t.Error(err)
		}
		go func() { answer <- q.Ask(ctx, approval.Request{Who: "you", Via: approval.Console}) }()
		synctest.Wait()
		if end(); <-answer != approval.Left {
			t.Error("a request outlives its run")
		}
	})
}

func TestSilenceMeansDenial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := approval.New()
		silent := askApproval(t.Context(), q, "till")
		time.Sleep(approval.Patience)
		if a := <-silent; a != approval.Silence {
			t.Error(a)
		}
		if err := q.Approve(1); !errors.Is(err, approval.ErrGone) {
			t.Error("a late yes counted:", err)
		}
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if a := <-askApproval(short, q, "till"); a != approval.Silence || time.Since(start) != 30*time.Second-timeToSign {
			t.Error(a, time.Since(start))
		}
	})
}

func TestRequestOfDisconnectedProgramIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := approval.New()
		ctx, cancel := context.WithCancel(t.Context())
		gone := askApproval(ctx, q, "till")
		synctest.Wait()
		cancel()
		if a := <-gone; a != approval.Left || len(q.Waiting()) != 0 {
			t.Error(a, q.Waiting())
		}
	})
}

// A program that may no longer ask gets no approval, and does not wait for one.
func TestRevokedProgramGetsNoApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := approval.New()
		var revoked atomic.Bool
		still := func() error {
			if revoked.Load() {
				return errors.New("revoked")
			}
			return nil
		}
		ask := func() <-chan approval.Answer {
			out := make(chan approval.Answer, 1)
			go func() { out <- q.Ask(t.Context(), approval.Request{Who: "till", Still: still}) }()
			synctest.Wait()
			return out
		}
		late := ask()
		time.Sleep(approvalGlance / 2)
		revoked.Store(true)
		if err := q.Approve(1); !errors.Is(err, approval.ErrUnwelcome) {
			t.Error("approved:", err)
		}
		if a := <-late; a != approval.Unwelcome {
			t.Error(a)
		}
		revoked.Store(false)
		begun, alone := time.Now(), ask()
		time.Sleep(3 * approvalGlance)
		revoked.Store(true)
		if a := <-alone; a != approval.Unwelcome || time.Since(begun) > 4*approvalGlance || len(q.Waiting()) != 0 {
			t.Error(a, time.Since(begun), q.Waiting())
		}
	})
}

// The first answer decides, and every caller sees the same decision.
func TestFirstAnswerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 200 {
			q := approval.New()
			ctx, cancel := context.WithCancel(t.Context())
			asked := askApproval(ctx, q, "till")
			synctest.Wait()
			var group sync.WaitGroup
			var approved, denied error
			group.Go(func() { approved = q.Approve(1) })
			group.Go(func() { denied = q.Deny(1) })
			group.Go(cancel)
			group.Wait()
			a := <-asked
			if (a == approval.Yes) != (approved == nil) || (a == approval.No) != (denied == nil) ||
				a != approval.Yes && a != approval.No && a != approval.Left {
				t.Fatal(a, approved, denied)
			}
		}
	})
}

func TestOneProgramCannotFillTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := approval.New()
		for range requestRoomForOne {
			askApproval(t.Context(), q, "greedy")
		}
		synctest.Wait()
		if a := q.Ask(t.Context(), approval.Request{Who: "greedy"}); a != approval.TooMany {
			t.Error(a)
		}
		for i := range requestRoom - requestRoomForOne {
			askApproval(t.Context(), q, string(rune('a'+i)))
		}
		synctest.Wait()
		if a := q.Ask(t.Context(), approval.Request{Who: "late"}); a != approval.TooMany {
			t.Error(a)
		}
		q.Close()
		if a := q.Ask(t.Context(), approval.Request{Who: "late"}); a != approval.Unattended || len(q.Waiting()) != 0 {
			t.Error(a)
		}
	})
}
