package contentrun

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/walletapi"
)

// conversation is a wallet that answers each operation with a text of JSON, or an error; what it lacks is null.
type conversation map[string]any

func (c conversation) Call(_ context.Context, method string, _ walletapi.Params) (json.RawMessage, error) {
	switch answer := c[method].(type) {
	case error:
		return nil, answer
	case string:
		return json.RawMessage(answer), nil
	}
	return json.RawMessage("null"), nil
}

// state returns the answer of get_payment for a payment in a state.
func state(s payment.State) string {
	return `{"state":"` + s.String() + `","expiration":"2030-01-01T00:00:00","transaction_id":"` + strings.Repeat("0", 40) + `"}`
}

// A publication that somebody else canceled was not published, which is known.
func TestAPublicationThatSomebodyElseCanceled(t *testing.T) {
	r := Run{Wallet: conversation{"list_content_tasks": "[]", "list_payments": "[]"}, Told: new(strings.Builder)}
	err := begunError(r.follow(t.Context(), account{Name: "alice"}, "task", "song", nil), "the publication was begun")
	if code := shell.ExitCode(err); code != shell.Refused || !strings.Contains(err.Error(), "the publication was canceled before it was signed") {
		t.Errorf("exit code %d: %v", code, err)
	}
}

// A command whose submission or purchase may have happened ends with the code of an unknown outcome.
func TestAnOpenOutcomeHasItsExitCode(t *testing.T) {
	unknown := &fault.Error{Code: fault.OutcomeUnknown, Message: "no answer came", Hint: "look it up"}
	r := Run{Wallet: conversation{"get_payment": &fault.Error{Code: fault.NoSuchPayment}, "download_content": unknown}, Told: new(strings.Builder)}
	_, err := r.pay(t.Context(), account{Name: "alice"}, &ledger.Content{}, Purchase{}, "out")
	if code := shell.ExitCode(err); code != shell.Unknown {
		t.Errorf("a purchase ends with %d: %v", code, err)
	}
	var id ledger.TransactionID
	open := `{"state":"unknown","transaction_id":"` + id.String() + `"}`
	whole, err := codec.Marshal(payment.Info{State: "unknown", TransactionID: id, Transaction: &ledger.SignedTransaction{Transaction: ledger.Transaction{
		Operations: []ledger.Operation{ledger.NewOperation(&ledger.ContentSubmitOp{Synopsis: ledger.Synopsis{Title: "song"}.Text()})}}}})
	if err != nil {
		t.Fatal(err)
	}
	failed, err := json.Marshal([]content.Task{{ID: "task", Kind: content.Publishing, State: content.Failed, Reason: "the node refused it"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Wallet = conversation{"list_content_tasks": string(failed), "list_payments": "[" + open + "]", "get_payment": string(whole)}
	if sent, err := r.standing(t.Context(), account{Name: "alice"}, "song"); sent == nil {
		t.Fatal(err)
	}
	err = r.follow(t.Context(), account{Name: "alice"}, "task", "song", nil)
	if code := shell.ExitCode(err); code != shell.Unknown || !strings.Contains(err.Error(), "it is not known whether it was published") {
		t.Errorf("a publication ends with %d: %v", code, err)
	}
	r.Wallet = conversation{"list_content_tasks": string(failed), "list_payments": "[]"}
	if code := shell.ExitCode(r.follow(t.Context(), account{Name: "alice"}, "task", "song", nil)); code != shell.Refused {
		t.Errorf("one that was never submitted ends with %d", code)
	}
}

// What is known of an earlier purchase is said as it is: one that may still happen was not paid yet.
func TestAnEarlierPurchaseIsToldAsItIs(t *testing.T) {
	for of, want := range map[payment.State]string{payment.Unknown: "signed before, and the ledger has yet to take it", payment.Sent: "signed before, and the ledger has yet to take it",
		payment.InBlock: "it was paid before"} {
		told := new(strings.Builder)
		r := Run{Wallet: conversation{"get_payment": state(of)}, Told: told}
		ctx, stop := context.WithCancel(t.Context())
		stop() // the ledger never shows the purchase
		_, _ = r.pay(ctx, account{Name: "alice"}, &ledger.Content{}, Purchase{}, "out")
		if !strings.Contains(told.String(), want) || strings.Contains(told.String(), "it was paid before") != (of == payment.InBlock) {
			t.Errorf("%v is told as %s", of, told)
		}
	}
}

// A purchase whose package does not come is printed as JSON, with what failed.
func TestAPurchaseThatDoesNotComeIsPrinted(t *testing.T) {
	for _, asJSON := range []bool{true, false} {
		out := new(strings.Builder)
		r := Run{Wallet: conversation{}, Out: out, JSON: asJSON}
		err := r.undelivered(bought{URI: "ipfs:Qm", Buying: 7}, &fault.Error{Code: fault.IPFS, Message: "the package cannot be downloaded", Hint: "it is bought"})
		var printed struct{ Buying, Problem string }
		if asJSON {
			if failed := json.Unmarshal([]byte(out.String()), &printed); failed != nil {
				t.Fatalf("%v: %q", failed, out)
			}
		}
		if code := shell.ExitCode(err); code != shell.Refused || asJSON != (printed.Buying == "2.12.7" && printed.Problem == "the package cannot be downloaded") {
			t.Errorf("exit code %d: %q", code, out)
		}
	}
}

// interrupted answers as a conversation does, and ends the context once the method at is called.
type interrupted struct {
	conversation
	at   string
	stop func()
}

func (i interrupted) Call(ctx context.Context, method string, p walletapi.Params) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, &fault.Error{Code: fault.Canceled, Message: "the call was interrupted", Err: ctx.Err()}
	}
	if method == i.at {
		i.stop()
	}
	return i.conversation.Call(ctx, method, p)
}

// A publication that is interrupted after it was submitted ends with the code of an unknown outcome and names its transaction; before, it is only
// interrupted.
func TestAPublicationInterruptedAfterItsSubmission(t *testing.T) {
	id := ledger.TransactionID{7}
	whole, err := codec.Marshal(payment.Info{State: "sent", TransactionID: id, Transaction: &ledger.SignedTransaction{Transaction: ledger.Transaction{
		Operations: []ledger.Operation{ledger.NewOperation(&ledger.ContentSubmitOp{URI: "ipfs:Qm", Synopsis: ledger.Synopsis{Title: "song"}.Text()})}}}})
	if err != nil {
		t.Fatal(err)
	}
	open := `[{"state":"sent","transaction_id":"` + id.String() + `"}]`
	for name, c := range map[string]struct {
		list    any
		earlier *content.Task
		code    int
	}{
		"submitted":      {open, nil, shell.Unknown},
		"nothing":        {"[]", nil, shell.Refused},
		"an earlier one": {open, &content.Task{Transaction: &id}, shell.Refused},
		"goes on":        {"[]", nil, shell.Unknown},
		"nobody knows":   {&fault.Error{Code: fault.File, Message: "the journal cannot be read"}, nil, shell.Unknown},
	} {
		ctx, stop := context.WithCancel(t.Context())
		out := new(strings.Builder)
		running := `[{"id":"task","kind":"publish","state":"running","step":"submitting"}]`
		if name == "goes on" {
			running = `[{"id":"task","kind":"publish","state":"running","step":"submitting","title":"song","account":"alice"}]`
		}
		r := Run{Wallet: interrupted{conversation{"list_content_tasks": running, "list_payments": c.list, "get_payment": string(whole)}, "list_content_tasks", stop},
			Out: out, Told: new(strings.Builder), JSON: true, Flags: " --data-dir=here"}
		who := account{Name: "alice"}
		err := r.unfollowed(ctx, who, "song", c.earlier, r.follow(ctx, who, "task", "song", c.earlier))
		if code := shell.ExitCode(err); code != c.code {
			t.Errorf("%s: exit code %d: %v", name, code, err)
		}
		var told struct {
			URI         string
			Problem     string
			Transaction string `json:"transaction_id"`
		}
		_ = json.Unmarshal([]byte(out.String()), &told)
		if goesOn := name == "goes on"; strings.Contains(err.Error(), "content cancel task --data-dir=here ends it") != goesOn || strings.Contains(out.String(), `"task":"task"`) != goesOn {
			t.Errorf("%s: %v, printed %q", name, err, out)
		}
		named := strings.Contains(err.Error(), "in transaction "+id.String()) && strings.Contains(err.Error(), "get_payment "+id.String()+" --data-dir=here")
		if submitted := name == "submitted"; named != submitted || (told.Transaction == id.String()) != submitted || (told.URI == "ipfs:Qm" && told.Problem != "") != submitted {
			t.Errorf("%s: %v, printed %q", name, err, out)
		}
	}
}

// A purchase that is interrupted after its signature ends with the code of an unknown outcome while the ledger does not show it, and is called paid
// once it does.
func TestAPurchaseInterruptedAfterItsSignature(t *testing.T) {
	const me = `{"id":"1.2.7","name":"alice"}`
	for at, want := range map[string]struct {
		code              int
		says, prints, not string
	}{
		"get_payment":         {shell.Refused, "interrupted", "", "it is paid"},
		"download_content":    {shell.Unknown, "the ledger does not show it yet", `"request_key":"content/`, "it is paid"},
		"get_download_status": {shell.Refused, "interrupted; it is paid, as 2.12.7", `"buying":"2.12.7"`, "request_key"},
	} {
		ctx, stop := context.WithCancel(t.Context())
		out := new(strings.Builder)
		known := conversation{"list_my_accounts": "[" + me + "]", "get_account": me, "get_payment": &fault.Error{Code: fault.NoSuchPayment}}
		whole, err := codec.Marshal(ledger.Content{URI: "ipfs:Qm"})
		if err != nil {
			t.Fatal(err)
		}
		known["get_content"] = string(whole)
		if at == "get_download_status" {
			has, err := codec.Marshal(ledger.Buying{ID: 7})
			if err != nil {
				t.Fatal(err)
			}
			known["get_buying_by_consumer_URI"] = string(has)
		}
		r := Run{Wallet: interrupted{known, at, stop}, Out: out, Told: new(strings.Builder), JSON: true, Here: true}
		err = r.Buy(ctx, Purchase{URI: "ipfs:Qm", Folder: t.TempDir()})
		if code := shell.ExitCode(err); err == nil || code != want.code || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error()+out.String(), want.not) {
			t.Errorf("%s: exit code %d: %v", at, code, err)
		}
		if !strings.Contains(out.String(), want.prints) || (want.prints == "") != (out.Len() == 0) || want.prints != "" && !strings.Contains(out.String(), `"problem":"interrupted`) {
			t.Errorf("%s: printed %q", at, out)
		}
	}
}

