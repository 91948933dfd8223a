package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// unattended is the environment of a server that nobody watches: who started it and is told how it is, and the signal to read
// its certificate again.
type unattended struct {
	supervisor *supervisor      // nil = nobody is told
	hangups    <-chan os.Signal // nil = SIGHUP ends the program
}

// newUnattended must be called once, before the server is built: from then on a SIGHUP does not end it.
func newUnattended() (*unattended, error) {
	supervisor, err := newSupervisor()
	return &unattended{supervisor, hangups()}, err
}

func (u *unattended) close() { u.supervisor.close() }

// serve runs the server until ctx ends, unlocks the wallet with the password that the settings name a place of, tells the supervisor how it is,
// and reads the certificate again when it is told to. While the password is waited for, calls are answered: the wallet is locked.
func (u *unattended) serve(ctx context.Context, p *program, server *service, out io.Writer) error {
	beside, end := context.WithCancel(ctx)
	defer end()
	var running sync.WaitGroup
	running.Go(func() {
		if p.unlocking.Load() {
			u.supervisor.tell("STATUS=" + stateText(unlockingWhy))
			p.unlockAtStart(beside, out)
			p.unlocking.Store(false)
		}
		if beside.Err() == nil {
			u.supervisor.tell("READY=1") // whoever is started after this server finds it as open as it will be
		}
		told, files := newReadinessLog(p.log), newFilesLog(p.log)
		u.supervisor.follow(beside, func() string {
			now := p.obstacles()
			told.note(now, time.Now())
			files.look(beside, p.store, p.folder(), p.settings.indexPath(), time.Now())
			return stateText(notReadyText(now))
		}, func() { p.wallet.Status() })
	})
	running.Go(func() {
		for {
			select {
			case <-u.hangups:
				u.supervisor.tell(reloading())
				server.reread(out)
				p.rereadLevel(out)
				u.supervisor.tell("READY=1")
			case <-beside.Done():
				return
			}
		}
	})
	stopping := context.AfterFunc(ctx, func() { u.supervisor.tell("STOPPING=1\nSTATUS=ending: what runs is finished, nothing new is begun") })
	err := server.Serve(ctx)
	stopping()
	end()
	running.Wait()
	return err
}

// stateText returns the state for the supervisor's status, in one line.
func stateText(notReady string) string {
	if notReady == "" {
		return "ready: it pays"
	}
	return "not ready: " + strings.ReplaceAll(notReady, nextReason, "; and ")
}

// reread reads the certificate again and prints how that ended. If it cannot be used, the one from before stays.
func (v *service) reread(out io.Writer) {
	if v.identity == nil {
		fmt.Fprintln(out, "SIGHUP: there is no certificate to read again; the server goes on")
		return
	}
	if err := v.identity.Reread(); err != nil {
		fmt.Fprintf(out, "SIGHUP: the certificate from before stays in use: %s\n", sentence(err))
		return
	}
	fmt.Fprintf(out, "SIGHUP: TLS certificate %s; pin it: curl -k --pinnedpubkey %s\n", v.identity.Fingerprint(), v.identity.Pin())
}

// hangups returns a channel with each SIGHUP from now on, for a server that no terminal belongs to: there it means "read again".
// It returns nil where a terminal's end is to end the program, as run has it, and where the signal is ignored.
func hangups() <-chan os.Signal {
	if signal.Ignored(syscall.SIGHUP) || hasTerminal() {
		return nil
	}
	signal.Ignore(syscall.SIGHUP) // which takes it from those who would end the program, and leaves no moment at which it kills
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGHUP)
	return got
}

// hasTerminal reports whether the process belongs to a terminal, wherever its input and output go.
func hasTerminal() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = terminal.Close()
	return true
}
