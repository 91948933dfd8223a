package walletapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/spelling"
)

// reader reads JSON into a member of a struct of parameters, as leniently as the
// reference: see the package's doc.
type reader func(raw json.RawMessage, into reflect.Value) error

// readerOf chooses the reader of a member's type: what the ledger's codec reads,
// with the sentence that a person needs where that says too little.
func readerOf(t reflect.Type) reader {
	switch {
	case t == reflect.TypeFor[ledger.PublicKey]():
		return readKey
	case t.Kind() == reflect.String && !writesItself(t):
		return readText
	case t.Kind() == reflect.Bool:
		return readBool
	}
	return readJSON
}

// readJSON reads objects and lists exactly: what is misspelt, missing or there twice would be something else than was
// meant. A transaction may come as it was answered, with its id and what became of it.
func readJSON(raw json.RawMessage, into reflect.Value) error {
	var others []string
	if into.Type() == reflect.TypeFor[ledger.SignedTransaction]() {
		others = []string{"transaction_id", "operation_results"}
	}
	err := codec.UnmarshalExact(raw, into.Addr().Interface(), others...)
	member, ok := errors.AsType[*codec.MemberError](err)
	if !ok || member.Known == nil {
		return err
	}
	if nearest := spelling.Nearest(member.Name, member.Known); nearest != "" {
		return fmt.Errorf("%w; did you mean %s?", err, nearest)
	}
	return fmt.Errorf("%w, which has %s", err, strings.Join(member.Known, ", "))
}

// readText takes a string as it is, null for nothing, and of a number or
// boolean its characters: an amount sent as a number keeps its digits.
func readText(raw json.RawMessage, into reflect.Value) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] == '{' || raw[0] == '[' {
		return errors.New("expected text, not a list or an object; to give it as text, put it between quotes")
	}
	return readJSON(raw, into)
}

func readBool(raw json.RawMessage, into reflect.Value) error {
	if readJSON(raw, into) != nil {
		return fmt.Errorf("expected true or false, not %s", show(strings.Trim(string(raw), `"`)))
	}
	return nil
}

func readKey(raw json.RawMessage, into reflect.Value) error {
	if err := readJSON(raw, into); err != nil {
		return fmt.Errorf("expected a public key such as DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV: %w", err)
	}
	return nil
}

// show quotes text of a caller, shortened and without control characters.
func show(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}
