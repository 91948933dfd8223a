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

// The plan shows how each amount was read that could be meant otherwise, and while one of the file is to be corrected these are faults.
func TestThePlanSaysHowAmountsAreRead(t *testing.T) {
	t.Parallel()
	p := newSteadyPayouts(t)
	for text, want := range map[string][]string{
		"bobby;1.000;DCT;\nbobby;0,5;DCT;rent\nbobby;7;DCT;\n": {"  line 2: \"1.000\" is 1000 DCT to bobby\n  line 3: \"0,5\" is 0.5 DCT to bobby with the memo \"rent\"\n  payer"},
		"bobby;1.000;DCT;\nbobby;0.5;DCT;\n":                   {"  line 2: \"1.000\" is 1 DCT to bobby\n  payer"},
		"bobby;1.000;DCT;\nbobby;2,123456789;DCT;\n": {"!line 2: the amount \"1.000\" is read as 1000 because of the file's other amounts",
			"line 3: \"2,123456789\" is not an amount of DCT, which has 8 decimals"},
		"bobby;1.000;DCT;\nbobby;2,123456789;DCT;\nbobby;x;DCT;\n": {"!line 2: the amount \"1.000\" is read as 1000", "line 3: \"2,123456789\" is not", "line 4: "},
		"bobby;1;DCT;a\nbobby;1;DCT;\"a\u00ad\"\n":                 {"!line 3: the same payment as in line 2"},
	} {
		var out bytes.Buffer
		said, err := p.run(&out, payrun.Options{File: p.write("may.csv", "account;amount;asset;memo\n"+text), DryRun: true}, nil)
		for _, want := range want {
			want, refused := strings.CutPrefix(want, "!")
			refused = refused || strings.HasPrefix(want, "line ")
			if (err != nil) != refused || strings.Count(said, want) != 1 {
				t.Errorf("%q: %v, without %q:\n%s", text, err, want, said)
			}
		}
	}
}
