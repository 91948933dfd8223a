package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/payout"
	"billfold/walletcore/testwallet"
)

// payoutRun is a payout by processes that are killed.
type payoutRun struct {
	*testing.T
	daemon, folder, file string
	rows                 int
}

// A payout whose program is killed again and again at random times pays exactly the plan: every row is in the
// blocks once. PAYOUT_ROWS makes it a long one.
func TestAPayoutThatIsKilledIsPaidExactly(t *testing.T) {
	t.Parallel()
	rows, _ := strconv.Atoi(cmp.Or(os.Getenv("PAYOUT_ROWS"), "130"))
	seed, _ := strconv.ParseUint(cmp.Or(os.Getenv("PAYOUT_SEED"), strconv.FormatInt(time.Now().UnixNano(), 10)), 10, 64)
	t.Logf("PAYOUT_ROWS=%d PAYOUT_SEED=%d", rows, seed)
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // not used for secrets
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--fund=alice=1000000 DCT")
	r := payoutRun{t, box.line(`^websocket +(ws://\S+)$`), testwallet.Folder(t), filepath.Join(testwallet.Folder(t), "may.csv"), rows}
	nodes := remote{t, box.line(`^HTTP +(http://\S+)$`)}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	r.writeFile()
	kills := 0
	for batches := (rows + 49) / 50; ; kills++ {
		if kills > 4*batches+20 {
			t.Fatalf("it was not through after %d kills", kills)
		}
		after := -1
		if kills < 3 || random.IntN(4) > 0 {
			after = random.IntN(1 + min(batches, 20))
		}
		if r.pay(after, time.Duration(random.IntN(50))*time.Millisecond) {
			break
		}
	}
	t.Logf("killed %d times", kills)
	r.compare(nodes)
	r.oneLineMore()
}

// oneLineMore pays a copy of the file with another name and an additional line, which would pay all other lines twice.
func (r *payoutRun) oneLineMore() {
	r.Helper()
	text, err := os.ReadFile(r.file)
	must(r, err)
	other := filepath.Join(r.TempDir(), "june.csv")
	must(r, os.WriteFile(other, append(text, "1.2.15,1,1.3.0,\n"...), 0o600))
	pay := []string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder, "pay", other, "--yes"}
	want := "paid before, by plan "
	counted := fmt.Sprintf(": %d of %d payments (", r.rows, r.rows+1)
	out, told, code := runToEnd(r.T, "killed\n", pay...)
	if code != 1 || !strings.Contains(told, want) || !strings.Contains(told, counted) || strings.Contains(out, "sent ") {
		r.Errorf("a file with a line more ends with %d: %s%s", code, out, told)
	}
	out, told, code = runToEnd(r.T, "killed\n", append(pay, "--label=june", "--dry-run")...)
	if code != 0 || !strings.Contains(out, "CAREFUL: "+want) {
		r.Errorf("the same under a label ends with %d: %s%s", code, out, told)
	}
}

// Where nobody can type the password and no line has it, a payout, a call and a file say that it is what is missing, and how it is given; no line of the
// payout's file is blamed.
func TestAMissingPasswordIsNamed(t *testing.T) {
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0")
	r := payoutRun{t, box.line(`^websocket +(ws://\S+)$`), testwallet.Folder(t), filepath.Join(testwallet.Folder(t), "may.csv"), 2}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	r.writeFile()
	for _, words := range [][]string{{"pay", r.file, "--yes"}, {"pay", r.file, "--dry-run"}, {"call", "transfer", "alice", "bobby", "1", "DCT", "", "true"}} {
		out, told, code := runToEnd(t, "", append([]string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder}, words...)...)
		if code != 4 || !strings.HasPrefix(told, "billfold: the wallet password is missing: standard input has ended; give it as a line there, ") || !strings.Contains(told, "hint: nothing was done; ") {
			t.Errorf("%q ends with %d: %s%s", words, code, out, told)
		}
	}
}

