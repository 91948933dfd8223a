//go:build linux

package storetest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Bench returns how many transactions per second PostgreSQL's own pgbench achieves with a statement, in the database at
// url, with so many clients, over length.
func (c *Cluster) Bench(url, statement string, clients int, length time.Duration) (perSecond float64) {
	c.t.Helper()
	script := filepath.Join(c.folder, "bench.sql")
	c.must(os.WriteFile(script, []byte(statement), 0o644)) // the user that the cluster runs as reads it
	out, err := c.programs.run("pgbench", "-n", "-M", "prepared", "-f", script, "-c", strconv.Itoa(clients), "-j", "2",
		"-T", strconv.Itoa(max(1, int(length.Seconds()))), url)
	c.must(err)
	_, rest, _ := strings.Cut(out, "tps = ")
	figure, _, _ := strings.Cut(rest, " ")
	perSecond, err = strconv.ParseFloat(figure, 64)
	c.must(err)
	return perSecond
}
