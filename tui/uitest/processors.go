package uitest

import (
	"os"
	"runtime"
)

// useOneProcessor has this process take one processor, unless GOMAXPROCS says otherwise, as in make race and .ci/run. In a bubble
// little goes on at once, and handing it to a second one takes a seventh of what the tests of the UI take.
func useOneProcessor() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}
