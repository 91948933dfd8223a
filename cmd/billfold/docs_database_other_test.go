//go:build !linux

package main

import "testing"

// databaseWithStandby skips the test: storetest runs on Linux.
func databaseWithStandby(t *testing.T) string {
	t.Helper()
	t.Skip("a PostgreSQL is started on Linux only")
	return ""
}
