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

// CheckAddresses refuses a list with an address that cannot be dialled, or that names one daemon twice. Only host and
// port tell daemons apart: a daemon ignores the path, and all names and addresses of this machine are one host. The
// error is a sentence without anything that could be a password.
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

// CheckQuorum refuses a quorum of more daemons than there are.
func CheckQuorum(want int, addresses []string) error {
	var all []string
	for _, address := range addresses {
		all = append(all, endpoint(address))
	}
	slices.Sort(all)
	if total := len(slices.Compact(all)); want > 1 && want > total {
		return fmt.Errorf("--daemon-quorum wants %d daemons and --daemon-url names %d; add addresses or ask fewer", want, total)
	}
	return nil
}

// howToWrite ends the error about an invalid address.
const howToWrite = "write it like ws://127.0.0.1:8090 or wss://node.example"

// CheckAddress refuses everything but ws://HOST:PORT and wss://HOST:PORT, with an optional path; the port may be left
// out if it is 80 or 443. Its errors never repeat what may be a password by mistake.
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

// ValidHost reports whether host is an IP address (IPv6 without brackets), or a name of ASCII letters, digits, - and _
// in labels. A name whose last label is a number is invalid: programs differ in which address they take 127.1 for.
func ValidHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, label := range labels {
		if label == "" || strings.Trim(label, "-") != label || strings.ContainsFunc(label, invalidInHostname) {
			return false
		}
	}
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(last, 0, 64)
	return err != nil && strings.Trim(last, "0123456789") != ""
}

func invalidInHostname(r rune) bool {
	return r > unicode.MaxASCII || r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// thisMachine stands for every name and address of the machine that the wallet runs on.
const thisMachine = "localhost"

// endpoint returns the host and port of an address, the same for all ways to write them; the address itself if it is invalid.
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
	return canonicalHost(u.Hostname()) + " " + strconv.Itoa(port)
}

func canonicalHost(host string) string {
	if loopbackHost(host) {
		return thisMachine
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip = ip.Unmap(); ip.IsUnspecified() { // dialling it reaches this machine
			return thisMachine
		}
		return ip.String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// ShownURL returns the address without its password, so that it may be printed.
func ShownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable address)"
	}
	return u.Redacted()
}

// plainURL reports whether the traffic with this daemon can be read and changed on the way: ws:// to another machine.
func plainURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "ws" && !loopbackHost(u.Hostname())
}

// loopbackHost reports whether host is this machine. Of names, only localhost and its subdomains count: no name is
// looked up, because what it resolves to may change.
func loopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	return err == nil && ip.Unmap().IsLoopback() || name == thisMachine || strings.HasSuffix(name, "."+thisMachine)
}

// PlainURLs returns, without secrets, the addresses whose traffic anybody on the way can read and change: ws:// beyond
// this machine.
func PlainURLs(addresses []string) []string {
	var plain []string
	for _, address := range addresses {
		if plainURL(address) {
			plain = append(plain, ShownURL(address))
		}
	}
	return plain
}

// OnThisMachine reports whether there are addresses and all of them are loopback ones.
func OnThisMachine(addresses []string) bool {
	for _, address := range addresses {
		if u, err := url.Parse(address); err != nil || !loopbackHost(u.Hostname()) {
			return false
		}
	}
	return len(addresses) > 0
}
