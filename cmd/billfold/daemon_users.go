package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"billfold/daemonclient"
	"billfold/ledger"
)

// nobodyAt stands for no user in --daemon-user, where others of the daemons want one.
const nobodyAt = "-"

// maxPasswordFile is more bytes than any password with a line break.
const maxPasswordFile = 4 << 10

var daemonUser = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]*$`)

// checkDaemonUser refuses what is no name of a user.
func checkDaemonUser(name string) error {
	if name == nobodyAt || daemonUser.MatchString(name) {
		return nil
	}
	return fmt.Errorf("%q is not a user's name; it has letters, digits, points, @, _ and -, like exchange", name)
}

// checkDaemonUsers refuses users and passwords that go with no daemon, and passwords that cannot be read, so that these stop the start.
func (s *settings) checkDaemonUsers() error {
	if len(s.daemonUsers) == 0 || s.sandbox {
		return nil
	}
	if err := s.checkEach("daemon-user", len(s.daemonUsers)); err != nil {
		return err
	}
	if len(s.daemonPasswords) > 0 {
		if err := s.checkEach("daemon-password-file", len(s.daemonPasswords)); err != nil {
			return err
		}
	}
	for _, address := range s.daemonURLs {
		if _, err := s.daemonUserAt(address); err != nil {
			return err
		}
	}
	return nil
}

// daemonUserAt returns who logs in at a daemon: one user at all of them, or one at each in their order. It reads the password's file
// anew, so that a new password needs no restart.
func (s *settings) daemonUserAt(address string) (user daemonclient.User, err error) {
	i := slices.Index(s.daemonURLs, address)
	if i < 0 {
		return user, nil
	}
	if user.Name = eachOrAll(s.daemonUsers, i); user.Name == nobodyAt {
		return daemonclient.User{}, nil
	}
	if path := eachOrAll(s.daemonPasswords, i); path != "" && path != nobodyAt {
		text, err := s.trust.Read(path, maxPasswordFile)
		if err != nil {
			return user, fmt.Errorf("the password for the daemon at %s: %w", daemonclient.ShownURL(address), err)
		}
		line, err := secretIn(text)
		if err != nil {
			return user, fmt.Errorf("the password for the daemon at %s: %s: %w", daemonclient.ShownURL(address), path, err)
		}
		if user.Password = strings.TrimRight(string(line), "\x00"); ledger.SecretIn(user.Password) != "" {
			return daemonclient.User{}, fmt.Errorf("the password for the daemon at %s: %s has %s in it, which is sent to nobody; name the file with the password", daemonclient.ShownURL(address), path,
				ledger.SecretIn(user.Password))
		}
	}
	return user, nil
}

// checkEach refuses a list that is neither one for all daemons nor one for each.
func (s *settings) checkEach(name string, given int) error {
	if given == 1 || given == len(s.daemonURLs) {
		return nil
	}
	return fmt.Errorf("--%s is given %d times for %d daemons; give it once for all of them, or once for each --daemon-url in their order (%s for nobody)",
		name, given, len(s.daemonURLs), nobodyAt)
}

// eachOrAll returns the i-th of a list, or the only one.
func eachOrAll(list []string, i int) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	}
	return list[i]
}

// withoutDaemonUser returns why a password file has no effect.
func (s *settings) withoutDaemonUser() string {
	if len(s.daemonUsers) > 0 {
		return s.notInSandbox()
	}
	return "without --daemon-user, whose password it holds; name the user, or leave it out"
}
