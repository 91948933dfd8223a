package main

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// reloading is the message that a reload begins, with the time that systemd orders messages by.
func reloading() string {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return "RELOADING=1"
	}
	return "RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(now.Nano()/1000, 10)
}
