package uitest

import (
	"os"
	"runtime"
)

// useOneProcessor makes this process use one processor, unless GOMAXPROCS is set, as in make race and .ci/run. In a bubble little runs
// at the same time, and handing it over to a second processor takes a seventh of the time of the UI's tests.
func useOneProcessor() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}
