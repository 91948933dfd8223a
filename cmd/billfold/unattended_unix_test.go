//go:build unix

package main

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/rpcserver/auth/certificate"
	"billfold/walletcore/testwallet"
)

// supervised is a server as systemd starts it: in a session of its own, with a socket that it tells how it is.
type supervised struct {
	*process
	told *net.UnixConn
}

func startSupervised(t *testing.T, args ...string) supervised {
	t.Helper()
	path := filepath.Join(testwallet.SocketFolder(t), "notify")
	told, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(t, err)
	program, err := os.Executable()
	must(t, err)
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "300000")
	t.Setenv("WATCHDOG_PID", "") // as where another process is named, there would be no sign of life
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal
	s := supervised{begin(t, "1", cmd), told}
	t.Cleanup(func() {
		s.stop() // which goes on telling
		_ = told.Close()
	})
	return s
}

// until reads what the supervisor is told, up to a message that begins so.
func (s supervised) until(begin string) string {
	s.t.Helper()
	must(s.t, s.told.SetReadDeadline(time.Now().Add(patience)))
	for text := make([]byte, 4096); ; {
		n, err := s.told.Read(text)
		if err != nil {
			s.t.Fatalf("the supervisor was never told %s: %v", begin, err)
		}
		if strings.HasPrefix(string(text[:n]), begin) {
			return string(text[:n])
		}
	}
}

// A server that a supervisor starts unlocks by itself, says how it is, reads a new certificate while it serves, keeps the one it has
// when the next cannot be used, and ends in order.
func TestAServiceTellsHowItIs(t *testing.T) {
	folder := testwallet.Folder(t)
	password := writeFile(t, folder, "password", sandboxPassword+"\r\n")
	first, second := certificateIn(t), certificateIn(t)
	cert, key := copyTo(t, first, folder, "rpc-cert.pem"), copyTo(t, first, folder, "rpc-key.pem")
	s := startSupervised(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-tls-cert="+cert, "--rpc-tls-key="+key, "--unlock-from="+password)
	addr := s.line(`^wallet API over HTTP on https://(\S+)/rpc$`)
	s.line(`^(unlocked by --unlock-from)$`)
	s.until("READY=1")
	s.until("STATUS=ready: it pays")
	s.until("WATCHDOG=1")
	if got := fingerprintAt(t, addr); got != fingerprintOf(t, first) {
		t.Errorf("it serves the certificate %s", got)
	}

	copyTo(t, second, folder, "rpc-cert.pem")
	copyTo(t, second, folder, "rpc-key.pem")
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.line(`^SIGHUP: TLS certificate (` + fingerprintOf(t, second) + `);`)
	s.until("RELOADING=1")
	s.until("READY=1")
	if got := fingerprintAt(t, addr); got != fingerprintOf(t, second) {
		t.Errorf("after it read again it serves the certificate %s", got)
	}

	writeFile(t, folder, "rpc-cert.pem", "half a certificate")
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.line(`^SIGHUP: the certificate from before stays in use: (.*)$`)
	s.until("READY=1")
	if got := fingerprintAt(t, addr); got != fingerprintOf(t, second) {
		t.Errorf("after a certificate that cannot be used it serves %s", got)
	}

	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.until("STOPPING=1")
	s.line(`^all calls are answered, (the wallet is locked)$`)
}

// The CAs of clients are read again with the certificate: who was let in before is refused then, with the session that it had, and who
// was refused is let in. A file that has none changes nothing.
func TestTheCAsOfClientsAreReadAgain(t *testing.T) {
	folder := testwallet.Folder(t)
	first, old := authority(t)
	second, next := authority(t)
	name := func(ca []byte) string {
		return writeFile(t, folder, "clients.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca})))
	}
	s := startSupervised(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-tls", "--rpc-client-ca="+name(first))
	addr := s.line(`^wallet API over HTTP on https://(\S+)/rpc$`)
	sessions := tls.NewLRUClientSessionCache(1)
	lets := func(shown []tls.Certificate) bool {
		config := &tls.Config{InsecureSkipVerify: true, Certificates: shown, ClientSessionCache: sessions}
		client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: config}}
		resp, err := client.Get("https://" + addr + "/healthz")
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil
	}
	for range 2 { // the second time there would be a session
		if !lets(old) {
			t.Error("who has a certificate of the CA is refused")
		}
	}
	writeFile(t, folder, "clients.pem", "half a certificate")
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.line(`^SIGHUP: the certificate from before stays in use: (.*clients.pem.*)$`)
	if !lets(old) {
		t.Error("a file that cannot be used changed something")
	}
	name(second)
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.line(`^SIGHUP: TLS certificate (.*)$`)
	if lets(old) || lets(nil) || !lets(next) {
		t.Error("the CAs from before are in use")
	}
}

// A server whose password is missing, wrong, readable by others or not sent starts locked, says why, and asks nobody.
func TestAServiceWithoutItsPasswordStartsLocked(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	open := writeFile(t, folder, "open", sandboxPassword)
	must(t, os.Chmod(open, 0o644))
	for from, want := range map[string]string{
		writeFile(t, folder, "wrong", "another"):                                   "that is not the password of this wallet",
		writeFile(t, folder, "empty", "\n"):                                        "it is empty; write the secret there, in one line",
		writeFile(t, folder, "long", strings.Repeat("x", passwordSecret().most+1)): "is larger than",
		writeFile(t, folder, "two", sandboxPassword+"\nnext\n"):                    "there are several lines, and it is one",
		open:                          "other users may read",
		folder:                        folder + " is a folder; name the file in it",
		filepath.Join(folder, "none"): "there is no file " + filepath.Join(folder, "none") + "; write the whole path of one",
		"fd:99":                       "fd:99 is not open",
		"fd:0":                        "it is empty; write the secret there, in one line",
		"credential:wallet":           "there are no credentials",
		"command:exit 3":              "the command failed: exit status 3",
		"command:yes":                 "more than 4096 bytes came",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			wallet := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--unlock-from="+from)
			api := remote{t, wallet.line(`^wallet API over HTTP on (http://\S+)$`)}
			if got := wallet.line(`^the wallet stays locked: --unlock-from: (.*)$`); !strings.Contains(got, want) {
				t.Errorf("it says %q, not %q", got, want)
			}
			api.isReady(onlyLocked)
		})
	}
}

