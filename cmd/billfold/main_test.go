package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// asProgram is an environment variable that makes the test binary act as the program,
// for scripts and for tests with several processes.
const asProgram = "TEST_BINARY_IS_BILLFOLD"

// asShipped is the value of asProgram for a program whose keys are as hard to guess as a real wallet's. Any
// other value makes throw-away keys: a real one takes seconds to make and most of a second to open.
const asShipped = "as shipped"

// asSleeper is the value of asProgram for a process that relaxes its timers and prints its timer slack.
const asSleeper = "sleeper"

// quickExit saves every process of a test the second that the race detector waits at
// its end.
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
	if err := flag.Set("test.parallel", "8"); err != nil { // these tests mostly wait
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")) // ends half a second after hanging up
}

// The wallet and the sandbox are long-running, whatever their flags. Other commands, which end soon, are not re-executed.
func TestLongRunningCommands(t *testing.T) {
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
