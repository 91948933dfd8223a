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

// patience bounds every wait: it is reached only when something is broken.
const patience = time.Minute

// server is a postmaster with its children.
type server struct {
	pid   int
	ready chan struct{} // closed when it takes connections
	ended chan struct{} // closed when it was waited for, and its children have let go of its log

	mu  sync.Mutex
	log []string // its latest lines
}

// logKept is how many lines of a log a failed test shows.
const logKept = 40

// serve starts a postmaster. It gets SIGQUIT, which ends it at once with all its children, when this process ends.
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
	defer func() { <-waited }() // until then another postmaster takes it for alive
	defer from.Close()
	said := sync.OnceFunc(func() { close(s.ready) })
	for lines := bufio.NewScanner(from); lines.Scan(); {
		s.mu.Lock()
		s.log = append(s.log, lines.Text())
		s.log = s.log[max(0, len(s.log)-logKept):]
		s.mu.Unlock()
		if strings.Contains(lines.Text(), "database system is ready to accept") {
			said()
		}
	}
}

func (s *server) lastWords() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log, "\n")
}

// waitReady waits until it takes connections.
func (s *server) waitReady() error {
	select {
	case <-s.ready:
		return nil
	case <-s.ended:
		return fmt.Errorf("PostgreSQL ended at its start:\n%s", s.lastWords())
	case <-time.After(patience):
		return fmt.Errorf("PostgreSQL did not start:\n%s", s.lastWords())
	}
}

// family are the postmaster and its children, which have sessions of their own.
func (s *server) family() []int {
	all := []int{s.pid}
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.pid), "task", strconv.Itoa(s.pid), "children")) // it may have ended
	for field := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// signal sends a signal to all of them. The postmaster comes first, so that it starts no others.
func (s *server) signal(sig syscall.Signal) {
	for _, pid := range s.family() {
		_ = syscall.Kill(pid, sig) // one that has ended needs none
	}
}

// kill ends all of them at once, as when the power fails.
func (s *server) kill() {
	_ = syscall.Kill(s.pid, syscall.SIGSTOP)
	s.signal(syscall.SIGKILL)
	<-s.ended
}

// end ends all of them without writing anything, as they do it themselves.
func (s *server) end() {
	s.signal(syscall.SIGCONT)
	_ = syscall.Kill(s.pid, syscall.SIGQUIT)
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.kill()
	}
}
