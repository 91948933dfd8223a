package daemonclient

import (
	"io"
	"net"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The system puts acknowledgements off again with each request that is sent.
func TestWhatIsReadIsAcknowledgedAtOnce(t *testing.T) {
	w, plain := openEcho(t)
	for i := range 20 {
		if _, err := w.Write([]byte("request")); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if !acknowledgesAtOnce(t, plain) {
			t.Fatalf("acknowledgements are put off after answer %d", i+1)
		}
	}
}

// openEcho connects to a server that sends back what it gets.
func openEcho(t *testing.T) (w *wire, plain net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if plain, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	echo, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(echo, echo) }()
	t.Cleanup(func() { _, _ = plain.Close(), echo.Close() })
	return newWire(plain), plain
}

func acknowledgesAtOnce(t *testing.T, conn net.Conn) bool {
	t.Helper()
	raw, err := conn.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var set int
	var failed error
	err = raw.Control(func(fd uintptr) { set, failed = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_QUICKACK) })
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	return set == 1
}
