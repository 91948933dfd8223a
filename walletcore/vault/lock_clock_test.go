package vault

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"

	"pgregory.net/rapid"
)

// openAfter reports whether the wallet is still open after d; timers of that moment have run.
func openAfter(v *Vault, d time.Duration) bool {
	time.Sleep(d)
	synctest.Wait()
	return !v.IsLocked()
}

func TestIdleWalletLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := alone(t)
		if !openAfter(v, 48*time.Hour) || !v.LocksAt().IsZero() {
			t.Fatal("without a time it must stay open")
		}
		v.SetLockAfter(10 * time.Minute)
		if at := v.LocksAt(); !at.Equal(time.Now().Add(10 * time.Minute)) {
			t.Fatal("it locks at", at)
		}
		for range 5 {
			if !openAfter(v, 9*time.Minute) {
				t.Fatal("locked although it is used")
			}
			v.Touch()
		}
		events, stop := v.Events.Subscribe()
		defer stop()
		if !openAfter(v, 10*time.Minute-time.Nanosecond) || openAfter(v, time.Nanosecond) {
			t.Fatal("it must lock after exactly ten minutes")
		}
		if e := <-events; e.Kind != event.Lock || !v.LocksAt().IsZero() {
			t.Fatal("nothing was told:", e)
		}
		v.Touch()
		must(t, v.Unlock(t.Context(), password))
		if !openAfter(v, 9*time.Minute) || openAfter(v, time.Minute) {
			t.Fatal("after unlocking the time begins anew")
		}
	})
}

func TestUnlockForEndsWhateverHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := alone(t)
		v.SetLockAfter(time.Minute)
		must(t, v.UnlockFor(t.Context(), password, time.Hour))
		if !openAfter(v, 30*time.Minute) {
			t.Fatal("the idle time must not count")
		}
		v.Touch()
		v.SetLockAfter(0)
		if !openAfter(v, 30*time.Minute-time.Nanosecond) || openAfter(v, time.Nanosecond) {
			t.Fatal("it must lock after an hour")
		}
		must(t, v.UnlockFor(t.Context(), password, time.Hour))
		faulttest.Refused(t, v.UnlockFor(t.Context(), "wrong", 100*time.Hour), fault.WrongPassword)
		must(t, v.UnlockFor(t.Context(), password, 2*time.Second))
		if openAfter(v, 2*time.Second) {
			t.Fatal("the latest right password decides")
		}
		must(t, v.UnlockFor(t.Context(), password, 2*time.Second))
		must(t, v.Unlock(t.Context(), password))
		if !openAfter(v, time.Hour) {
			t.Fatal("Unlock replaces the end")
		}
	})
}

func TestLockEndsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := alone(t)
		must(t, v.UnlockFor(t.Context(), password, time.Minute))
		v.Lock()
		time.Sleep(50 * time.Second)
		must(t, v.UnlockFor(t.Context(), password, time.Minute))
		if !openAfter(v, 59*time.Second) || openAfter(v, time.Second) {
			t.Fatal("an end from before the lock still holds")
		}
	})
}

// stepOn does one thing with a time to a wallet.
type stepOn struct {
	Kind int
	Time int64
}

func (s stepOn) do(v *Vault) (err error) {
	d := time.Duration(s.Time)
	switch s.Kind {
	case 0:
		v.SetLockAfter(d)
	case 1:
		v.Touch()
	case 2:
		time.Sleep(clampOpen(d))
	case 3:
		err = v.UnlockFor(context.Background(), password, d)
	case 4:
		if open, refused := OpenSeconds(uint32(s.Time)); refused == nil {
			err = v.UnlockFor(context.Background(), password, open)
		}
	}
	return err
}

