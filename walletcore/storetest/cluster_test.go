//go:build linux

package storetest

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// asVictim in the environment has the test binary start a cluster and die.
const asVictim = "STORETEST_VICTIM"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sql runs statements as the role that tests use.
func sql(c *Cluster, url string, statements ...string) (string, error) {
	args := []string{"-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url}
	for _, s := range statements {
		args = append(args, "-c", s)
	}
	return c.use.run("psql", args...)
}

func mustSQL(t *testing.T, c *Cluster, url string, statements ...string) string {
	t.Helper()
	out, err := sql(c, url, statements...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatWasCommittedSurvives(t *testing.T) {
	t.Parallel()
	c := Start(t, "work_mem = '5MB'")
	url := c.Database()
	mustSQL(t, c, url, "CREATE TABLE kept (n INT)")
	for n, end := range []func(){c.Kill, c.Stop} {
		mustSQL(t, c, url, "INSERT INTO kept VALUES ("+strconv.Itoa(n)+")")
		end()
		if out, err := sql(c, url, "SELECT 1"); err == nil {
			t.Error("one that has ended answers", out)
		}
		c.Restart()
		if got := mustSQL(t, c, url, "SELECT COUNT(*) FROM kept"); got != strconv.Itoa(n+1) {
			t.Error("kept are", got)
		}
	}
	for setting, want := range map[string]string{"fsync": "on", "full_page_writes": "on", "work_mem": "5MB"} {
		if got := mustSQL(t, c, url, "SHOW "+setting); got != want {
			t.Errorf("%s is %s", setting, got)
		}
	}
	if got := mustSQL(t, c, url, "SELECT usesuper FROM pg_user WHERE usename = current_user"); got != "f" {
		t.Error("tests run as a superuser")
	}
	if got := mustSQL(t, c, c.Database(), "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'"); got != "0" {
		t.Error("another database has", got)
	}
}

func TestAPausedClusterGoesOn(t *testing.T) {
	t.Parallel()
	c := Start(t)
	url := c.Database()
	c.Pause()
	done := make(chan error, 1)
	go func() {
		_, err := sql(c, url, "SELECT 1")
		done <- err
	}()
	select {
	case err := <-done:
		t.Error("one that stands still answers:", err)
	case <-time.After(100 * time.Millisecond):
	}
	c.Resume()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A COMMIT that waits for a standby is on it.
func TestAStandbyTakesOver(t *testing.T) {
	t.Parallel()
	c := Start(t)
	url := c.Database()
	standby := c.Standby(true)
	if got := c.Admin("SHOW synchronous_standby_names"); got != standbyName {
		t.Error("it waits for", got)
	}
	mustSQL(t, c, url, "CREATE TABLE kept (n INT)", "INSERT INTO kept VALUES (7)")
	c.Kill()
	if got := standby.Admin("SELECT pg_is_in_recovery()"); got != "t" {
		t.Error("it is no standby")
	}
	standby.Promote()
	there := strings.Replace(url, c.Address(), standby.Address(), 1)
	if got := mustSQL(t, c, there, "INSERT INTO kept VALUES (8)", "SELECT SUM(n) FROM kept"); got != "15" {
		t.Error("the standby has", got)
	}
	next := standby.Standby(false) // which waits for nobody
	mustSQL(t, c, there, "INSERT INTO kept VALUES (9)")
	next.Stop()
	mustSQL(t, c, there, "INSERT INTO kept VALUES (10)")
}

// However a test ends, nothing of its cluster goes on, and the next one removes what is left.
func TestNothingIsLeftBehind(t *testing.T) {
	if os.Getenv(asVictim) != "" {
		c := Start(t)
		os.Stdout.WriteString("cluster " + strconv.Itoa(c.server.pid) + " " + c.folder + "\n")
		select {}
	}
	t.Parallel()
	find(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	victim := exec.Command(program, "-test.run=^TestNothingIsLeftBehind$")
	victim.Env = append(os.Environ(), asVictim+"=1")
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	var pid, folder string
	for lines := bufio.NewScanner(out); pid == "" && lines.Scan(); {
		if said, ok := strings.CutPrefix(lines.Text(), "cluster "); ok {
			pid, folder, _ = strings.Cut(said, " ")
		}
	}
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	family := (&server{pid: n}).family()
	_ = victim.Process.Kill()
	_ = victim.Wait()
	for _, pid := range family {
		for end := time.Now().Add(patience); runs(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("of %v, %d goes on", family, pid)
			}
		}
	}
	if len(family) < 4 {
		t.Error("the cluster was", family)
	}
	Start(t)
	if _, err := os.Stat(folder); err == nil {
		t.Error("its folder is left")
	}
}

// runs reports whether a process does something: it is neither gone nor waiting for its parent to notice its end.
func runs(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(after, "Z") && syscall.Kill(pid, 0) == nil
}
