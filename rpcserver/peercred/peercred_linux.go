// Package peercred asks the system whose process is at the other end of a unix socket.
package peercred

import (
	"net"

	"golang.org/x/sys/unix"
)

// Known says that UID works here.
const Known = true

// UID asks the system whose process is at the other end.
func UID(conn *net.UnixConn) (uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var failure error
	err = raw.Control(func(fd uintptr) {
		cred, failure = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, failure
	}
	return int(cred.Uid), nil
}
