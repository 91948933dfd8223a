package uitest

import (
	"os"
	"runtime"
)

// In a bubble little goes on at once, and handing it to a second processor takes a seventh of what the tests of the UI take: one
// is used unless GOMAXPROCS says otherwise, as make race and .ci/run do.
func init() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}
