package main

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"billfold/daemonclient"
)

// checkHost returns an error unless host is HOST or HOST:PORT, as in the Host header of a request.
func checkHost(host string) error {
	if name, port := cutPort(host); !daemonclient.ValidHost(name) || !validPort(port) {
		return fmt.Errorf("%q is not a host; write it like localhost:9000 or wallet.example", host)
	}
	return nil
}

func checkOrigin(origin string) error {
	_, err := parseOrigin(origin)
	return err
}

// parseOrigin parses the origin of a web page, and returns it as browsers write it: in
// lower case, without the port that the scheme implies.
func parseOrigin(text string) (string, error) {
	scheme, host, _ := strings.Cut(strings.ToLower(text), "://")
	name, port := cutPort(host)
	if scheme != "http" && scheme != "https" || !daemonclient.ValidHost(name) || !validPort(port) {
		return "", fmt.Errorf("%q is not an origin; write it like https://shop.example or http://localhost:3000, without a path", text)
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(port, ":"))
	if port == "" || n == 80 && scheme == "http" || n == 443 && scheme == "https" {
		return scheme + "://" + name, nil
	}
	return scheme + "://" + name + ":" + strconv.Itoa(n), nil
}

// origins returns checked origins as browsers write them.
func origins(checked []string) (list []string) {
	for _, text := range checked {
		if origin, err := parseOrigin(text); err == nil {
			list = append(list, origin)
		}
	}
	return list
}

// cutPort splits "host:port", "host", "[::1]:port" or "[::1]"; the port keeps its colon.
func cutPort(text string) (host, port string) {
	if host, port, err := net.SplitHostPort(text); err == nil {
		return checkBrackets(host, text), ":" + port
	}
	return checkBrackets(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"), text), ""
}

// checkBrackets returns host, which was cut from text, or "" if its brackets are wrong: an IPv6 address
// must have them, and nothing else may.
func checkBrackets(host, text string) string {
	if strings.Contains(host, ":") != strings.HasPrefix(text, "[") {
		return ""
	}
	return host
}

func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port[1:], 10, 16)
	return err == nil && n > 0
}
