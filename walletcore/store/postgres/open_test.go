package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// open is a line to the database beside the servers.
func open(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(t.Context()) })
	return c
}
