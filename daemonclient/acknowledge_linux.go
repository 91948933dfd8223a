package daemonclient

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// acknowledger returns a function that makes the system acknowledge at once what has arrived on conn, and what arrives
// next. A daemon that writes an answer in two segments with Nagle's algorithm on sends the second only when the first
// is acknowledged, which the system delays by up to 40 ms in the hope of a request to send along. Each request makes
// the system delay again, so the function is called after every read.
func acknowledger(conn net.Conn) func() {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return func() {}
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return func() {}
	}
	// If the option is refused or the socket is closed, reading continues as before.
	set := func(fd uintptr) { _ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_QUICKACK, 1) }
	return func() { _ = raw.Control(set) }
}
