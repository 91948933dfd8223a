package payment_test

import "testing"

// Two wallets with the same keys, one with a file and one with a database, pay the same to the same account in the same second.
func TestAFileAndADatabasePayTheSameAtOnce(t *testing.T) {
	p := newServers(t)
	other := p.beside()
	payAlike(t, p.place, p.sit(), other.sit())
}
