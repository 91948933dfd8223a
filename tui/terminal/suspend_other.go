//go:build !unix

package terminal

import "os"

// notifyResumed does nothing: there is no job control here.
func notifyResumed(chan<- os.Signal) {}

// Suspend does nothing: there is no job control here.
func Suspend() (stopped bool) { return false }
