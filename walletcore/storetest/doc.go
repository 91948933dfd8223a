// Package storetest gives tests a PostgreSQL of their own, and what can go wrong with one: it is killed, it hangs, a
// standby takes its place, the connection to it breaks. For tests; nothing else may import it.
//
//	cluster.go     a throw-away cluster: started, killed, paused, restarted
//	template.go    initdb, once for a machine
//	server.go      the processes of a cluster, which end with the test's
//	spawn.go       any process that ends with the test's
//	tls.go         a certificate of its own
//	standby.go     a streaming standby, and its promotion
//	pooler.go      a pgbouncer before it
//	relay.go       a relay before a cluster that can be cut, held and delayed, even right at a COMMIT
//	network.go     what goes wrong in a relay
//	link.go        a connection through a relay
//	wire.go        the part of PostgreSQL's protocol that a relay has to know
//	faults.go      statements of a store in an SQLite file that fail, for which it needs none of the above
//
// It needs initdb, postgres, psql and pg_basebackup, as in Debian's package postgresql. Without STORETEST_POSTGRES=must
// in the environment its tests are skipped; with it they fail if those programs are missing. PostgreSQL refuses to run
// as root, so root runs it as the user postgres.
package storetest
