//go:build !linux

package main

// runSleeper is asked for on Linux alone.
func runSleeper() int { return 1 }
