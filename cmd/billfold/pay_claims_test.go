package main_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/cmd/billfold/payrun"
	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// lossyPayouts is a wallet whose journal loses the request keys of payments.
type lossyPayouts struct {
	*steadyPayouts
	folder  string
	journal *store.Journal
}

const lossyFlags = " --data-dir='/srv/my wallet' --daemon-url=wss://node.example"

func newLossyPayouts(t *testing.T) *lossyPayouts {
	p := &lossyPayouts{steadyPayouts: newSteadyPayouts(t), folder: testwallet.Folder(t)}
	p.reopen()
	return p
}

// reopen runs another wallet on the folder, as after a restart.
func (p *lossyPayouts) reopen() {
	kept, err := sqlite.Open(filepath.Join(p.folder, sqlite.Name))
	testwallet.Must(p.t, err)
	p.t.Cleanup(func() { testwallet.Must(p.t, kept.Close()) })
	keys, box := filepath.Join(p.folder, "wallet.keys"), p.on.Box
	_, missing := os.Stat(keys)
	p.on = testwallet.Connect(p.t, keys, box.URL(), func(cfg *walletcore.Config) { cfg.Store, cfg.Flags = kept, lossyFlags })
	p.on.Box = box
	testwallet.Must(p.t, p.on.Client.WaitOnline(p.on.Ctx))
	if missing != nil {
		p.on.Hold("alice")
	} else {
		testwallet.Must(p.t, p.on.Vault.Unlock(p.on.Ctx, testwallet.Password))
	}
	p.journal = kept.Journal
	p.payoutWallet = &payoutWallet{api: walletapi.New(walletapi.Core{Wallet: p.on.Wallet})}
}

// lose makes what the journal has of the payments under keys with this beginning what it has of payments that it found on the ledger, and
// returns them.
func (p *lossyPayouts) lose(begin string) (lost []ledger.TransactionID) {
	p.t.Helper()
	list, err := p.on.Payments.ListKeyed(p.t.Context(), begin, 100)
	testwallet.Must(p.t, err)
	file, err := sql.Open("sqlite", filepath.Join(p.folder, sqlite.Name)+"?_pragma=busy_timeout(5000)")
	testwallet.Must(p.t, err)
	for _, paid := range list {
		lost = append(lost, paid.TransactionID)
		_, err := file.Exec(`DELETE FROM payout_rows WHERE request_key = ?`, paid.RequestKey)
		testwallet.Must(p.t, err)
		_, err = file.Exec(`UPDATE payments SET origin = 1, request_key = NULL WHERE id = ?`, paid.TransactionID.String())
		testwallet.Must(p.t, err)
	}
	testwallet.Must(p.t, file.Close())
	p.reopen()
	return lost
}

func (p *lossyPayouts) claim(key string, id ledger.TransactionID) error {
	c, err := payment.ClaimOf(key, id)
	if err == nil {
		err = p.journal.ClaimFound(p.t.Context(), false, c)
	}
	return err
}

// offered returns the arguments of the commands that were printed for a person to run. Each has the flags of the wallet, and no placeholder.
func (p *lossyPayouts) offered(out string) (all [][]string) {
	for line := range strings.SplitSeq(out, "\n") {
		line, is := strings.CutPrefix(line, "  billfold ")
		if !is {
			continue
		}
		args, flagged := strings.CutPrefix(line, "journal claim"+lossyFlags+" ")
		if !flagged || strings.ContainsAny(args, "<>()") {
			p.t.Errorf("it cannot be run as it stands: billfold %s", line)
		}
		args, _, _ = strings.Cut(args, "  #")
		all = append(all, strings.Fields(strings.ReplaceAll(args, "'", "")))
	}
	return all
}

// obey runs what was offered; it reports whether anything was.
func (p *lossyPayouts) obey(out string) bool {
	all := p.offered(out)
	for _, args := range all {
		var err error
		if args[0] == "--undo" {
			_, err = p.journal.UnclaimFound(p.t.Context(), args[len(args)-1], "", args[1] == "--answered" || strings.HasPrefix(args[1], payout.KeyPrefix))
		} else {
			id, wrong := ledger.ParseTransactionID(args[1])
			testwallet.Must(p.t, wrong)
			err = p.claim(args[0], id)
		}
		if err != nil {
			p.t.Errorf("%v ends with %v", args, err)
		}
	}
	return len(all) > 0
}

// short returns what was printed, without the lines of the file.
func short(out string) (text string) {
	for line := range strings.Lines(out) {
		if !strings.Contains(line, ".csv, line ") {
			text += line
		}
	}
	return text
}

