package daemonclient

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// CheckAddresses refuses a list with an address that cannot be dialled, or that names one
// daemon twice. Which daemon answers is said by host and port alone: a daemon does not look
// at the path, and every name and address of this machine is one host.
// The error is a sentence without anything that could be a password.
func CheckAddresses(addresses []string) error {
	seen := map[string]string{}
	for i, address := range addresses {
		if err := CheckAddress(address); err != nil && len(addresses) == 1 {
			return err
		} else if err != nil {
			return fmt.Errorf("daemon %d of %d: %w", i+1, len(addresses), err)
		}
		who := endpoint(address)
		switch other, twice := seen[who]; {
		case twice && other == address:
			return fmt.Errorf("the list of daemons names %s twice; leave one out", ShownURL(address))
		case twice:
			return fmt.Errorf("the list of daemons names one daemon twice, as %s and as %s; leave one out", ShownURL(other),
				ShownURL(address))
		}
		seen[who] = address
	}
	return nil
}

// CheckQuorum refuses to ask more daemons than there are.
func CheckQuorum(want int, addresses []string) error {
	var all []string
	for _, address := range addresses {
		all = append(all, endpoint(address))
	}
	slices.Sort(all)
	if there := len(slices.Compact(all)); want > 1 && want > there {
		return fmt.Errorf("--daemon-quorum wants %d daemons and --daemon-url names %d; add addresses or ask fewer", want, there)
	}
	return nil
}

// howToWrite ends the sentence about an address that is not one.
const howToWrite = "write it like ws://127.0.0.1:8090 or wss://node.example"

// CheckAddress refuses what is not ws://HOST:PORT or wss://HOST:PORT, with a path if need
// be; the port may be left out where it is 80 or 443. Its errors never repeat
// what may hold a password by mistake.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case strings.Contains(address, "@"):
		return errors.New("a daemon's address must not hold a user or password; leave out what stands before the @")
	case err != nil:
		return errors.New("a daemon's address cannot be read as host and port; " + howToWrite)
	case u.Scheme != "ws" && u.Scheme != "wss":
		return errors.New("a daemon's address begins with ws:// or wss://; " + howToWrite)
	case strings.ContainsAny(address, "?#"):
		return errors.New("a daemon's address has no query or fragment; leave out ? or # and what follows")
	case !ValidHost(u.Hostname()):
		return errors.New("a daemon's address names an impossible host; " + howToWrite)
	case !validPort(u):
		return fmt.Errorf("the address of the daemon at %q has a port that is not a number from 1 to 65535; %s", u.Hostname(), howToWrite)
	}
	return nil
}

func validPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && n > 0
}

// ValidHost reports that host is an IP address (an IPv6 one without brackets), or a name of
// ASCII letters, digits, - and _ in labels. A name that ends in a number is none: programs
// differ in which address they take 127.1 for.
func ValidHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, label := range labels {
		if label == "" || strings.Trim(label, "-") != label || strings.ContainsFunc(label, notInNames) {
			return false
		}
	}
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(last, 0, 64)
	return err != nil && strings.Trim(last, "0123456789") != ""
}

func notInNames(r rune) bool {
	return r > unicode.MaxASCII || r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// thisMachine stands for every name and address of the machine that the wallet runs on.
const thisMachine = "localhost"

// endpoint is the host and port that answer at an address, the same for each way to
// write them; the address itself when it is none.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	port, _ := strconv.Atoi(u.Port())
	switch {
	case port == 0 && u.Scheme == "wss":
		port = 443
	case port == 0:
		port = 80
	}
	return sameHost(u.Hostname()) + " " + strconv.Itoa(port)
}

func sameHost(host string) string {
	if loopbackHost(host) {
		return thisMachine
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip = ip.Unmap(); ip.IsUnspecified() { // dialled, it is this machine
			return thisMachine
		}
		return ip.String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// ShownURL is the address as it may be printed.
func ShownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable address)"
	}
	return u.Redacted()
}

// plainURL reports that what is said to and by a daemon with this address can be read
// and changed on the way: ws:// to another machine.
func plainURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "ws" && !loopbackHost(u.Hostname())
}

// loopbackHost reports that host is this machine. A name other than localhost and those
// below it is not looked up: what it means may change.
func loopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	return err == nil && ip.Unmap().IsLoopback() || name == thisMachine || strings.HasSuffix(name, "."+thisMachine)
}

// PlainURLs returns those addresses, without secrets, over which anybody on the way can read
// and change what is said: ws:// beyond this machine.
func PlainURLs(addresses []string) []string {
	var plain []string
	for _, address := range addresses {
		if plainURL(address) {
			plain = append(plain, ShownURL(address))
		}
	}
	return plain
}

// OnThisMachine reports that every address is a loopback one.
func OnThisMachine(addresses []string) bool {
	for _, address := range addresses {
		if u, err := url.Parse(address); err != nil || !loopbackHost(u.Hostname()) {
			return false
		}
	}
	return len(addresses) > 0
}
