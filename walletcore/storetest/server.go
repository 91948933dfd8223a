//go:build linux

package storetest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience limits every wait: it is reached only if something is broken.
const patience = time.Minute

// server is a postmaster with its children.
type server struct {
	pid   int
	ready chan struct{} // closed when it accepts connections
	ended chan struct{} // closed when it has been waited for and its children have closed its log

	mu  sync.Mutex
	log []string // the latest lines
}

// logKept is the number of lines of a log that a failed test shows.
const logKept = 40

// serve starts a postmaster. When this process ends it gets SIGQUIT, which ends it at once with all its children.
func serve(cmd *exec.Cmd) (*server, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = write, write
	s := &server{ready: make(chan struct{}), ended: make(chan struct{})}
	waited, err := Spawn(cmd, syscall.SIGQUIT)
	_ = write.Close()
	if err != nil {
		_ = read.Close()
		return nil, err
	}
	s.pid = cmd.Process.Pid
	go s.read(read, waited)
	return s, nil
}

func (s *server) read(from *os.File, waited <-chan struct{}) {
	defer close(s.ended)
	defer func() { <-waited }() // until then another postmaster would think it alive
	defer from.Close()
	markReady := sync.OnceFunc(func() { close(s.ready) })
	for lines := bufio.NewScanner(from); lines.Scan(); {
		s.mu.Lock()
		s.log = append(s.log, lines.Text())
		s.log = s.log[max(0, len(s.log)-logKept):]
		s.mu.Unlock()
		if strings.Contains(lines.Text(), "database system is ready to accept") {
			markReady()
		}
	}
}

func (s *server) logText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log, "\n")
}

// waitReady waits until it accepts connections.
func (s *server) waitReady() error {
	select {
	case <-s.ready:
		return nil
	case <-s.ended:
		return fmt.Errorf("PostgreSQL ended while starting:\n%s", s.logText())
	case <-time.After(patience):
		return fmt.Errorf("PostgreSQL did not start:\n%s", s.logText())
	}
}

// processes returns the ids of the postmaster and its children, which have sessions of their own.
func (s *server) processes() []int {
	all := []int{s.pid}
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.pid), "task", strconv.Itoa(s.pid), "children")) // it may have ended
	for field := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// signal sends a signal to all of them. The postmaster comes first, so that it starts no more.
func (s *server) signal(sig syscall.Signal) {
	for _, pid := range s.processes() {
		_ = syscall.Kill(pid, sig) // one that has ended needs no signal
	}
}

// kill ends all of them at once, as a power failure would.
func (s *server) kill() {
	_ = syscall.Kill(s.pid, syscall.SIGSTOP)
	s.signal(syscall.SIGKILL)
	<-s.ended
}

// end ends all of them without writing anything; the postmaster does it itself.
func (s *server) end() {
	s.signal(syscall.SIGCONT)
	_ = syscall.Kill(s.pid, syscall.SIGQUIT)
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.kill()
	}
}
