package main

import (
	"cmp"
	"fmt"
	"net"
	"strings"
)

// checkApart refuses one address for both listeners. Otherwise the second would fail because "another program" uses the port.
func checkApart(name, addr, otherName, otherAddr string) error {
	host, port, err := net.SplitHostPort(addr)
	other, same, failed := net.SplitHostPort(otherAddr)
	if err != nil || failed != nil || port != same || strings.Trim(port, "0") == "" {
		return nil
	}
	if everywhere := isEverywhere(host) || isEverywhere(other); everywhere || sameHost(host, other) {
		return fmt.Errorf("--%s (%s) and --%s (%s) cannot both have the port %s; choose another for one of them", name, addr, otherName, otherAddr, port)
	}
	return nil
}

// checkApart refuses two listeners on one port.
func (s *settings) checkApart() error {
	return cmp.Or(checkApart("rpc-http", s.rpcHTTP, "rpc-ws", s.rpcWS), checkApart("rpc-http", s.rpcHTTP, "metrics", s.metrics),
		checkApart("rpc-ws", s.rpcWS, "metrics", s.metrics))
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
