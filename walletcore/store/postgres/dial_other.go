//go:build !linux

package postgres

import "syscall"

// setAckTimeout is what keepalive does where the system cannot be told how long to wait for a confirmation.
func setAckTimeout(string, string, syscall.RawConn) error {
	_ = ackTimeout
	return nil
}
