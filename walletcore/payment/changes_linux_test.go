package payment_test

import "testing"

// changesOnServers returns a place whose wallets share a PostgreSQL.
func changesOnServers(t *testing.T) *place { return newServers(t).place }
