package main

import (
	"testing"

	"billfold/walletcore/storetest"
)

// databaseWithStandby starts a PostgreSQL that a synchronous standby follows, and returns the address of a database there.
func databaseWithStandby(t *testing.T) string {
	t.Helper()
	database := storetest.Start(t)
	database.Standby(true)
	return database.Database()
}
