//go:build linux

package storetest

import (
	"os"
	"path/filepath"
	"time"
)

// Standby starts a streaming standby of the cluster. With sync, each COMMIT of the cluster waits for it from then on.
func (c *Cluster) Standby(sync bool) *Cluster {
	c.t.Helper()
	s := &Cluster{t: c.t, programs: c.programs}
	s.makeFolder()
	_, err := c.programs.run("pg_basebackup", "-D", s.data(), "-R", "-X", "stream", "-c", "fast",
		"-d", "postgres://postgres@"+c.Address()+"/postgres?sslmode=disable&application_name="+standbyName)
	c.must(err)
	s.forgetStandby()
	s.Restart()
	names := ""
	if sync {
		names = standbyName
	}
	c.Admin("ALTER SYSTEM SET synchronous_standby_names = '"+names+"'", "SELECT pg_reload_conf()")
	c.waitFor(map[bool]string{true: "sync", false: "async"}[sync], "SELECT sync_state FROM pg_stat_replication")
	return s
}

// standbyName is the name of a standby.
const standbyName = "standby"

// forgetStandby removes from a copy's settings that its original had a standby.
func (c *Cluster) forgetStandby() {
	c.t.Helper()
	c.configure([]string{"synchronous_standby_names = ''"})
	auto := filepath.Join(c.data(), "postgresql.auto.conf")
	text, err := os.ReadFile(auto)
	c.must(err)
	c.must(os.WriteFile(auto, append(text, "\nsynchronous_standby_names = ''\n"...), 0o600))
}

// waitFor repeats a question until the answer is want.
func (c *Cluster) waitFor(want, question string) {
	c.t.Helper()
	got := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got = c.Admin(question); got == want {
			return
		}
	}
	c.t.Fatalf("%s answers %q, never %q", question, got, want)
}

// Promote turns a standby into a primary.
func (c *Cluster) Promote() {
	c.t.Helper()
	if got := c.Admin("SELECT pg_promote()"); got != "t" {
		c.t.Fatalf("the standby was not promoted: %s", got)
	}
}

// WaitCaughtUp waits until the standby has everything that the original has.
func (c *Cluster) WaitCaughtUp(original *Cluster) {
	c.t.Helper()
	at := original.Admin("SELECT pg_current_wal_lsn()")
	c.waitFor("t", "SELECT pg_last_wal_replay_lsn() >= '"+at+"'")
}
