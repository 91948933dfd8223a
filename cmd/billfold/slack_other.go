//go:build !linux

package main

// relaxTimers does nothing, since only Linux has a timer slack.
func relaxTimers() {}
