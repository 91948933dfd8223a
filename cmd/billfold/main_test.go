package main

import (
	"flag"
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
	if err := flag.Set("test.parallel", "8"); err != nil { // most of what these tests take is waiting
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")) // half a second after hanging up
}