// What a node had and refused may still happen. A call, its repeat and a payout say that through a server too, and end with the code for it.
func TestARefusedPaymentThroughAServerMayHappen(t *testing.T) {
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	r := payoutRun{t, box.line(`^websocket +(ws://\S+)$`), testwallet.Folder(t), filepath.Join(testwallet.Folder(t), "may.csv"), 2}
	node := remote{t, box.line(`^HTTP +(http://\S+)$`)}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	r.writeFile()
	server := start(t, "--daemon-url="+r.daemon, "--data-dir="+r.folder, "--rpc-http=127.0.0.1:0")
	api := remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.ok("unlock", "killed")
	call := []string{"call", "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-1"}
	for _, words := range [][]string{call, call, {"pay", r.file, "--yes"}} {
		node.ok("sandbox_refuse_broadcast", "10", "not today")
		out, told, code := runToEnd(t, "", append(words, "--to="+api.url, "--data-dir="+r.folder)...)
		if code != 3 || !strings.Contains(told, "it may still happen") || strings.Count(told, "refused: ") != 1 {
			t.Errorf("%q ends with %d: %s%s", words, code, out, told)
		}
	}
}

func (r *payoutRun) makeWallet(wif string) {
	p := start(r, "--daemon-url="+r.daemon, "--data-dir="+r.folder, "--rpc-http=127.0.0.1:0")
	api := remote{r, p.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.ok("set_password", "killed")
	api.ok("unlock", "killed")
	api.until("1.2.", "get_account", "alice")
	api.ok("import_key", "alice", wif)
	p.stop()
}

// amountOf returns a different amount for each row, and none that the demo accounts pay each other.
func amountOf(row int) string { return fmt.Sprintf("3.%08d", row) }

func (r *payoutRun) writeFile() {
	var text strings.Builder
	text.WriteString("account,amount,asset,memo\n")
	for row := 1; row <= r.rows; row++ {
		memo := ""
		if row%40 == 0 {
			memo = "row " + strconv.Itoa(row)
		}
		fmt.Fprintf(&text, "%s,%s,DCT,%s\n", []string{"bobby", "carol"}[row%2], amountOf(row), memo)
	}
	must(r, os.WriteFile(r.file, []byte(text.String()), 0o600))
}

// pay runs the payout and kills it some time after it has sent a number of transactions; with
// -1 it does not kill it. It reports whether the payout finished.
func (r *payoutRun) pay(after int, pause time.Duration) bool {
	program, err := os.Executable()
	must(r, err)
	cmd := exec.Command(program, "--daemon-url="+r.daemon, "--data-dir="+r.folder, "pay", r.file, "--yes")
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit)
	cmd.Stdin = strings.NewReader("killed\n")
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	must(r, err)
	must(r, cmd.Start())
	sent := 0
	for lines := bufio.NewScanner(out); sent != after && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "sent ") {
			sent++
		}
	}
	if after >= 0 {
		time.Sleep(pause) // any time between two sends
		must(r, cmd.Process.Kill())
	}
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	if err != nil && after < 0 {
		r.Fatalf("it ended with %v: %s", err, problems.String())
	}
	return err == nil
}

// compare compares blocks and receipt with the file.
func (r *payoutRun) compare(node remote) {
	files, err := filepath.Glob(r.file + ".receipt-*.jsonl")
	must(r, err)
	if len(files) != 1 {
		r.Fatalf("the receipts are %v", files)
	}
	text, err := os.ReadFile(files[0])
	must(r, err)
	receipt, err := payout.ReadReceipt(text)
	must(r, err)
	if len(receipt.Rows) != r.rows {
		r.Errorf("the receipt has %d rows of %d", len(receipt.Rows), r.rows)
	}
	last := uint32(0)
	for _, row := range receipt.Rows {
		last = max(last, row.Block)
		if want := amountOf(row.Row); row.Amount != want {
			r.Errorf("the receipt has %s in row %d", row.Amount, row.Row)
		}
	}
	const leastPaid = 3_00000000
	paid := map[int64]int{}
	for num := uint32(1); num <= last; num++ {
		var block struct {
			Transactions []struct {
				Operations []ledger.Operation
			}
		}
		must(r, json.Unmarshal([]byte(node.ok("get_block", strconv.Itoa(int(num)))), &block))
		for _, tx := range block.Transactions {
			for _, op := range tx.Operations {
				if pays, is := op.Body.(*ledger.TransferObsoleteOp); is && pays.Amount.Amount > leastPaid {
					paid[pays.Amount.Amount-leastPaid]++
				}
			}
		}
	}
	for row := 1; row <= r.rows; row++ { // anything left is an additional payment
		if n := paid[int64(row)]; n != 1 {
			r.Errorf("row %d was paid %d times", row, n)
		}
	}
}
