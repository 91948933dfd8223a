//go:build !linux

package postgres

import "syscall"

// setAckTimeout does nothing where the system has no such timeout; keepalive has to do.
func setAckTimeout(string, string, syscall.RawConn) error {
	_ = ackTimeout
	return nil
}