// Whatever numbers are given, in whatever order: a wallet with a time set never
// stays open beyond it.
func TestNoNumberLeavesTheWalletOpen(t *testing.T) {
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) stepOn {
		return stepOn{rapid.IntRange(0, 4).Draw(t, "kind"), rapid.OneOf(
			rapid.Int64(), rapid.Int64Range(-10, int64(40*24*time.Hour)),
			rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, math.MaxInt64, math.MaxInt64 - 1, int64(maxOpen), int64(maxOpen) + 1}),
		).Draw(t, "time")}
	}), 1, 8)
	rapid.Check(t, func(r *rapid.T) {
		todo := append(steps.Draw(r, "steps"), stepOn{3, rapid.Int64().Draw(r, "last")})
		synctest.Test(t, func(t *testing.T) {
			v := alone(t)
			for _, step := range todo {
				must(t, step.do(v))
				synctest.Wait()
				at, now := v.LocksAt(), time.Now()
				if !at.IsZero() && (at.Before(now) || at.After(now.Add(maxOpen))) {
					t.Errorf("after %v: it is %v and the wallet locks at %v", todo, now, at)
				}
			}
			if openAfter(v, maxOpen) {
				t.Errorf("after %v it is still open", todo)
			}
		})
		if t.Failed() {
			r.Fatal("see above")
		}
	})
}

func TestOpenSeconds(t *testing.T) {
	for n, want := range map[uint32]time.Duration{0: leastOpen, 1: time.Second, 3600: time.Hour, 604800: maxOpen} {
		if got, err := OpenSeconds(n); got != want || err != nil {
			t.Errorf("%d seconds became %v, %v", n, got, err)
		}
	}
	for _, n := range []uint32{604801, math.MaxUint32} {
		if got, err := OpenSeconds(n); fault.CodeOf(err) != fault.BadParameter {
			t.Errorf("%d seconds became %v, %v", n, got, err)
		}
	}
}

// A machine that slept has a wall clock far ahead of its monotonic one; one
// whose clock was set back the reverse.
func TestDeadlinePassesOnEitherClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Now()
		d := deadline{start.Add(time.Duration(rapid.Int64Range(1, int64(maxOpen)).Draw(t, "open")))}
		wall := start.Round(0).Add(time.Duration(rapid.Int64Range(-1e17, 1e17).Draw(t, "wall")))
		if got, want := d.passed(wall), !wall.Before(d.at.Round(0)); got != want {
			t.Fatalf("by the wall clock it passed: %v", got)
		}
		ran := start.Add(time.Duration(rapid.Int64Range(0, 2*int64(maxOpen)).Draw(t, "ran")))
		if got, want := d.passed(ran), !ran.Before(d.at); got != want {
			t.Fatalf("by the monotonic clock it passed: %v", got)
		}
	})
	if (deadline{}).passed(time.Now()) {
		t.Fatal("no deadline has passed")
	}
}

// The timer of a machine that was held up is no excuse to sign.
func TestOverdueWalletGivesNoKeys(t *testing.T) {
	v := alone(t)
	v.SetLockAfter(time.Hour)
	idle := &v.idle
	idle.mu.Lock()
	idle.until = deadline{time.Now().Add(-time.Second)}
	idle.mu.Unlock()
	_, err := v.DumpPrivateKeys()
	faulttest.Refused(t, err, fault.Locked)
	if !v.IsLocked() {
		t.Fatal("it refused but is open")
	}
}

func TestGuessingIsHeldBackAlsoWhileOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := alone(t)
		must(t, v.Unlock(t.Context(), password))
		for range 3 {
			faulttest.Refused(t, v.Unlock(t.Context(), "wrong"), fault.WrongPassword)
		}
		for _, guess := range []string{"wrong", password} {
			err := v.Unlock(t.Context(), guess)
			if faulttest.Refused(t, err, fault.TooManyTries); fault.RetryIn(err) != 2*time.Second {
				t.Fatal("it asks to wait", fault.RetryIn(err))
			}
		}
		if got := v.Status().RetryIn; got != 2*time.Second {
			t.Fatal("the status says", got)
		}
		time.Sleep(2 * time.Second)
		must(t, v.Unlock(t.Context(), password))
		if v.IsLocked() || fault.RetryIn(v.Unlock(t.Context(), "wrong")) != 0 || v.Status().RetryIn != 0 {
			t.Fatal("the right password did not end the waiting")
		}
	})
}
