//go:build !unix

package terminal

// Suspend does nothing: there are no jobs.
func Suspend() (stopped bool) { return false }
