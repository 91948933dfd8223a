package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"billfold/rpcserver"
)

// passedSockets are listeners that whoever started this process opened for it: socket activation, as systemd has it (sd_listen_fds(3)).
// Clients that connect before the server is there, or while it is started anew, wait instead of being refused.
type passedSockets map[rpcserver.ListenerKind]net.Listener

const firstPassed = 3 // the number of the first descriptor that is passed

// socketSettings are the settings that passed sockets stand for, which are also the names of their descriptors (FileDescriptorName=), and
// what those are without a value.
func socketSettings() map[rpcserver.ListenerKind]struct{ name, assumed string } {
	return map[rpcserver.ListenerKind]struct{ name, assumed string }{
		rpcserver.ListenHTTP: {"rpc-http", defaultHTTP}, rpcserver.ListenWebsocket: {"rpc-ws", defaultWS}, rpcserver.ListenSocket: {"rpc-socket", defaultSocket},
	}
}

// takePassedSockets returns the sockets that were passed to this process, and hides them from programs that this one starts. It must be called
// only once.
func takePassedSockets() (passedSockets, error) {
	pid, count, names := os.Getenv("LISTEN_PID"), os.Getenv("LISTEN_FDS"), strings.Split(os.Getenv("LISTEN_FDNAMES"), ":")
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"} {
		if err := os.Unsetenv(name); err != nil {
			return nil, err
		}
	}
	n, err := strconv.Atoi(count)
	if err != nil || n <= 0 || pid != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	passed := passedSockets{}
	for i := range n {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		if err := passed.add(firstPassed+uintptr(i), name); err != nil {
			passed.close()
			return nil, err
		}
	}
	return passed, nil
}

// add takes one descriptor.
func (p passedSockets) add(fd uintptr, name string) error {
	file := os.NewFile(fd, name)
	defer file.Close() // the listener has a descriptor of its own
	l, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("the socket that was passed as descriptor %d is none that listens for connections; write ListenStream= for it in its unit", fd)
	}
	for kind, s := range socketSettings() {
		_, isLocal := l.(*net.UnixListener)
		if name != s.name && !(isLocal && kind == rpcserver.ListenSocket) || isLocal != (kind == rpcserver.ListenSocket) {
			continue
		}
		if p[kind] != nil {
			return errors.Join(fmt.Errorf("two sockets were passed as %s; pass one", s.name), l.Close())
		}
		p[kind] = l
		return nil
	}
	return errors.Join(fmt.Errorf("the socket %s was passed under the name %q, which says not what it is for; write FileDescriptorName=rpc-http or =rpc-ws in its unit",
		l.Addr(), name), l.Close())
}

func (p passedSockets) close() {
	for _, l := range p {
		_ = l.Close()
	}
}

// adopt makes the addresses of passed sockets those of the listeners, unless something else sets them.
func (s *settings) adopt(passed passedSockets) {
	s.passed = passed
	for kind, l := range passed {
		s.values.Assume(socketSettings()[kind].name, l.Addr().String())
	}
}

// checkPassed refuses a listener at another address than that of the socket that was passed for it.
func (s *settings) checkPassed() error {
	for kind, l := range s.passed {
		at := map[rpcserver.ListenerKind]*string{rpcserver.ListenHTTP: &s.rpcHTTP, rpcserver.ListenWebsocket: &s.rpcWS, rpcserver.ListenSocket: &s.rpcSocket}[kind]
		one, addr := socketSettings()[kind], l.Addr().String()
		if *at == one.assumed {
			*at = addr
		}
		if *at != addr {
			return fmt.Errorf("--%s is %q, and the socket that was passed for it is at %s; leave the setting out, or change the unit of the socket",
				one.name, *at, addr)
		}
	}
	return nil
}
