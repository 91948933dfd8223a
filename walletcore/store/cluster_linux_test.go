package store_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"billfold/walletcore/storetest"

	"github.com/jackc/pgx/v5/pgconn"
)

// asVictim in the environment has the test binary start a cluster and die.
const asVictim = "STORETEST_VICTIM"

// sql runs statements on one line to a database, each by itself, and returns what is answered, a row a line.
func sql(ctx context.Context, url string, statements ...string) (string, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return "", err
	}
	config.DialFunc = dialOnce()
	c, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return "", err
	}
	defer c.Close(context.WithoutCancel(ctx)) //nolint:errcheck // what was answered counts
	var rows []string
	for _, s := range statements {
		results, err := c.Exec(ctx, s).ReadAll()
		if err != nil {
			return "", err
		}
		for _, result := range results {
			for _, row := range result.Rows {
				rows = append(rows, string(bytes.Join(row, []byte("|"))))
			}
		}
	}
	return strings.Join(rows, "\n"), nil
}

// dialOnce makes one line, and none for a request to cancel a statement, which pgconn sends by itself when its line breaks.
func dialOnce() pgconn.DialFunc {
	var dialled atomic.Bool
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if dialled.Swap(true) {
			return nil, errors.New("nothing is cancelled")
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

func mustSQL(t *testing.T, url string, statements ...string) string {
	t.Helper()
	out, err := sql(t.Context(), url, statements...)
	must(t, err)
	return out
}

func TestWhatWasCommittedSurvives(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t, "work_mem = '5MB'")
	url := c.Database()
	mustSQL(t, url, "CREATE TABLE kept (n INT)")
	for n, end := range []func(){c.Kill, c.Stop} {
		mustSQL(t, url, "INSERT INTO kept VALUES ("+strconv.Itoa(n)+")")
		end()
		if out, err := sql(t.Context(), url, "SELECT 1"); err == nil {
			t.Error("one that has ended answers", out)
		}
		c.Restart()
		if got := mustSQL(t, url, "SELECT COUNT(*) FROM kept"); got != strconv.Itoa(n+1) {
			t.Error("kept are", got)
		}
	}
	for setting, want := range map[string]string{"fsync": "on", "full_page_writes": "on", "work_mem": "5MB"} {
		if got := mustSQL(t, url, "SHOW "+setting); got != want {
			t.Errorf("%s is %s", setting, got)
		}
	}
	if got := mustSQL(t, url, "SELECT usesuper FROM pg_user WHERE usename = current_user"); got != "f" {
		t.Error("tests run as a superuser")
	}
	if got := mustSQL(t, c.Database(), "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'"); got != "0" {
		t.Error("another database has", got)
	}
}

func TestAPausedClusterGoesOn(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := c.Database()
	c.Pause()
	done := make(chan error, 1)
	go func() {
		_, err := sql(t.Context(), url, "SELECT 1")
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
	c := storetest.Start(t)
	url := c.Database()
	standby := c.Standby(true)
	if got := c.Admin("SHOW synchronous_standby_names"); got != "standby" {
		t.Error("it waits for", got)
	}
	mustSQL(t, url, "CREATE TABLE kept (n INT)", "INSERT INTO kept VALUES (7)")
	c.Kill()
	if got := standby.Admin("SELECT pg_is_in_recovery()"); got != "t" {
		t.Error("it is no standby")
	}
	standby.Promote()
	there := strings.Replace(url, c.Address(), standby.Address(), 1)
	if got := mustSQL(t, there, "INSERT INTO kept VALUES (8)", "SELECT SUM(n) FROM kept"); got != "15" {
		t.Error("the standby has", got)
	}
	next := standby.Standby(false) // which waits for nobody
	mustSQL(t, there, "INSERT INTO kept VALUES (9)")
	next.Stop()
	mustSQL(t, there, "INSERT INTO kept VALUES (10)")
}

// However a test ends, nothing of its cluster goes on, and the next one removes what is left.
func TestNothingIsLeftBehind(t *testing.T) {
	if os.Getenv(asVictim) != "" {
		os.Stdout.WriteString("cluster " + storetest.Start(t).Admin("SHOW data_directory") + "\n")
		select {}
	}
	t.Parallel()
	storetest.Start(t) // where there is none the test ends here
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
	var data string
	for lines := bufio.NewScanner(out); data == "" && lines.Scan(); {
		data, _ = strings.CutPrefix(lines.Text(), "cluster ")
		if !filepath.IsAbs(data) {
			data = ""
		}
	}
	family := processes(t, data)
	_ = victim.Process.Kill()
	_ = victim.Wait()
	for _, pid := range family {
		for end := time.Now().Add(time.Minute); runs(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("of %v, %d goes on", family, pid)
			}
		}
	}
	if len(family) < 4 {
		t.Error("the cluster was", family)
	}
	storetest.Start(t)
	if _, err := os.Stat(filepath.Dir(data)); err == nil {
		t.Error("its folder is left")
	}
}

// processes are the postmaster of a cluster, by its folder of data, and its children.
func processes(t *testing.T, data string) []int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	must(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	children, err := os.ReadFile(filepath.Join("/proc", first, "task", first, "children"))
	must(t, err)
	var all []int
	for field := range strings.FieldsSeq(first + " " + string(children)) {
		pid, err := strconv.Atoi(field)
		must(t, err)
		all = append(all, pid)
	}
	return all
}

// runs reports whether a process does something: it is neither gone nor waiting for its parent to notice its end.
func runs(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(after, "Z") && syscall.Kill(pid, 0) == nil
}
