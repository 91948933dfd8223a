//go:build !unix

package terminal

import "time"

// IsLight cannot ask here; dark is the default.
func IsLight(time.Duration) bool { return false }
