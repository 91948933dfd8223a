package contentrun

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// answers is a wallet that answers every call alike.
type answers struct{ err error }

func (a answers) Call(context.Context, string, walletapi.Params) (json.RawMessage, error) {
	return json.RawMessage("null"), a.err
}

// What was paid and does not open is told as that, with whose fault it is, and not as a wrong use of the command.
func TestWhatWasPaidAndDoesNotOpen(t *testing.T) {
	offer := &ledger.Content{}
	for code, whose := range map[fault.Code]string{fault.BadValue: "seeders delivered does not fit", fault.PackageState: "its author published it so", fault.KeyParts: "is no key"} {
		out := new(strings.Builder)
		r := Run{Wallet: answers{}, Out: out, Told: out, JSON: true}
		paid := bought{URI: "ipfs:Qm", Buying: 7}
		err := r.undelivered(paid, r.unopened(t.Context(), paid, offer, "out", &fault.Error{Code: code, Message: "it is broken", Hint: "use the key"}))
		said, _ := fault.CodeOf(err), err.Error()
		if shell.ExitCode(err) != shell.Refused || said != fault.PackageState || !strings.Contains(err.Error(), "bought and paid, as 2.12.7, and cannot be opened: it is broken") ||
			!strings.Contains(err.Error(), whose) || !strings.Contains(err.Error(), "nothing gives the price back") {
			t.Errorf("exit code %d: %v", shell.ExitCode(err), err)
		}
		var told struct{ URI, Buying, Folder, Problem string }
		if err := json.Unmarshal([]byte(out.String()), &told); err != nil || told.Buying != "2.12.7" || !strings.HasSuffix(told.Problem, "cannot be opened: it is broken") || told.Folder != "" {
			t.Errorf("%v: %s", err, out)
		}
	}
	taken := &fault.Error{Code: fault.BadValue, Message: "it has files already"}
	r := Run{Wallet: answers{taken}, Out: new(strings.Builder), Told: new(strings.Builder)}
	if err := r.unopened(t.Context(), bought{}, offer, "out", taken); err.Error() != taken.Error() {
		t.Errorf("%v", err) // the folder's fault
	}
}

// Who names no region, or one without a price, is told the flag and what can stand behind it, in what is shown and in the refusal.
func TestWhatIsNotSoldWithoutARegion(t *testing.T) {
	austria, _ := ledger.RegionCode("AT")
	offer := &ledger.Content{Price: ledger.RegionalPrices{Prices: []ledger.PriceInRegion{{Region: austria}}}}
	for region, want := range map[string]string{"": "none without a --region; it is sold with --region AT", "DE": "none in this --region; it is sold with --region AT"} {
		told := new(strings.Builder)
		(&Run{Wallet: answers{&fault.Error{Code: fault.DaemonAway}}, Out: told, Told: told}).showOffer(t.Context(), offer, region)
		refused := regionError(&fault.Error{Code: fault.NotSoldInRegion, Message: "not sold there", Hint: "name such a region"}, region, offer.Price)
		if !strings.Contains(told.String(), want) || !strings.Contains(refused.Error(), want) || fault.CodeOf(refused) != fault.NotSoldInRegion {
			t.Errorf("%q: %v, %s", region, refused, told)
		}
	}
}

// Who lost the answer of a purchase repeats the command, not a request.
func TestALostAnswerIsAskedForByTheCommand(t *testing.T) {
	lost := &fault.Error{Code: fault.OutcomeUnknown, Message: "lost", Hint: "make the same request again under the same request key"}
	if err := againError(lost); shell.ExitCode(err) != shell.Unknown || !strings.Contains(err.Error(), "give the command again") {
		t.Error(err)
	}
	if full := error(&fault.Error{Code: fault.File, Message: "the disk is full", Hint: "nothing was paid; make room there"}); againError(full).Error() != full.Error() { // which comes before a payment
		t.Error(againError(full))
	}
	if denied := error(&fault.Error{Code: fault.Denied, Message: "no", Hint: "nothing was signed"}); againError(denied).Error() != denied.Error() {
		t.Error(againError(denied))
	}
}

func TestSameFiles(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same := func(want bool) {
		t.Helper()
		if sameFiles(a, b) != want || sameFiles(b, a) != want {
			t.Errorf("not %v", want)
		}
	}
	same(true)
	long := strings.Repeat("la ", 50_000)
	write(a, "deep/one", long)
	same(false)
	write(b, "deep/one", long)
	same(true)
	write(b, "deep/one", long+"!")
	same(false)
	write(b, "deep/one", long[:len(long)-1]+"!")
	same(false)
	write(b, "deep/one", long)
	write(b, "two", "")
	same(false)
}
