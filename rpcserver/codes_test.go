package rpcserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/keystore"
	"billfold/walletcore/fault"
)

func TestNumbersOfKnowsEveryCode(t *testing.T) {
	own, next := map[int]fault.Code{numUnauthorized: "unauthorized"}, numUnauthorized // the server's own; it shares the others
	for _, row := range fault.Rows() {
		next = min(next, row.Reference)
	}
	for _, row := range fault.Rows() {
		code := row.Code
		n, known := NumbersOf(code)
		if !known {
			t.Errorf("%s has no numbers", code)
		}
		if n.Reference < 0 && n.Standard != n.Reference {
			t.Errorf("%s: the reference has no negative numbers: %+v", code, n)
		}
		if other, taken := own[n.Reference]; taken && n.Reference < 0 {
			t.Errorf("%s and %s are both %d; the next number that is free is %d", other, code, n.Reference, next-1)
		}
		own[n.Reference] = code
	}
	if n, known := NumbersOf("no such code"); known {
		t.Errorf("an unknown code has numbers: %+v", n)
	}
}

// The numbers agree with the reference's answers in the recorded conversations.
func TestNumbersOfAgreesWithTheRecording(t *testing.T) {
	for code, want := range map[fault.Code]int{
		fault.NoPassword:           17,  // case 5
		fault.WrongPassword:        17,  // case 12
		fault.Locked:               507, // case 8
		fault.UnknownMethod:        51,  // case 29
		fault.TooFewParameters:     50,  // case 30
		fault.NoSuchAccount:        510, // case 35
		fault.BadKey:               0,   // case 43
		fault.KeyNotInWallet:       10,  // case 52
		fault.UnknownHelp:          6,   // case 81
		fault.BadParameter:         54,  // case 89
		fault.InvalidOperation:     3031000,
		fault.BadAmount:            0,  // case 125
		fault.NoSuchRecipient:      10, // case 132
		fault.NoSuchAsset:          514,
		fault.UnsupportedOperation: 519,
	} {
		if n, _ := NumbersOf(code); n.Reference != want {
			t.Errorf("%s is %d, want %d", code, n.Reference, want)
		}
	}
}

func TestEveryCodeReachesTheWire(t *testing.T) {
	h := open(t, nil)
	for _, row := range fault.Rows() {
		code := row.Code
		n, _ := NumbersOf(code)
		for form, number := range map[string]int{`"jsonrpc":"2.0",`: n.Standard, "": n.Reference} {
			_, text := h.post(h.HTTPAddr(), fmt.Sprintf(`{%s"id":1,"method":"fail","params":[%q]}`, form, code))
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"It failed.","data":{"name":%q}}}`, number, n.Name)
			if text != want {
				t.Errorf("%s: got %s, want %s", code, text, want)
			}
		}
	}
}

func TestFaultOfHidesWhatIsNotTheCores(t *testing.T) {
	for name, err := range map[string]error{
		"foreign":      fmt.Errorf("the password is %s", secret),
		"cause":        &fault.Error{Code: fault.File, Message: "m", Err: fmt.Errorf("%s", secret)},
		"unknown code": &fault.Error{Code: "new one", Message: "m"},
		"deadline":     fmt.Errorf("%s: %w", secret, context.DeadlineExceeded),
		"broken data":  &fault.Error{Code: fault.DaemonRefused, Message: "m", Data: json.RawMessage(`{"code":`)},
	} {
		text := string(appendFault(nil, []byte("1"), true, faultOf(err)))
		if !json.Valid([]byte(text)) || strings.Contains(text, secret) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// The error of a payment under a request key names the key to use next. Clients branch on that, whatever the number.
func TestErrorNamesNextRequestKey(t *testing.T) {
	err := fault.ForKey(&fault.Error{Code: fault.DaemonAway, Message: "no daemon answers"})
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"No daemon answers; nothing was sent; make the same request ` +
		`again under the same request key when the daemon is back.","data":{"name":"daemon_away","hint":"nothing was sent; make the same ` +
		`request again under the same request key when the daemon is back","request_key":"same"}}}`
	if text := string(appendFault(nil, []byte("1"), true, faultOf(err))); text != want {
		t.Error(text)
	}
}

// A payment that a node had and refused may still happen. Its number is the node's, so a member of its own says that.
func TestUnsettledReachesTheWire(t *testing.T) {
	err := &fault.Error{Code: fault.DaemonRefused, Message: "no", Data: json.RawMessage(`{"code":10}`), Unsettled: true}
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":10,"message":"No.","data":{"name":"exception","unsettled":true,"daemon":{"code":10}}}}`
	if text := string(appendFault(nil, []byte("1"), true, faultOf(err))); text != want {
		t.Error(text)
	}
}

// A client that guessed passwords is also told as a number how long to wait.
func TestTooManyTriesNamesRetryTime(t *testing.T) {
	err := &fault.Error{Code: fault.TooManyTries, Message: "wait", Err: &keystore.Error{Wait: 4 * time.Second}}
	if f := faultOf(err); f.Standard != numRetryLater || f.retryAfter != 4*time.Second {
		t.Errorf("it became %+v", f)
	}
}
