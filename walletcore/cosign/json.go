package cosign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"billfold/ledger/codec"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
)

// deepest is the maximum nesting depth of lists and objects: proposals contain operations.
const deepest = 48

// checkJSON refuses what programs read differently: a name that occurs twice in an object, text that is not UTF-8 or holds half
// a character, anything after the value. It also limits the depth.
func checkJSON(text []byte) error {
	if line, at, wrong := usertext.InvalidAt(text); at > 0 {
		return fmt.Errorf("it is not UTF-8 text: byte %d of line %d is 0x%02X", at, line, wrong)
	}
	if kind := usertext.Kind(string(text)); kind != "" && kind != "JSON" {
		return errors.New("it is " + kind + ", and no JSON")
	}
	if codec.HasHalfCharacter(text) {
		return codec.ErrHalfCharacter
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := checkValue(d, 0); errors.Is(err, errNotJSON) {
		return fmt.Errorf("%w: %s", err, usertext.JSONFault(text))
	} else if err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows its JSON")
	}
	return nil
}

// errNotJSON means that a text is none.
var errNotJSON = errors.New("it is not JSON")

func checkValue(d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return errNotJSON
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	if depth == deepest {
		return errors.New("its JSON is nested too deeply")
	}
	names := map[string]bool{}
	for d.More() {
		if open == '{' {
			if err := checkName(d, names); err != nil {
				return err
			}
		}
		if err := checkValue(d, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errNotJSON
	}
	return nil
}

func checkName(d *json.Decoder, names map[string]bool) error {
	token, err := d.Token()
	name, isText := token.(string)
	if err != nil || !isText {
		return errNotJSON
	}
	folded := strings.ToLower(name) // programs differ in whether case matters
	if names[folded] {
		return fmt.Errorf("the member %s occurs twice", fault.Quote(name))
	}
	names[folded] = true
	return nil
}

// bad returns the error for a file that cannot be used.
func bad(format string, args ...any) *fault.Error {
	err := fmt.Errorf(format, args...)
	hint := "ask for the file again"
	if _, is := errors.AsType[*usertext.EncodingError](err); is { // which says what to do
		hint = "nothing was signed"
	}
	return &fault.Error{Code: fault.BadFile, Op: "tx", Message: "the transaction file is refused: " + err.Error(), Hint: hint, Err: err}
}