// While the password is waited for, the server listens, and says that it is locked and why. Whoever started it is told that it is ready afterwards.
func TestAServiceListensWhileItsPasswordIsAwaited(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	must(t, err)
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, "--sandbox", "--rpc-http=127.0.0.1:0", "--unlock-from=fd:3")
	cmd.ExtraFiles = []*os.File{read}
	wallet := begin(t, "1", cmd)
	api := remote{t, wallet.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.isReady("not ready: " + unlockingWhy + "\n")
	if got := api.ok("is_locked"); got != "true" {
		t.Errorf("is_locked: %s", got)
	}
	if code, text := api.status(t, "status"); code != shell.IsLocked || !strings.Contains(text, unlockingWhy) {
		t.Errorf("billfold status ends with %d: %s", code, text)
	}
	_, err = write.WriteString(sandboxPassword)
	must(t, errors.Join(err, write.Close(), read.Close()))
	api.isReady("ok")
}

// A credential that the unit does not have is told with those that it has.
func TestACredentialThatIsMissingIsTold(t *testing.T) {
	folder := testwallet.Folder(t)
	writeFile(t, folder, "wallet-password", sandboxPassword)
	t.Setenv("CREDENTIALS_DIRECTORY", folder)
	if _, err := newSettings().secretFrom(t.Context(), "credential:nope", passwordSecret()); err == nil ||
		err.Error() != "the unit has no credential of the name nope (there is wallet-password); add LoadCredentialEncrypted=nope:FILE to it, or correct the name" {
		t.Errorf("it says %v", err)
	}
	if text, err := newSettings().secretFrom(t.Context(), "credential:wallet-password", passwordSecret()); err != nil || string(text) != sandboxPassword {
		t.Errorf("it gave %q, %v", text, err)
	}
}

