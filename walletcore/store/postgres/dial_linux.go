package postgres

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// setAckTimeout has the system end a connection whose data is not acknowledged any more.
func setAckTimeout(network, _ string, raw syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	var failure error
	err := raw.Control(func(fd uintptr) {
		failure = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(ackTimeout.Milliseconds()))
	})
	if err != nil {
		return err
	}
	return failure
}
