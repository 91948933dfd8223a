//go:build linux

package storetest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Cluster is a PostgreSQL for one test, on a port of 127.0.0.1, with the superuser postgres and the role billfold, both
// without a password. It is removed when the test ends. Its methods must not be called concurrently; each waits until
// it is done, and fails the test if it cannot finish.
type Cluster struct {
	t        testing.TB
	programs programs
	folder   string
	port     int
	server   *server
	made     int // databases made so far

}

// defaultSettings are the settings of every cluster. Everything that protects committed data stays on.
var defaultSettings = []string{
	"listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", "max_connections = 100", "shared_buffers = '32MB'",
	"min_wal_size = '32MB'", "max_wal_size = '512MB'", "jit = off", "timezone = 'UTC'",
	"dynamic_shared_memory_type = mmap", // in a file in its folder, so nothing else has to be removed
}

// Start starts a cluster with these additional lines of postgresql.conf.
func Start(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	c := &Cluster{t: t, programs: requirePrograms(t)}
	c.makeFolder()
	if err := c.programs.prepare(c.data()); err != nil {
		t.Fatal(err)
	}
	c.configure(append(defaultSettings[:len(defaultSettings):len(defaultSettings)], settings...))
	c.Restart()
	return c
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// makeFolder makes the cluster's folder, in memory if there is room.
func (c *Cluster) makeFolder() {
	c.t.Helper()
	in := os.TempDir()
	if roomInMemory() {
		in = memory
	}
	removeStale(in)
	var err error
	if c.folder, err = os.MkdirTemp(in, folderPrefix+strconv.Itoa(os.Getpid())+"-"); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		if c.server != nil {
			c.server.end()
		}
		removeSegment(c.data())
		if err := os.RemoveAll(c.folder); err != nil {
			c.t.Error(err)
		}
	})
	if c.programs.as != nil {
		c.must(os.Chown(c.folder, int(c.programs.as.Uid), int(c.programs.as.Gid)))
	}
}

func (c *Cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// folderPrefix is followed by the id of the process that the cluster belongs to.
const folderPrefix = "billfold-postgres-"

// removeStale removes the folders of processes that were killed.
func removeStale(in string) {
	list, _ := filepath.Glob(filepath.Join(in, folderPrefix+"*")) // the pattern is well formed
	for _, path := range list {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), folderPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && syscall.Kill(n, 0) == syscall.ESRCH {
			removeSegment(filepath.Join(path, "data"))
			_ = os.RemoveAll(path) // on failure the next run removes them
		}
	}
}

// removeSegment removes the few bytes of shared memory that a killed postmaster leaves behind, as named in its pid file.
func removeSegment(data string) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if lines := strings.Split(string(text), "\n"); err == nil && len(lines) > 6 {
		var key, id uintptr
		if n, _ := fmt.Sscan(lines[6], &key, &id); n == 2 {
			_, _, _ = syscall.Syscall(syscall.SYS_SHMCTL, id, 0 /* IPC_RMID */, 0) // nobody uses them: the processes that did have ended
		}
	}
}

// configure appends lines to the configuration. Later lines win.
func (c *Cluster) configure(lines []string) {
	c.t.Helper()
	f, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	c.must(err)
	_, err = fmt.Fprintln(f, strings.Join(lines, "\n"))
	c.must(err)
	c.must(f.Close())
}

// Restart starts a cluster that is not running, on the port that it had, and waits until it accepts connections.
func (c *Cluster) Restart() {
	c.t.Helper()
	for try := range portTries {
		fresh := c.port == 0
		if fresh {
			c.port = freePort(c.t)
		}
		var err error
		c.server, err = serve(c.programs.command("postgres", "-D", c.data(), "-p", strconv.Itoa(c.port)))
		c.must(err)
		if err = c.server.waitReady(); err == nil {
			return
		}
		c.server.kill()
		c.server = nil
		if !fresh || try == portTries-1 {
			c.t.Fatal(err)
		}
		c.port = 0 // another process took the port first
	}
}

const portTries = 3

// freePort returns a port of 127.0.0.1 that nobody uses, and that the system does not assign to connections: a killed
// cluster needs its port again, and others connect meanwhile.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := leastPort + rand.IntN(ephemeral()-leastPort) //nolint:gosec // any will do
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port of 127.0.0.1 is free")
	return 0
}

const leastPort = 10_000 // servers that people start themselves are mostly below

// ephemeral returns the first port that the system assigns to connections.
func ephemeral() int {
	const defaultSettings = 32_768
	text, _ := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range") // without it, the usual one
	first, _, _ := strings.Cut(string(text), "\t")
	if n, err := strconv.Atoi(first); err == nil && n > leastPort {
		return n
	}
	return defaultSettings
}

// Stop shuts the cluster down cleanly: connections are broken, what was committed is written.
func (c *Cluster) Stop() {
	c.t.Helper()
	c.must(syscall.Kill(c.server.pid, syscall.SIGINT))
	<-c.server.ended
	c.server = nil
}

// Kill ends every process of the cluster at once.
func (c *Cluster) Kill() {
	c.server.kill()
	c.server = nil
}

// Remove removes what a killed cluster left behind, so that many can follow one another.
func (c *Cluster) Remove() {
	c.t.Helper()
	removeSegment(c.data())
	c.must(os.RemoveAll(c.folder))
}

// Pause stops every process of the cluster: connections stay, and nothing answers.
func (c *Cluster) Pause() { c.server.signal(syscall.SIGSTOP) }

// Resume lets the processes continue.
func (c *Cluster) Resume() { c.server.signal(syscall.SIGCONT) }

// Address returns host and port.
func (c *Cluster) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

// Database makes an empty database and returns its address for the role billfold.
func (c *Cluster) Database() string {
	c.t.Helper()
	c.made++
	name := fmt.Sprintf("test%d", c.made)
	c.Admin(fmt.Sprintf("CREATE DATABASE %s OWNER %s", name, role))
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", role, c.Address(), name)
}

// Name returns the name of the database in an address.
func (c *Cluster) Name(database string) string {
	_, path, _ := strings.Cut(strings.TrimPrefix(database, "postgres://"), "/")
	name, _, _ := strings.Cut(path, "?")
	return name
}

// Admin runs statements as the superuser, each on its own, and returns the answers, one row per line.
func (c *Cluster) Admin(statements ...string) string {
	c.t.Helper()
	args := []string{"-XAtq", "-v", "ON_ERROR_STOP=1", "-d", "postgres://postgres@" + c.Address() + "/postgres?sslmode=disable"}
	for _, s := range statements {
		args = append(args, "-c", s)
	}
	out, err := c.programs.run("psql", args...)
	c.must(err)
	return out
}