// A command that takes too long ends with all that it started, and what it leaves behind keeps nobody waiting.
func TestACommandForThePasswordEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if text, err := passwordSecret().commandText(ctx, "echo early; sleep 1000; true"); err == nil || !strings.Contains(err.Error(), "in time") {
		t.Errorf("it gave %q, %v", text, err)
	}
	left := filepath.Join(t.TempDir(), "left")
	if text, err := passwordSecret().commandText(t.Context(), "echo password; sleep 1000 2>/dev/null & echo $! >"+left); err != nil || string(text) != "password\n" {
		t.Errorf("it gave %q, %v", text, err)
	}
	text, err := os.ReadFile(left)
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	must(t, syscall.Kill(pid, syscall.SIGKILL))
}

// The password of a service may come from a command and over a descriptor that its starter opened.
func TestAServiceIsUnlockedFromElsewhere(t *testing.T) {
	t.Parallel()
	start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--unlock-from=command:printf '%s\\n' "+sandboxPassword).line(`^(unlocked by --unlock-from)$`)
	program, err := os.Executable()
	must(t, err)
	read, write, err := os.Pipe()
	must(t, err)
	cmd := exec.Command(program, "--sandbox", "--rpc-http=127.0.0.1:0", "--unlock-from=fd:3")
	cmd.ExtraFiles = []*os.File{read}
	wallet := begin(t, "1", cmd)
	_, err = write.WriteString(sandboxPassword)
	must(t, errors.Join(err, write.Close(), read.Close()))
	wallet.line(`^(unlocked by --unlock-from)$`)
}

// certificateIn makes a certificate, and returns the folder of rpc-cert.pem and rpc-key.pem.
func certificateIn(t *testing.T) string {
	t.Helper()
	folder := testwallet.Folder(t)
	_, err := certificate.Own(folder, nil, nil)
	must(t, err)
	return folder
}

func fingerprintOf(t *testing.T, folder string) string {
	t.Helper()
	own, err := certificate.Own(folder, nil, nil)
	must(t, err)
	return own.Fingerprint()
}

// copyTo copies a file of one folder to another, which only the user may read, and returns its path there.
func copyTo(t *testing.T, from, to, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(from, name))
	must(t, err)
	return writeFile(t, to, name, string(text))
}

// fingerprintAt returns the fingerprint of the certificate that a server has for a new connection.
func fingerprintAt(t *testing.T, addr string) string {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	resp, err := client.Get("https://" + addr + "/healthz")
	must(t, err)
	defer resp.Body.Close()
	return certificate.FingerprintOf(resp.TLS.PeerCertificates[0])
}

// The unit, its addition and the container start the program with flags and settings that it has, and the unit leaves a service
// little that it could harm.
func TestPackagingStartsThisProgram(t *testing.T) {
	t.Parallel()
	root, values := rootCommand(throwAwayKeystore()), newSettings().values
	for _, name := range []string{"systemd/billfold.service", "systemd/unlock.conf", "container/Containerfile"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "packaging", filepath.FromSlash(name)))
		must(t, err)
		for _, word := range strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" \n=\"\\", r) }) {
			if flag, is := strings.CutPrefix(word, "--"); is && strings.Contains(flag, "rpc-") || flag == "data-dir" || flag == "unlock-from" {
				if root.PersistentFlags().Lookup(flag) == nil && root.Flags().Lookup(flag) == nil {
					t.Errorf("%s: the program has no flag %s", name, word)
				}
			}
			if variable, is := strings.CutPrefix(word, environmentPrefix); is {
				wanted := strings.ToLower(strings.ReplaceAll(variable, "_", "-"))
				if !slices.ContainsFunc(values.Settings(), func(s setting.Setting) bool { return s.Name == wanted }) {
					t.Errorf("%s: the program has no setting %s", name, word)
				}
			}
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed (Debian: systemd), so how exposed the unit is was not looked at")
	}
	const most = "20" // tenths
	out, err := exec.Command(analyze, "security", "--offline=true", "--threshold="+most, "../../packaging/systemd/billfold.service").CombinedOutput()
	if err != nil {
		t.Errorf("the unit is exposed too much: %v\n%s", err, out)
	}
}
