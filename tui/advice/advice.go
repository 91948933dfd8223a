// Package advice turns an error of the core into what a person reads: what
// happened, and which key goes on. One table covers every code; a test fails
// when one is missing.
package advice

import (
	"errors"
	"strings"

	"billfold/tui/format"
	"billfold/walletcore"
)

// Of returns what happened and what to do next. Both are clean to show.
func Of(err error) (what, next string) {
	if err == nil {
		return "", ""
	}
	code := walletcore.CodeOf(err)
	next, _ = Next(code)
	var e *walletcore.Error
	if errors.As(err, &e) {
		switch {
		case e.DiskFull():
			next = "Make room on that disk and try again. Nothing was sent."
		case e.Journal:
			next = Journal
		}
		return format.Clean(e.Message), next
	}
	return format.Clean(err.Error()), next
}

// Journal is the advice while the payment journal is not the wallet's own.
const Journal = "Nothing was sent. Run billfold journal status: it says how to go on."

// Said is what happened and what to do next, as sentences in one line.
func Said(err error) string {
	what, next := Of(err)
	if what != "" && !strings.ContainsAny(what[len(what)-1:], ".!?") {
		what += "."
	}
	return strings.TrimSpace(what + " " + next)
}

// Next returns the advice for a code.
func Next(code walletcore.Code) (string, bool) {
	s, ok := map[walletcore.Code]string{
		walletcore.CodeInternal:            "This is a fault of Billfold. Nothing was sent.",
		walletcore.CodeUnknownMethod:       "Check the name of the call.",
		walletcore.CodeTooFewParameters:    "Give all parameters of the call.",
		walletcore.CodeTooManyParameters:   "Leave out the unknown parameter.",
		walletcore.CodeBadParameter:        "Correct the marked field.",
		walletcore.CodeUnknownHelp:         "Press ? for all keys.",
		walletcore.CodeLocked:              "Unlock the wallet first.",
		walletcore.CodeNew:                 "Set a password first.",
		walletcore.CodeEmptyPassword:       "Type a password.",
		walletcore.CodeWrongPassword:       "Type the password again.",
		walletcore.CodeTooManyTries:        "Wait a moment, then type the password again.",
		walletcore.CodeBadKey:              "Check the key: it starts with 5 and has 51 characters.",
		walletcore.CodeBadWIF:              "Check the key: it starts with 5 and has 51 characters.",
		walletcore.CodeBadPublicKey:        "Check the key: it starts with DCT.",
		walletcore.CodeKeyUnused:           "Check the key and the account; nothing was kept.",
		walletcore.CodeKeyNotInWallet:      "Import the key first.",
		walletcore.CodeEmptyAccount:        "Type an account name or id.",
		walletcore.CodeNoSuchAccount:       "Check the name, or type the object id.",
		walletcore.CodeNoSuchRecipient:     "Check the recipient's name, or type the object id.",
		walletcore.CodeAccountExists:       "Choose another name.",
		walletcore.CodeEmptyAsset:          "Type the symbol of an asset.",
		walletcore.CodeNoSuchAsset:         "Check the symbol of the asset.",
		walletcore.CodeBadAmount:           "Type digits with at most one point.",
		walletcore.CodeAmountLimit:         "Choose a smaller amount.",
		walletcore.CodeAmountOverflow:      "Choose a smaller amount.",
		walletcore.CodeInvalidOperation:    "Change the form; the chain would refuse this.",
		walletcore.CodeInsufficientBalance: "Choose a smaller amount.",
		walletcore.CodeMissingAuthority:    "Import the missing key, or let its owner sign.",
		walletcore.CodeDenied:              "Nothing was signed.",
		walletcore.CodeUnsupported:         "This version cannot sign such an operation.",
		walletcore.CodeLimit:               "Ask for fewer rows.",
		walletcore.CodeDaemonRefused:       "Nothing was spent. Change the form and review again.",
		walletcore.CodeDaemonAway:          "Billfold goes on calling the node and repeats no payment; ctrl+r calls now.",
		walletcore.CodeDaemonStale:         "Nothing was sent. Wait, or start with another node (--daemon-url).",
		walletcore.CodeDaemonGarbage:       "Start with another node (--daemon-url).",
		walletcore.CodeDaemonsDisagree:     "Nothing was sent. Find out which node is wrong and leave it out (--daemon-url).",
		walletcore.CodeWrongChain:          "Start with a node of this wallet's chain (--daemon-url).",
		walletcore.CodeDaemonContradicts:   "Nothing was signed. Ask another node (--daemon-url).",
		walletcore.CodeKeysChanged:         "Nothing was signed. Ask the recipient whether they took new keys.",
		walletcore.CodeFeeTooHigh:          "Nothing was signed. Ask another node, or raise --max-fee.",
		walletcore.CodeOutcomeUnknown:      "Do not send again. Billfold finds out by itself.",
		walletcore.CodeRequestKey:          "Use a new request key for a new payment.",
		walletcore.CodeNoSuchPayment:       "Look it up in the history.",
		walletcore.CodeExpired:             "Nothing was spent. It can be sent again as a new payment.",
		walletcore.CodeFile:                "Check the path and its permissions. Nothing was changed.",
		walletcore.CodeCanceled:            "Try again.",
	}[code]
	return s, ok
}