// Content whose key nobody delivers is printed with that, and told.
func TestContentWithoutSeedersIsToldAsThat(t *testing.T) {
	const me = `{"id":"1.2.7","name":"alice"}`
	offer, err := codec.Marshal(ledger.Content{URI: "ipfs:Qm"})
	if err != nil {
		t.Fatal(err)
	}
	has, err := codec.Marshal(ledger.Buying{ID: 7, Delivered: true})
	if err != nil {
		t.Fatal(err)
	}
	at, err := codec.Marshal(ledgerview.Download{StatusText: "Downloaded"})
	if err != nil {
		t.Fatal(err)
	}
	out, told := new(strings.Builder), new(strings.Builder)
	r := Run{Wallet: conversation{"list_my_accounts": "[" + me + "]", "get_account": me, "get_content": string(offer), "get_buying_by_consumer_URI": string(has),
		"get_download_status": string(at)}, Out: out, Told: told, JSON: true, Here: true, Flags: " --data-dir=here"}
	if err := r.Buy(t.Context(), Purchase{URI: "ipfs:Qm", Folder: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	const why = "no seeder has parts of its key: the author hands it out; billfold call extract_package 0000000000000000000000000000000000000000 FOLDER - --data-dir=here takes it"
	if !strings.Contains(out.String(), `"problem":"the package is here, and `+why) || !strings.Contains(told.String(), why) {
		t.Errorf("printed %q, told %q", out, told)
	}
}

// A task that is not listed any more has ended; what never was one is told as that.
func TestATaskThatHasEndedIsNotCanceled(t *testing.T) {
	r := Run{Wallet: conversation{"list_content_tasks": "[]", "head_block_time": `"2030-01-01T00:00:00"`}}
	for id, want := range map[string]string{strings.ToLower(rand.Text()): "is under way: it has ended or was canceled", "nosuch": "no task is called"} {
		if err := r.Cancel(t.Context(), id); shell.ExitCode(err) != shell.Refused || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// What is malformed is a wrong use in each command, before anything is asked of the wallet.
func TestWhatIsMalformedIsAWrongUse(t *testing.T) {
	sold := Publication{Path: "song", Prices: []string{"2 DCT"}, Until: "30d", Count: 2, Order: content.ByPrice}
	with := func(change func(*Publication)) func(*Run) error {
		p := sold
		change(&p)
		return func(r *Run) error { return r.Publish(t.Context(), p) }
	}
	search := func(region, order string) func(*Run) error {
		return func(r *Run) error { return r.Search(t.Context(), "", "", region, order) }
	}
	asked := &fault.Error{Code: fault.Denied, Message: "the wallet was asked"}
	for what, run := range map[string]func(*Run) error{
		"a price": with(func(p *Publication) { p.Prices = []string{"2x"} }), "a time": with(func(p *Publication) { p.Until = "soon" }),
		"a region of seeders": with(func(p *Publication) { p.Region = "XXX" }), "a share": with(func(p *Publication) { p.CoAuthors = []string{"bobby=x"} }),
		"a type": with(func(p *Publication) { p.About.Type = "x" }), "a short type": with(func(p *Publication) { p.About.Type = "1..5.0" }),
		"a region": search("XXX", "-created"), "an order": search("", "created"), "no order": search("", ""), "another order": search("", "-age"),
		"a region to buy at": func(r *Run) error {
			return r.Buy(t.Context(), Purchase{URI: "ipfs:Qm", Folder: t.TempDir(), Region: "XXX"})
		},
	} {
		r := Run{Wallet: conversation{"search_content": asked, "list_my_accounts": asked}, Told: new(strings.Builder)}
		if err := run(&r); shell.ExitCode(err) != shell.Misused {
			t.Errorf("%s ends with %d: %v", what, shell.ExitCode(err), err)
		}
	}
	r := Run{Wallet: conversation{"search_content": "[]"}, Out: new(strings.Builder), Told: new(strings.Builder)}
	for _, order := range []string{"-created", "+price", "-expiration"} {
		if err := r.Search(t.Context(), "", "", "", order); err != nil {
			t.Errorf("%s: %v", order, err)
		}
	}
	r.Wallet = conversation{"list_my_accounts": asked}
	sold.About.Type = "1.5.5.0"
	if err := r.Publish(t.Context(), sold); shell.ExitCode(err) != shell.Refused {
		t.Error(err)
	}
}
