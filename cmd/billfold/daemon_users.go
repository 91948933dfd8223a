package main

import (
	"fmt"
	"regexp"
	"strings"

	"billfold/daemonclient"
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

// readDaemonUsers returns who logs in at each daemon: one user for all of them, or one for each in their order. The passwords are read
// from their files now, so that a missing one stops the start.
func (s *settings) readDaemonUsers() (map[string]daemonclient.User, error) {
	if len(s.daemonUsers) == 0 {
		return nil, nil
	}
	if err := s.checkEach("daemon-user", len(s.daemonUsers)); err != nil {
		return nil, err
	}
	if len(s.daemonPasswords) > 0 {
		if err := s.checkEach("daemon-password-file", len(s.daemonPasswords)); err != nil {
			return nil, err
		}
	}
	users := map[string]daemonclient.User{}
	for i, address := range s.daemonURLs {
		user := daemonclient.User{Name: eachOrAll(s.daemonUsers, i)}
		if user.Name == nobodyAt {
			continue
		}
		if path := eachOrAll(s.daemonPasswords, i); path != "" && path != nobodyAt {
			text, err := s.trust.Read(path, maxPasswordFile)
			if err != nil {
				return nil, fmt.Errorf("the password for the daemon at %s: %w", daemonclient.ShownURL(address), err)
			}
			user.Password = strings.TrimRight(strings.TrimPrefix(string(text), "\ufeff"), "\r\n")
		}
		users[address] = user
	}
	return users, nil
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

// withoutDaemonUser is why a password file has no effect.
func (s *settings) withoutDaemonUser() string {
	if len(s.daemonUsers) > 0 {
		return s.notInSandbox()
	}
	return "without --daemon-user, whose password it holds; name the user, or leave it out"
}
