package walletcore_test

import (
	"context"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore/testwallet"
)

func TestWaitForTheFirstPassIsBounded(t *testing.T) {
	const longest = 5 * time.Second // of all waits together
	waited := func(ctx context.Context, s *testwallet.Wallet) time.Duration {
		begin := time.Now()
		s.View.Chain.AwaitSynced(ctx)
		return time.Since(begin)
	}
	inBubble(t, sandbox.Options{}, daemonclient.Config{}, func(s *testwallet.Wallet) {
		short, cancel := context.WithTimeout(s.Ctx, time.Second)
		defer cancel()
		if got := waited(short, s); got != time.Second {
			t.Errorf("it waited %v for a caller who had a second", got)
		}
		if got := waited(s.Ctx, s); got != longest-time.Second {
			t.Errorf("without an end it waited %v more", got)
		}
		if got := waited(s.Ctx, s); got != 0 {
			t.Errorf("the next one waited %v", got)
		}
	})
	inBubble(t, sandbox.Options{}, daemonclient.Config{}, func(s *testwallet.Wallet) {
		time.AfterFunc(2*time.Second, s.View.Chain.MarkSynced)
		if got := waited(s.Ctx, s); got != 2*time.Second {
			t.Errorf("it waited %v for an end after two seconds", got)
		}
		s.View.Chain.MarkSynced()
		if got := waited(s.Ctx, s); got != 0 {
			t.Errorf("it waited %v after the end", got)
		}
	})
}
