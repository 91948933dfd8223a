//go:build linux

package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// mustHave names the variable of the environment that, set to "must", enables the tests that need PostgreSQL.
const mustHave = "STORETEST_POSTGRES"

// programs are PostgreSQL's programs, and the user they run as.
type programs struct {
	bin string
	as  *syscall.Credential // nil = as this process
}

// requirePrograms finds PostgreSQL, or skips the test if it was not asked for: a test that starts one takes seconds.
func requirePrograms(t testing.TB) programs {
	t.Helper()
	if os.Getenv(mustHave) != "must" {
		t.Skipf("it starts a PostgreSQL: make postgres runs it, as does %s=must", mustHave)
	}
	p, err := findPrograms()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func findPrograms() (p programs, err error) {
	if at, err := exec.LookPath("initdb"); err == nil {
		if at, err = filepath.EvalSymlinks(at); err != nil { // the other programs are next to the real one
			return p, err
		}
		p.bin = filepath.Dir(at)
	} else {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well formed
		if len(found) == 0 {
			return p, errors.New("there is no PostgreSQL on this machine; apt-get install postgresql")
		}
		p.bin = filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return versionIn(a) - versionIn(b) }))
	}
	if os.Geteuid() != 0 {
		return p, nil
	}
	runs, err := user.Lookup("postgres")
	if err != nil {
		return p, errors.New("PostgreSQL does not run as root, and there is no user postgres")
	}
	uid, errUser := strconv.ParseUint(runs.Uid, 10, 32)
	gid, errGroup := strconv.ParseUint(runs.Gid, 10, 32)
	p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return p, errors.Join(errUser, errGroup)
}

// versionIn returns the version in a path like /usr/lib/postgresql/15/bin/initdb.
func versionIn(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

func (p programs) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as}
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=" + p.bin + ":/usr/bin:/bin"} // without the PG… variables of whoever runs the tests
	cmd.Dir = "/"
	return cmd
}

// run runs a program to its end and returns what it printed.
func (p programs) run(name string, args ...string) (string, error) {
	out, err := p.command(name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// prepare makes a data folder: a copy of the one that initdb made earlier on this machine.
func (p programs) prepare(dir string) error {
	saved, err := p.template()
	if err != nil {
		return err
	}
	if saved == "" {
		return p.initdb(dir)
	}
	if _, err := os.Stat(saved); err != nil {
		if err := p.initdb(dir); err != nil {
			return err
		}
		return saveTemplate(dir, saved)
	}
	if err := os.CopyFS(dir, os.DirFS(saved)); err != nil {
		return err
	}
	return p.changeOwner(dir)
}

// template returns where the result of initdb is kept, "" if there is no folder for it.
func (p programs) template() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", nil // a machine without a cache folder does without
	}
	version, err := p.run("postgres", "--version")
	if err != nil {
		return "", err
	}
	name := strings.NewReplacer(" ", "_", "/", "_", "(", "", ")", "").Replace(version)
	return filepath.Join(cache, "billfold-test", name), nil
}

// saveTemplate copies a data folder to where it is looked for. If several processes do so at once, one wins.
func saveTemplate(dir, saved string) error {
	if err := os.MkdirAll(filepath.Dir(saved), 0o700); err != nil {
		return nil //nolint:nilerr // as above
	}
	copied, err := os.MkdirTemp(filepath.Dir(saved), "new-")
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	defer os.RemoveAll(copied)
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		return err
	}
	_ = os.Rename(copied, saved) // on failure another process was faster
	return nil
}

// changeOwner makes PostgreSQL's user the owner of a copy.
func (p programs) changeOwner(dir string) error {
	if err := os.Chmod(dir, 0o700); err != nil || p.as == nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(p.as.Uid), int(p.as.Gid))
	})
}

// initdb makes a data folder. Text is sorted as in English, so whatever relies on another order has to say so.
func (p programs) initdb(dir string) error {
	args := []string{"-D", dir, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C", "--wal-segsize=4"}
	if version, err := p.run("initdb", "--help"); err == nil && strings.Contains(version, "--icu-locale") {
		args = append(args, "--locale-provider=icu", "--icu-locale=en-US")
	}
	if _, err := p.run("initdb", args...); err != nil {
		return err
	}
	cmd := p.command("postgres", "--single", "-D", dir, "postgres")
	cmd.Stdin = strings.NewReader("CREATE ROLE " + role + " LOGIN\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the role cannot be created: %w: %s", err, out)
	}
	return nil
}

// role owns the databases of tests, and is not a superuser.
const role = "billfold"
