//go:build linux

package storetest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Pooler puts pgbouncer before the cluster, with a pool_mode and additional lines of its configuration, and returns its
// host and port. On a machine without it, the test is skipped.
func (c *Cluster) Pooler(mode string, settings ...string) string {
	c.t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			c.t.Skip("there is no pgbouncer on this machine; apt-get install pgbouncer")
		}
	}
	port := freePort(c.t)
	lines := append([]string{
		"[databases]", "* = host=127.0.0.1 port=" + strconv.Itoa(c.port), "[pgbouncer]", "listen_addr = 127.0.0.1",
		fmt.Sprintf("listen_port = %d", port), "unix_socket_dir =", "auth_type = any", "pool_mode = " + mode,
	}, settings...)
	for n, line := range lines { // with auth_type any, no user name arrives
		if strings.HasPrefix(line, "* = ") {
			lines[n] += " user=" + role
		}
	}
	path := filepath.Join(c.folder, "pgbouncer-"+mode+strconv.Itoa(port)+".ini")
	c.must(os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)) // another user reads it
	cmd := exec.Command(program, "-q", path)
	if c.programs.as != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.programs.as}
	}
	ended, err := Spawn(cmd, syscall.SIGKILL)
	c.must(err)
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	})
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return address
		}
		if time.Now().After(end) {
			c.t.Fatal("pgbouncer did not start:", err)
		}
	}
}
