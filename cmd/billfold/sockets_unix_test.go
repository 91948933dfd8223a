//go:build unix

package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"billfold/walletcore/testwallet"
)

// passable is a listener whose descriptor another program can be given.
type passable interface{ File() (*os.File, error) }

// withPassed returns the command of a program to which sockets are passed under names, as systemd does it.
func withPassed(t *testing.T, names string, sockets []passable, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command("/bin/sh", append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`, program}, args...)...)
	t.Setenv("LISTEN_FDS", string(rune('0'+len(sockets))))
	t.Setenv("LISTEN_FDNAMES", names)
	for _, s := range sockets {
		file, err := s.File()
		must(t, err)
		t.Cleanup(func() { _ = file.Close() })
		cmd.ExtraFiles = append(cmd.ExtraFiles, file)
	}
	return cmd
}

// Sockets that were opened before the program started are its listeners: who connected earlier is answered, and they outlive it.
func TestPassedSocketsAreTheListeners(t *testing.T) {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer port.Close()
	path := filepath.Join(testwallet.SocketFolder(t), "rpc.sock")
	local, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	must(t, err)
	defer local.Close()
	must(t, os.Chmod(path, 0o600))
	early := make(chan string)
	go func() {
		said := ""
		if resp, err := http.Get("http://" + port.Addr().String() + "/healthz"); err == nil {
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			said = string(text)
		}
		early <- said
	}()
	cmd := withPassed(t, "rpc-http:whatever", []passable{port.(*net.TCPListener), local}, "--sandbox", "--rpc-socket")
	server := begin(t, "1", cmd)
	api := remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}
	if at := server.line(`^wallet API over unix socket on (\S+)$`); !strings.Contains(api.url, port.Addr().String()) || at != path {
		t.Errorf("it listens at %s and %s", api.url, at)
	}
	if got := <-early; got != "ok\n" {
		t.Errorf("who connected before the start was told %q", got)
	}
	http.DefaultClient.CloseIdleConnections()
	for _, to := range []string{api.url, path} {
		out, err := processOf([]string{"call", "--to", to, "is_locked"}).CombinedOutput()
		if err != nil || string(out) != "true\n" {
			t.Errorf("at %s: %v %s", to, err, out)
		}
	}
	server.stop()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the socket went with the program: %v", err)
	}
}

// Sockets that do not fit the settings, or that nobody said the use of, stop the start.
func TestPassedSocketsThatDoNotFit(t *testing.T) {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer port.Close()
	everywhere, err := net.Listen("tcp", "0.0.0.0:0")
	must(t, err)
	defer everywhere.Close()
	one, other := port.(*net.TCPListener), everywhere.(*net.TCPListener)
	for _, c := range []struct {
		names, want string
		args        []string
		sockets     []passable
	}{
		{"rpc-http", "leave the setting out, or change the unit of the socket", []string{"--rpc-http=127.0.0.1:9"}, []passable{one}},
		{"billfold.socket", "write FileDescriptorName=rpc-http or =rpc-ws", nil, []passable{one}},
		{"rpc-ws:rpc-ws", "two sockets were passed as rpc-ws", nil, []passable{one, other}},
		{"rpc-ws", "other machines would reach this port", nil, []passable{other}},
	} {
		cmd := withPassed(t, c.names, c.sockets, append(c.args, "--sandbox")...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit, "HOME="+testwallet.Folder(t))
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, not %q: %s", c.names, err, c.want, out)
		}
	}
}

// Members of the group that may use the socket call without a token where nobody needs one, and with one where programs do; others do not
// reach it.
func TestTheGroupOfTheSocket(t *testing.T) {
	t.Parallel()
	curl, err := exec.LookPath("curl")
	if os.Getuid() != 0 || err != nil {
		t.Skip("only root can call as several users, with curl")
	}
	const group, member, stranger = 60_001, 60_002, 60_003
	folder, err := os.MkdirTemp("", "socket")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	must(t, os.Chmod(folder, 0o755))
	path := filepath.Join(folder, "rpc.sock")
	asks := func(uid uint32, groups ...uint32) string {
		cmd := exec.Command(curl, "-sS", "--unix-socket", path, "http://localhost/rpc", "-d", `{"jsonrpc":"2.0","id":1,"method":"is_locked"}`)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid, Groups: groups}}
		said, _ := cmd.CombinedOutput()
		return string(said)
	}
	for _, c := range []struct{ flag, member string }{{"--rpc-spends=allow", `"result":true`}, {"--rpc-auth", "This wallet requires a token"}} {
		server := start(t, "--sandbox", "--rpc-socket="+path, "--rpc-socket-group="+strconv.Itoa(group), c.flag)
		if said := server.line(`^rpc: (.*)$`); !strings.Contains(said, "keys and password denied") || !strings.Contains(said, "programs of the group 60001, ") {
			t.Errorf("%s: it says %s", c.flag, said)
		}
		if said := asks(member, group); !strings.Contains(said, c.member) {
			t.Errorf("%s: a member is told %s", c.flag, said)
		}
		if said := asks(stranger); strings.Contains(said, "jsonrpc") {
			t.Errorf("%s: a stranger is told %s", c.flag, said)
		}
		if said := asks(0); !strings.Contains(said, `"result":true`) {
			t.Errorf("%s: the user is told %s", c.flag, said)
		}
		server.stop()
	}
}
