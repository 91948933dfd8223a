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

// reader reads JSON into a field of a struct of parameters, as leniently as the
// reference: see the package's doc.
type reader func(raw json.RawMessage, into reflect.Value) error

// readerOf chooses the reader for a field of type t. They all use the ledger's
// codec, some with a clearer error.
func readerOf(t reflect.Type) reader {
	switch {
	case t == reflect.TypeFor[ledger.PublicKey]():
		return readKey
	case t.Kind() == reflect.String && !hasMarshaler(t):
		return readText
	case t.Kind() == reflect.Bool:
		return readBool
	}
	return readJSON
}

// readJSON reads objects and lists strictly: with a misspelt, missing or repeated member, something else than was
// meant would be done. A transaction may have the members that results add: its id and the results of its operations.
func readJSON(raw json.RawMessage, into reflect.Value) error {
	var extra []string
	if into.Type() == reflect.TypeFor[ledger.SignedTransaction]() {
		extra = []string{"transaction_id", "operation_results"}
	}
	err := codec.UnmarshalExact(raw, into.Addr().Interface(), extra...)
	member, ok := errors.AsType[*codec.MemberError](err)
	if !ok || member.Known == nil {
		return err
	}
	if nearest := spelling.Nearest(member.Name, member.Known); nearest != "" {
		return fmt.Errorf("%w; did you mean %s?", err, nearest)
	}
	return fmt.Errorf("%w, which has %s", err, strings.Join(member.Known, ", "))
}

// readText reads a string; null is empty text. A number or boolean becomes the
// text of its characters, so that an amount sent as a number keeps its digits.
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

// show quotes a caller's text, shortened and with control characters escaped.
func show(text string) string {
	const most = 60
	if secret := ledger.SecretIn(text[:min(len(text), 16*most)]); secret != "" {
		return "(" + secret + ", not shown)"
	}
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}
