//go:build !unix

package tui

import "time"

// terminalIsLight cannot ask here; dark is the default.
func terminalIsLight(time.Duration) bool { return false }
