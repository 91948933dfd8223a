//go:build !linux

package payment_test

import "testing"

// changesOnServers skips the test: a PostgreSQL is only started on Linux.
func changesOnServers(t *testing.T) *place {
	t.Skip("needs Linux")
	return nil
}
