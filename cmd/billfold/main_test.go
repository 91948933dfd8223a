package main

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// asProgram in the environment makes the test binary be the program: tests with
// several processes, and scripts, start it so.
const asProgram = "TEST_BINARY_IS_BILLFOLD"

// quickExit spares every process of a test the second that the race detector
// waits at its end.
const quickExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	ownUmask()
	goleak.VerifyTestMain(m)
}
