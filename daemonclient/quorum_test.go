package daemonclient_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
)

// count asks how many accounts there are, of as many daemons as the quorum wants.
func count(ctx context.Context, c *daemonclient.Client) (uint64, error) {
	return daemonclient.AskQuorum(ctx, c, "the number of accounts",
		func(ctx context.Context, q daemonclient.Queries) (uint64, error) { return q.AccountCount(ctx) },
		func(n uint64) string { return strconv.FormatUint(n, 10) })
}

// says makes a node that counts so many accounts.
func says(t testing.TB, accounts string) *node {
	return newNode(t, func(n *node) { n.says = map[string]string{"get_account_count": accounts} })
}

func quorum(t testing.TB, want int, nodes ...*node) *daemonclient.Client {
	cfg := daemonclient.Config{Quorum: want, ProbeInterval: 10 * time.Millisecond}
	for _, n := range nodes {
		cfg.URLs = append(cfg.URLs, n.url)
	}
	c := start(t, cfg)
	await(t, c, "all online", allOnline)
	return c
}

func TestQuorumAgrees(t *testing.T) {
	a, b, spare := says(t, "21"), says(t, "21"), says(t, "21")
	c := quorum(t, 2, a, b, spare)
	if n, err := count(within(t), c); n != 21 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	if asked := a.count("get_account_count") + b.count("get_account_count") + spare.count("get_account_count"); asked != 2 {
		t.Errorf("%d daemons were asked", asked)
	}
}

func TestQuorumNamesWhoDisagrees(t *testing.T) {
	a, b, liar := says(t, "21"), says(t, "21"), says(t, "22")
	c := quorum(t, 3, a, b, liar)
	_, err := count(within(t), c)
	var disagree *daemonclient.DisagreeError
	if !errors.Is(err, daemonclient.ErrDisagree) || !errors.As(err, &disagree) {
		t.Fatalf("got %v", err)
	}
	slices.SortFunc(disagree.Answers, func(a, b daemonclient.DaemonAnswer) int { return strings.Compare(a.Meaning, b.Meaning) })
	if odd, rest := disagree.Dissenters(); len(odd) != 1 || odd[0] != liar.url || len(rest) != 2 {
		t.Errorf("%v against %v", odd, rest)
	}
	if !strings.HasPrefix(err.Error(), liar.url+" disagrees with "+disagree.Answers[0].URL+" and ") ||
		!strings.Contains(err.Error(), "about the number of accounts") {
		t.Errorf("it says: %v", err)
	}
	liar.set(func(n *node) { n.says["get_account_count"] = "21" })
	if n, err := count(within(t), c); n != 21 || err != nil {
		t.Errorf("when they agree again: %d, %v", n, err)
	}
}

// One daemon may be a block behind when it is asked first.
func TestQuorumAsksAgain(t *testing.T) {
	a, late := says(t, "21"), says(t, "20")
	c := quorum(t, 2, a, late)
	done := make(chan error, 1)
	go func() {
		_, err := count(within(t), c)
		done <- err
	}()
	for late.count("get_account_count") == 0 {
		time.Sleep(time.Millisecond)
	}
	late.set(func(n *node) { n.says["get_account_count"] = "21" })
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestQuorumOfTooFew(t *testing.T) {
	a, b, down := says(t, "21"), says(t, "21"), says(t, "21")
	c := quorum(t, 3, a, b, down)
	down.set(func(n *node) { n.down = true })
	await(t, c, "one down", func(s daemonclient.Status) bool { return s.Daemons[2].State == daemonclient.Offline })
	_, err := count(within(t), c)
	var few *daemonclient.TooFewError
	if !errors.Is(err, daemonclient.ErrTooFew) || !errors.Is(err, daemonclient.ErrUnavailable) || !errors.As(err, &few) || few.Want != 3 ||
		few.Have != 2 {
		t.Errorf("got %v", err)
	}
}

func TestQuorumReplacesOneThatFails(t *testing.T) {
	a, fails, spare := says(t, "21"), says(t, `"many"`), says(t, "21")
	c := quorum(t, 2, a, fails, spare)
	if n, err := count(within(t), c); n != 21 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestQuorumIsNotMoreThanTheList(t *testing.T) {
	err := daemonclient.New(daemonclient.Config{URLs: []string{"ws://one:1", "ws://two:1"}, Quorum: 3}).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "--daemon-quorum wants 3 daemons and --daemon-url names 2") {
		t.Errorf("got %v", err)
	}
}

// What one Daemon says comes over one connection only.
func TestDaemonEndsWithItsLine(t *testing.T) {
	c, used, reserve := pair(t, daemonclient.Config{})
	d, err := c.Current()
	if err != nil || d.URL != used.url {
		t.Fatalf("%s, %v", d.URL, err)
	}
	if n, err := d.AccountCount(within(t)); n != 21 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	used.set(func(n *node) { n.down = true })
	await(t, c, "the other in use", uses(reserve))
	if _, err := d.AccountCount(within(t)); !errors.Is(err, daemonclient.ErrUnavailable) {
		t.Errorf("over the line that is gone: %v", err)
	}
	if reserve.count("get_account_count") != 0 {
		t.Error("the other daemon was asked")
	}
}