// What two payouts paid is lost, and claimed at random: under right keys, under those of the other plan, of another of its transactions, of no
// plan, of no payout. Then both are run again and again, and what they print is followed to the letter. In the end all lines of both are paid once,
// and the next month is paid by itself.
func TestWrongClaimsPayNobodyTwice(t *testing.T) {
	t.Parallel()
	p := newLossyPayouts(t)
	may, june := p.file("may.csv", 110), filepath.Join(t.TempDir(), "june.csv")
	text, err := os.ReadFile(may)
	testwallet.Must(t, err)
	testwallet.Must(t, os.WriteFile(june, append(text, "bobby,0.111,DCT\n"...), 0o600)) // the same lines but for one
	for _, file := range []string{may, june} {
		out, err := p.pay(file, filepath.Base(file), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	p.on.Mine()
	want := sum(110) + sum(111)
	list, err := p.on.Payments.ListKeyed(t.Context(), payout.KeyPrefix, 100)
	testwallet.Must(t, err)
	var keys []string
	for _, paid := range list {
		keys = append(keys, paid.RequestKey)
	}
	plan, _ := payout.PlanOf(keys[0])
	wrong := []string{"order;7", payout.KeyPrefix + plan + "/9/301", payout.KeyPrefix + "0123456789abcdef0123456789abcdef/1/1", "Payout/1"}
	random := rand.New(rand.NewPCG(34, 3)) //nolint:gosec // not used for secrets
	for trial := range 3 {
		lost := p.lose("")
		pool := slices.Concat(keys, wrong)
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		claimed := ""
		for i, id := range lost {
			if err := p.claim(pool[i], id); err == nil {
				claimed += fmt.Sprintf("%s = %s\n", pool[i], id)
			}
		}
		told, left := "", []string{may, june}
		for round := 0; len(left) > 0; round++ {
			if round > 20 {
				t.Fatalf("trial %d: it leads nowhere. Claimed was\n%s\n%s", trial, claimed, told)
			}
			file := left[0]
			out, err := p.pay(file, filepath.Base(file), nil)
			told += fmt.Sprintf("%s ends with %v\n%s", filepath.Base(file), err, short(out))
			switch {
			case err == nil:
				left = left[1:]
			case fault.CodeOf(err) != fault.Denied:
				t.Fatalf("trial %d: it ends with %v", trial, err)
			case !p.obey(out):
				left = append(left[1:], file) // the other one first
			}
			if got := p.got(); got != want {
				t.Fatalf("trial %d: bobby got %d, and the files come to %d. Claimed was\n%s\n%s", trial, got, want, claimed, told)
			}
		}
	}
	if out, err := p.pay(may, "july", nil); err != nil || p.got() != want+sum(110) {
		t.Errorf("the next month ends with %v; bobby got %d\n%s", err, p.got(), out)
	}
}

// While a payout waits at its question, or between its first comparison and its payment, what it pays is claimed under a key that it does not use.
func TestAClaimDuringAPayoutPaysNobodyTwice(t *testing.T) {
	t.Parallel()
	p := newLossyPayouts(t)
	file := p.file("may.csv", 60)
	out, err := p.pay(file, "may", nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.on.Mine()
	list, err := p.on.Payments.ListKeyed(t.Context(), payout.KeyPrefix, 100)
	testwallet.Must(t, err)
	plan, _ := payout.PlanOf(list[0].RequestKey)
	for _, key := range []string{payout.KeyPrefix + plan + "/7/301", payout.KeyPrefix + "0123456789abcdef0123456789abcdef/2/51", "order;7"} {
		lost := p.lose("")
		claim := func(key string) error {
			_, _ = p.journal.UnclaimFound(t.Context(), "", lost[0].String(), true)
			return p.claim(key, lost[0])
		}
		testwallet.Must(t, p.journal.ClaimFound(t.Context(), false, store.Claim{ID: lost[1].String()}, store.Claim{ID: lost[0].String()}))
		p.armed, p.before = false, func(method string) {
			if method == "pay_many" {
				p.before = nil
				testwallet.Must(t, claim(key))
			}
		}
		was := p.got()
		out, err := p.pay(file, "may", func() { p.armed = true })
		if got := p.got() - was; fault.CodeOf(err) != fault.Denied || got != 0 {
			t.Errorf("%s: bobby got %d once more (%v)\n%s", key, got, err, short(out))
		}
		p.before = nil
		testwallet.Must(t, restoreKeys(p, list, key, lost))
	}
}

// restoreKeys claims payments under the keys that they had.
func restoreKeys(p *lossyPayouts, list []payment.Info, key string, lost []ledger.TransactionID) error {
	_, err := p.journal.UnclaimFound(p.t.Context(), key, "", true)
	if err != nil {
		return err
	}
	if _, err := p.journal.UnclaimFound(p.t.Context(), "", lost[1].String(), true); err != nil {
		return err
	}
	for _, paid := range list {
		if err := p.claim(paid.RequestKey, paid.TransactionID); err != nil {
			return err
		}
	}
	return nil
}

// Only a transaction that makes just the payments of one of the plan's is offered to be claimed for it, and the hint names only what is printed.
func TestOnlyAWholeTransactionIsOffered(t *testing.T) {
	t.Parallel()
	p := newLossyPayouts(t)
	file := p.file("may.csv", 3)
	if out, err := p.pay(file, "may", nil); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.on.Mine()
	lost := p.lose("")
	for lines, offered := range map[string]int{
		"bobby,0.001,DCT\nbobby,0.002,DCT\nbobby,0.003,DCT\n":                    1,
		"bobby,0.003,DCT\nbobby,0.001,DCT\nbobby,0.002,DCT\n":                    1,
		"bobby,0.001,DCT\nbobby,0.002,DCT\n":                                     0,
		"bobby,0.001,DCT\nbobby,0.002,DCT\nbobby,0.003,DCT\nbobby,0.004,DCT\n":   0,
		"bobby,0.001,DCT\nbobby,0.001,DCT\nbobby,0.002,DCT\n":                    0,
		"carol,0.001,DCT\nbobby,0.002,DCT\nbobby,0.003,DCT\ncarol,0.009,DCT\n\n": 0,
	} {
		testwallet.Must(t, os.WriteFile(file, []byte("account,amount,asset\n"+lines), 0o600))
		var told bytes.Buffer
		out, err := p.run(&told, payrun.Options{File: file, Label: "may", Duplicates: true, NewPlan: true}, nil)
		if fault.CodeOf(err) != fault.Denied || p.got() != sum(3) {
			t.Errorf("it ends with %v; bobby got %d\n%s", err, p.got(), out)
		}
		if all := p.offered(out); len(all) != offered || offered > 0 && all[0][1] != lost[0].String() {
			t.Errorf("%sis offered %v", lines, all)
		}
		if says := strings.Contains(err.Error(), "commands above"); says != (offered > 0) {
			t.Errorf("%d commands were offered, and it ends with %v", offered, err)
		}
	}
}

// A label in another letter case, or with what nobody sees, pays nobody twice, also what an earlier version recorded under its own mark.
func TestALabelThatLooksTheSamePaysNobodyTwice(t *testing.T) {
	t.Parallel()
	p := newLossyPayouts(t)
	info, err := p.on.View.Chain.Info(t.Context())
	testwallet.Must(t, err)
	want := int64(0)
	for rows, c := range []struct{ paid, earlier, under string }{
		{"Μάιος", "", "ΜΆΙΟΣ"}, {"Straße", "", "STRASSE"}, {"März", "", "März\uFE0F"}, {"März", "", "M\u034Färz"}, {"März", "", "März\u3164"}, {"März", "", "\u2800März"},
		{"Μάιος", "μάιος", "Μάιος"}, {"Μάιος", "μάιος", "ΜΆΙΟΣ"}, {"ΜΆΙΟΣ", "μάιοσ", "Μάιος"}, {"Straße", "straße", "Straße"}, {"Straße", "straße", "STRASSE"},
		{"STRASSE", "strasse", "Straße"}, {"März\uFE0F", "märz\uFE0F", "März\uFE0F"}, {"May 2026", "may 2026", "MAY\u28002026\uFE0F"},
	} {
		file := filepath.Join(t.TempDir(), "salaries.csv")
		testwallet.Must(t, os.WriteFile(file, fmt.Appendf(nil, "account,amount,asset\nbobby,0.%03d,DCT\n", rows+1), 0o600))
		if out, err := p.pay(file, c.paid, nil); err != nil {
			t.Fatalf("%q: %v\n%s", c.paid, err, out)
		}
		want += int64(rows + 1)
		if c.earlier != "" {
			sum := sha256.Sum256(fmt.Appendf(nil, "billfold payout label\n%s\n1.2.16\n%s", info.ChainID, c.earlier))
			p.relabel(hex.EncodeToString(sum[:16]))
		}
		testwallet.Must(t, os.WriteFile(file, fmt.Appendf(nil, "account,amount,asset,memo\nbobby,0.%03d,DCT,edited\n", rows+1), 0o600))
		out, err := p.pay(file, c.under, nil)
		if fault.CodeOf(err) != fault.Denied || !strings.Contains(out, "was paid on") {
			t.Errorf("%+q after %+q ends with %v\n%s", c.under, c.paid, err, out)
		}
		if got := p.got(); got != want {
			t.Errorf("%+q after %+q: bobby got %d, want %d", c.under, c.paid, got, want)
			want = got
		}
	}
}

// relabel replaces the mark of the label in the latest row of a payout.
func (p *lossyPayouts) relabel(mark string) {
	p.t.Helper()
	file, err := sql.Open("sqlite", filepath.Join(p.folder, sqlite.Name)+"?_pragma=busy_timeout(5000)")
	testwallet.Must(p.t, err)
	_, err = file.Exec(`UPDATE payout_rows SET label = ? WHERE number = (SELECT MAX(number) FROM payout_rows)`, mark)
	testwallet.Must(p.t, err)
	testwallet.Must(p.t, file.Close())
	p.reopen()
}
