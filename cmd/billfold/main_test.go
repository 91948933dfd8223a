package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// asProgram in the environment makes the test binary be the program: tests with
// several processes, and scripts, start it so.
const asProgram = "TEST_BINARY_IS_BILLFOLD"

// asShipped is what asProgram is for a program whose keys are as hard to guess as a real wallet's. Any
// other makes throw-away keys: a real one takes seconds to make and most of one to open.
const asShipped = "as shipped"

// asSleeper is what asProgram is for a process that relaxes its timers and prints what it has then.
const asSleeper = "sleeper"

// quickExit spares every process of a test the second that the race detector
// waits at its end.
const quickExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "":
	case asShipped:
		main()
	case asSigner:
		os.Exit(runSigner())
	case asSleeper:
		os.Exit(runSleeper())
	default:
		os.Exit(run(throwAwayKeystore()))
	}
	ownUmask()
	if err := flag.Set("test.parallel", "8"); err != nil { // most of what these tests take is waiting
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")) // half a second after hanging up
}

// The wallet and the ledger run on, whatever flags they have; other commands, which end soon, are not started twice.
func TestWhatRunsOn(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{
		"": true, "--rpc-http --data-dir x": true, "--sandbox --tui": true, "sandbox --listen 127.0.0.1:0": true, "--linear": true,
		"call info": false, "version": false, "explain sandbox": false,
	} {
		if got := isLongRunning(rootCommand(nil), strings.Fields(words)); got != want {
			t.Errorf("%q runs on: %v", words, got)
		}
	}
}
