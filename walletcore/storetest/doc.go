// Package storetest gives tests a PostgreSQL of their own, and what goes wrong with one: it is killed, it
// stands still, a standby takes its place, the line to it breaks. For tests; nothing else may import it.
//
//	cluster.go     a throw-away cluster: started, killed, paused, restarted
//	template.go    initdb, once for a machine
//	server.go      the processes of a cluster, which end with the test's
//	spawn.go       any process that ends with the test's
//	tls.go         a certificate of its own
//	standby.go     a streaming standby, and its promotion
//	pooler.go      a pgbouncer before it
//	relay.go       a line to a cluster that can be cut, held and delayed, also right at a COMMIT
//	line.go        what breaks on it
//	link.go        a connection through it
//	wire.go        what of PostgreSQL's protocol the relay has to know
//
// It needs initdb, postgres, psql and pg_basebackup, as Debian's package postgresql has them. Its tests are skipped but for
// STORETEST_POSTGRES=must in the environment, and fail where there are none. PostgreSQL refuses root, so root runs it as the user postgres.
package storetest
