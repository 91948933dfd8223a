//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// runBeside runs a command in a process of its own with lines of standard input, and returns what it prints.
func runBeside(t *testing.T, stdin string, args ...string) (out string, err error) {
	t.Helper()
	return runProcess(stdin, args...)
}

// A wallet is backed up while it pays, pays on, and is killed. The backup is restored into another folder: it answers what it knows, pays
// nothing again, and once it was accepted and what it lacks was claimed, each request has its first outcome. The ledger has each payment once.
func TestARestoredBackupPaysNothingTwice(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	const orders, before, during = 30, 6, 12
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	node, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	folder := testwallet.Folder(t)
	file, restored := filepath.Join(folder, "monday"), filepath.Join(folder, "restored")
	w := startOn(t, filepath.Join(folder, "wallet"), node)
	w.ok("set_password", "soak")
	w.unlock()
	w.ok("import_single_key", "alice", wif)
	had := w.ok("list_account_balances", "bobby")

	first := map[string]string{}
	order := func(w *spender, n int) (id string) {
		params := `["alice","bobby","1","DCT","",true,"order-` + fmt.Sprint(n) + `"]`
		var all []json.RawMessage
		must(t, json.Unmarshal([]byte(params), &all))
		return w.spend(spendRow{"transfer", all})
	}
	for n := range before {
		first[fmt.Sprint(n)] = order(w, n)
	}
	sealed := make(chan error, 1)
	go func() {
		out, err := runBeside(t, "sealing\n", "--data-dir="+filepath.Join(folder, "wallet"), "backup", file)
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		sealed <- err
	}()
	for n := before; n < orders; n++ {
		if n == during+before { // what comes after is surely not in it
			must(t, <-sealed)
		}
		first[fmt.Sprint(n)] = order(w, n)
	}
	w.dumped = true // it does not end normally
	must(t, w.cmd.Process.Signal(syscall.SIGKILL))
	for range w.seen { // until it has ended
	}
	ids := slices.Compact(slices.Sorted(maps.Values(first)))
	if len(ids) != orders || ids[0] == "" {
		t.Fatalf("%d orders made %d payments", orders, len(ids))
	}

	out, err := runBeside(t, "sealing\nsoak\n", "--data-dir="+restored, "--daemon-url="+node, "restore", "--check", file)
	if err != nil || !strings.Contains(out, "alice 1.2.16: the keys in the backup pay for it\nrecoverable: yes\n") {
		t.Fatalf("the check ends with %v: %s", err, out)
	}
	out, err = runBeside(t, "sealing\n", "--data-dir="+restored, "restore", file)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w = startOn(t, restored, node)
	w.unlock()
	w.isReady("not ready: the payment journal is not the one that the wallet wrote last")
	again := func() (answered int) {
		t.Helper()
		for n := range orders {
			id := order(w, n)
			if id != "" && id != first[fmt.Sprint(n)] {
				t.Fatalf("order-%d is paid again: %s after %s", n, id, first[fmt.Sprint(n)])
			}
			if id != "" {
				answered++
			}
		}
		return answered
	}
	held := again()
	w.stop()

	own := []string{"--data-dir=" + restored, "--daemon-url=" + node}
	out, _ = runBeside(t, "", append(own, "journal", "status")...)
	_, from, is := strings.Cut(out, "billfold journal accept ")
	if !is || !strings.Contains(out, "came out of a backup of ") {
		t.Fatalf("the journal is called %s", out)
	}
	from, _, _ = strings.Cut(strings.TrimPrefix(from, "--from-block "), " ")
	out, err = runBeside(t, "soak\n", append(own, "journal", "accept", "--from-block", from)...)
	if found := strings.Count(out, "\nfound "); err != nil || found < orders-before-during || found > orders-before {
		t.Fatalf("accept finds %d, and ends with %v: %s", found, err, out)
	}
	w = startOn(t, restored, node)
	w.unlock()
	accepted := again()
	t.Logf("of %d orders %d were answered while the wallet was held, %d once it was accepted", orders, held, accepted)
	if accepted < before || accepted > before+during {
		t.Errorf("%d of %d orders are answered before the others are claimed", accepted, orders)
	}
	for n := range orders {
		key := fmt.Sprint("order-", n)
		if order(w, n) == "" {
			if out, err := runBeside(t, "", append(own, "journal", "claim", key, first[fmt.Sprint(n)])...); err != nil {
				t.Errorf("%s is not claimed: %s", key, out)
			}
		}
	}
	if all := again(); all != orders {
		t.Errorf("%d of %d orders are answered once all are claimed", all, orders)
	}
	if now := w.ok("list_account_balances", "bobby"); balanceOf(t, now)-balanceOf(t, had) != orders*100_000_000 {
		t.Errorf("bobby had %s and has %s", had, now)
	}
	if id := order(w, orders); id == "" {
		t.Error("a new order is not paid")
	}
}

// balanceOf returns what list_account_balances answers for DCT, in its smallest unit.
func balanceOf(t *testing.T, answer string) (sum int64) {
	t.Helper()
	found := regexp.MustCompile(`"(\d+)\.(\d{8}) DCT"`).FindStringSubmatch(answer)
	if found == nil {
		t.Fatalf("no balance in %s", answer)
	}
	_, err := fmt.Sscan(found[1]+found[2], &sum)
	must(t, err)
	return sum
}
