//go:build linux

package storetest

import (
	"os"
	"path/filepath"
	"time"
)

// Standby starts a streaming standby of the cluster. With sync each COMMIT of the cluster waits for it from then on.
func (c *Cluster) Standby(sync bool) *Cluster {
	c.t.Helper()
	s := &Cluster{t: c.t, use: c.use}
	s.makeFolder()
	_, err := c.use.run("pg_basebackup", "-D", s.data(), "-R", "-X", "stream", "-c", "fast",
		"-d", "postgres://postgres@"+c.Address()+"/postgres?sslmode=disable&application_name="+standbyName)
	c.must(err)
	s.forgetStandby()
	s.Restart()
	names := ""
	if sync {
		names = standbyName
	}
	c.Admin("ALTER SYSTEM SET synchronous_standby_names = '"+names+"'", "SELECT pg_reload_conf()")
	c.until(map[bool]string{true: "sync", false: "async"}[sync], "SELECT sync_state FROM pg_stat_replication")
	return s
}

// standbyName is what a standby calls itself.
const standbyName = "standby"

// forgetStandby takes out of a copy that its original had a standby.
func (c *Cluster) forgetStandby() {
	c.t.Helper()
	c.configure([]string{"synchronous_standby_names = ''"})
	auto := filepath.Join(c.data(), "postgresql.auto.conf")
	text, err := os.ReadFile(auto)
	c.must(err)
	c.must(os.WriteFile(auto, append(text, "\nsynchronous_standby_names = ''\n"...), 0o600))
}

// until waits for an answer.
func (c *Cluster) until(want, question string) {
	c.t.Helper()
	got := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got = c.Admin(question); got == want {
			return
		}
	}
	c.t.Fatalf("%s answers %q, never %q", question, got, want)
}

// Promote makes a standby a cluster of its own.
func (c *Cluster) Promote() {
	c.t.Helper()
	if got := c.Admin("SELECT pg_promote()"); got != "t" {
		c.t.Fatalf("the standby was not promoted: %s", got)
	}
}

// Caught waits until the standby has everything that c has.
func (c *Cluster) Caught(original *Cluster) {
	c.t.Helper()
	at := original.Admin("SELECT pg_current_wal_lsn()")
	c.until("t", "SELECT pg_last_wal_replay_lsn() >= '"+at+"'")
}
