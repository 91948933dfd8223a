package rpcserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/keystore"
	"billfold/walletcore"
)

func TestNumbersOfKnowsEveryCode(t *testing.T) {
	for _, code := range walletcore.Codes() {
		n, known := NumbersOf(code)
		if !known {
			t.Errorf("%s has no numbers", code)
		}
		if n.Reference < 0 && n.Standard != n.Reference {
			t.Errorf("%s: the reference has no negative numbers: %+v", code, n)
		}
	}
	if n, known := NumbersOf("no such code"); known {
		t.Errorf("an unknown code has numbers: %+v", n)
	}
}

// The numbers that the reference answered, from the recorded conversations.
func TestNumbersOfAgreesWithTheRecording(t *testing.T) {
	for code, want := range map[walletcore.Code]int{
		walletcore.CodeNew:              17,  // case 5
		walletcore.CodeWrongPassword:    17,  // case 12
		walletcore.CodeLocked:           507, // case 8
		walletcore.CodeUnknownMethod:    51,  // case 29
		walletcore.CodeTooFewParameters: 50,  // case 30
		walletcore.CodeNoSuchAccount:    510, // case 35
		walletcore.CodeBadKey:           0,   // case 43
		walletcore.CodeKeyNotInWallet:   10,  // case 52
		walletcore.CodeUnknownHelp:      6,   // case 81
		walletcore.CodeBadParameter:     54,  // case 89
		walletcore.CodeInvalidOperation: 3031000,
		walletcore.CodeBadAmount:        0,  // case 125
		walletcore.CodeNoSuchRecipient:  10, // case 132
		walletcore.CodeNoSuchAsset:      514,
		walletcore.CodeUnsupported:      519,
	} {
		if n, _ := NumbersOf(code); n.Reference != want {
			t.Errorf("%s is %d, want %d", code, n.Reference, want)
		}
	}
}

func TestEveryCodeReachesTheWire(t *testing.T) {
	h := open(t, nil)
	for _, code := range walletcore.Codes() {
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
		"cause":        &walletcore.Error{Code: walletcore.CodeFile, Message: "m", Err: fmt.Errorf("%s", secret)},
		"unknown code": &walletcore.Error{Code: "new one", Message: "m"},
		"deadline":     fmt.Errorf("%s: %w", secret, context.DeadlineExceeded),
		"broken data":  &walletcore.Error{Code: walletcore.CodeDaemonRefused, Message: "m", Data: json.RawMessage(`{"code":`)},
	} {
		text := string(appendFault(nil, []byte("1"), true, faultOf(err)))
		if !json.Valid([]byte(text)) || strings.Contains(text, secret) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A client that guessed is told how long to wait as a number, too.
func TestTooManyTriesSaysWhenToTryAgain(t *testing.T) {
	err := &walletcore.Error{Code: walletcore.CodeTooManyTries, Message: "wait", Err: &keystore.Error{Wait: 4 * time.Second}}
	if f := faultOf(err); f.Standard != numRetryLater || f.retryAfter != 4*time.Second {
		t.Errorf("it became %+v", f)
	}
}
