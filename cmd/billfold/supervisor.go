package main

import (
	"context"
	"errors"
	"net"
	"os"
	"strconv"
	"time"

	"billfold/ledger/printable"
)

// supervisor is the program that started this process and is told how it is: systemd, or another that listens at NOTIFY_SOCKET
// (sd_notify(3)). A nil supervisor is nobody.
type supervisor struct {
	conn     net.Conn
	watchdog time.Duration // how often it wants a sign of life; 0 = never
}

// newSupervisor connects to the supervisor that the environment names, nil if there is none, and hides it from programs that this
// one starts.
func newSupervisor() (*supervisor, error) {
	path := os.Getenv("NOTIFY_SOCKET")
	usec, pid := os.Getenv("WATCHDOG_USEC"), os.Getenv("WATCHDOG_PID")
	for _, name := range []string{"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} {
		if err := os.Unsetenv(name); err != nil {
			return nil, err
		}
	}
	if path == "" {
		return nil, nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return nil, errors.New("NOTIFY_SOCKET names a socket that takes nothing, so nobody learns how this server is; start it as a service, or unset that")
	}
	s := &supervisor{conn: conn}
	if every, err := strconv.ParseInt(usec, 10, 64); err == nil && every > 0 && (pid == "" || pid == strconv.Itoa(os.Getpid())) {
		s.watchdog = time.Duration(every) * time.Microsecond
	}
	return s, nil
}

// tell sends one message of NAME=VALUE lines. A supervisor that does not take it is not waited for.
func (s *supervisor) tell(lines string) {
	if s == nil {
		return
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = s.conn.Write([]byte(lines))
}

func (s *supervisor) close() {
	if s != nil {
		_ = s.conn.Close()
	}
}

// How often the state is looked at: each look may write to the disk, to see whether that is possible.
const (
	statusEvery = 2 * time.Second  // for a supervisor's status text
	unseenEvery = 10 * time.Second // for the log alone
)

// follow asks for the state from time to time until ctx ends, and sends it as status text whenever it changes, and a sign of life as often as
// the supervisor wants. alive returns once the wallet answers; as long as it does not, no sign of life is given.
func (s *supervisor) follow(ctx context.Context, state func() string, alive func()) {
	every := unseenEvery
	if s != nil {
		every = statusEvery
		if s.watchdog > 0 {
			every = min(every, s.watchdog/3)
		}
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := ""; ; {
		if s != nil && s.watchdog > 0 {
			alive()
			s.tell("WATCHDOG=1")
		}
		if now := printable.Text(state()); now != last {
			s.tell("STATUS=" + now)
			last = now
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
