//go:build !linux

package main

// reloading is the message that a reload begins.
func reloading() string { return "RELOADING=1" }
