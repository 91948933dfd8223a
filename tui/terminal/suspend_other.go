//go:build !unix

package terminal

import "os"

// notifyBack has nothing to hear of here.
func notifyBack(chan<- os.Signal) {}

// Suspend does nothing: there are no jobs.
func Suspend() (stopped bool) { return false }
