package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/payrun"
	"billfold/ledger"
	"billfold/walletcore/payout"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// write writes a file to be paid.
func (p *steadyPayouts) write(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), name)
	testwallet.Must(p.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// A version that did not trim memos sent a part of a payout. This one pays exactly the rest, under that plan's keys and with its memos.
func TestAPayoutOfAnEarlierVersionIsContinued(t *testing.T) {
	t.Parallel()
	p := newSteadyPayouts(t)
	text := "account,amount,asset,memo\n"
	for n := range 60 {
		text += fmt.Sprintf("bobby,0.%03d,DCT, order %d \n", n+1, n)
	}
	file := p.write("may.csv", text)
	former := p.formerPlan(text)
	p.payFormer(former.Batches()[0], former.ID())
	var out bytes.Buffer
	said, err := p.run(&out, payrun.Options{File: file}, nil)
	if err != nil || !strings.Contains(said, former.ID()) || !strings.Contains(said, `with the memo " order 59 "`) {
		t.Errorf("%v\n%s", err, said)
	}
	if got := p.got(); got != sum(60) {
		t.Errorf("bobby got %d, want %d", got, sum(60))
	}
	if said, err := p.pay(file, "", nil); err != nil || !strings.Contains(said, "every payment of this plan was sent before") {
		t.Errorf("once more: %v\n%s", err, said)
	}
	if got := p.got(); got != sum(60) {
		t.Errorf("bobby got %d, want %d", got, sum(60))
	}
}

// formerPlan returns the plan that an earlier version made of a file.
func (p *steadyPayouts) formerPlan(text string) *payout.Plan {
	p.t.Helper()
	rows, faults := payout.Parse([]byte(text))
	if len(faults) > 0 {
		p.t.Fatal(faults)
	}
	for i := range rows {
		rows[i].AccountID, rows[i].AssetID = p.on.Account("bobby").ID.String(), "1.3.0"
	}
	var info struct {
		ChainID ledger.ChainID `json:"chain_id"`
	}
	p.call(&info, "info", nil)
	plan, differs := (&payout.Plan{Chain: info.ChainID, Payer: p.on.Account("alice").ID, Rows: rows}).Former()
	if !differs {
		p.t.Fatal("the earlier version's plan is the same")
	}
	return plan
}

// payFormer pays a batch of a plan.
func (p *steadyPayouts) payFormer(b payout.Batch, plan string) {
	p.t.Helper()
	items, checked := []map[string]string{}, []map[string]string{}
	for _, r := range b.Rows {
		items = append(items, map[string]string{"to": r.AccountID, "amount": r.Amount, "asset_symbol": r.AssetID, "memo": r.Memo})
		checked = append(checked, map[string]string{"to": r.AccountID, "amount": r.Amount, "asset_symbol": r.AssetID})
	}
	var at struct {
		Position string `json:"position"`
	}
	alice := p.on.Account("alice").ID.String()
	p.call(&at, "check_payout", nil, alice, plan, checked, "0", "")
	terms, err := json.Marshal(map[string]any{"position": at.Position, "label": "", "first": true, "again": false})
	testwallet.Must(p.t, err)
	p.call(nil, "pay_many", map[string]json.RawMessage{"payout": terms}, alice, items, true, b.Key(plan, 1))
}

func (p *steadyPayouts) call(into any, method string, named map[string]json.RawMessage, params ...any) {
	p.t.Helper()
	in := walletapi.Params{Positional: []json.RawMessage{}, Named: named, Exact: true}
	for _, value := range params {
		text, err := json.Marshal(value)
		testwallet.Must(p.t, err)
		in.Positional = append(in.Positional, text)
	}
	result, err := p.Call(p.t.Context(), method, in)
	testwallet.Must(p.t, err)
	if into != nil {
		testwallet.Must(p.t, json.Unmarshal(result, into))
	}
}

// The plan names the lines that pay nobody, and each memo in quotes as it is sent.
func TestThePlanSaysWhatIsSentAndWhatIsSkipped(t *testing.T) {
	t.Parallel()
	p := newSteadyPayouts(t)
	file := p.write("may.csv", "# May\r\naccount,amount,asset,memo\r\nbobby,0.001,DCT, 100234 \r\n#bobby,0.002,DCT,later\r\nbobby,0.003,DCT,\"two\r\nlines\"\r\n,,,\r\n")
	var out bytes.Buffer
	said, err := p.run(&out, payrun.Options{File: file, DryRun: true}, nil)
	for _, want := range []string{"pays nobody: line 1 is a comment: # May\n", "pays nobody: line 4 is a comment: #bobby,0.002,DCT,later\n", "pays nobody: line 7 is blank\n",
		"  line 3: 0.001 DCT to bobby with the memo \"100234\"\n", "  line 5: 0.003 DCT to bobby with the memo \"two\\x0d⏎lines\"\n", "2 payments to 1 account"} {
		if err != nil || !strings.Contains(said, want) {
			t.Errorf("%v, without %q:\n%s", err, want, said)
		}
	}
}
