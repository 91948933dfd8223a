package main

import (
	"fmt"
	"net"
	"strings"
)

// checkApart refuses one address for both listeners. Otherwise the second would fail because "another program" uses the port.
func checkApart(http, ws string) error {
	host, port, err := net.SplitHostPort(http)
	other, same, failed := net.SplitHostPort(ws)
	if err != nil || failed != nil || port != same || strings.Trim(port, "0") == "" {
		return nil
	}
	if everywhere := isEverywhere(host) || isEverywhere(other); everywhere || sameHost(host, other) {
		return fmt.Errorf("--rpc-http (%s) and --rpc-ws (%s) cannot both have the port %s; choose another for one of them", http, ws, port)
	}
	return nil
}

// isEverywhere reports whether host stands for every address of the machine.
func isEverywhere(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

func sameHost(a, b string) bool {
	usual := func(host string) string {
		if ip := net.ParseIP(host); ip != nil {
			return ip.String()
		}
		if strings.EqualFold(host, "localhost") {
			return "127.0.0.1"
		}
		return strings.ToLower(host)
	}
	return usual(a) == usual(b)
}
