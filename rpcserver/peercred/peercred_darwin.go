// Package peercred finds out whose process is at the other end of a unix socket.
package peercred

import (
	"net"

	"golang.org/x/sys/unix"
)

// Known reports whether UID works on this system.
const Known = true

// UID returns the user id of the process at the other end of conn.
func UID(conn *net.UnixConn) (uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Xucred
	var failure error
	err = raw.Control(func(fd uintptr) { cred, failure = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED) })
	if err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, failure
	}
	return int(cred.Uid), nil
}
