//go:build !unix

package terminal

import "time"

// IsLight returns false: the terminal cannot be asked here, and dark is the default.
func IsLight(time.Duration) bool { return false }
