package shell

import (
	"context"
	"errors"
	"strings"
	"testing"

	"billfold/walletcore/fault"
)

// The end of the context ends the wait for a line that never comes, and says what was done.
func TestWaitingForALineEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	given := 0
	never := make(chan struct{})
	defer close(never)
	lines := func() (string, int, error) {
		if given++; given == 2 {
			stop()
			<-never
		}
		return "", given, nil
	}
	err := (&Shell{}).RunAll(ctx, "payday.txt", lines, nil)
	stopped, is := errors.AsType[*StoppedError](err)
	if !is || fault.CodeOf(err) != fault.Canceled || !strings.HasPrefix(stopped.Error(), "payday.txt: interrupted\nnothing was done before it") {
		t.Error(err)
	}
}
