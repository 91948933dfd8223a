package codec

import (
	"errors"
	"fmt"
	"strconv"

	"billfold/ledger/printable"
)

// Limits on what is read from bytes or JSON: more than the ledger ever holds,
// little enough that hostile input costs nothing.
const (
	maxRawSize = 10 << 20 // bytes one value may be unpacked from
	maxDepth   = 100      // levels of arrays, objects and nested operations
)

// ErrJSON is the fault of a text that is not JSON.
var ErrJSON = errors.New("the text is not JSON")

var (
	errShort = errors.New("the bytes end too early")
	errDeep  = errors.New("nested too deep")
)

// FieldError is the fault of one member of a value.
type FieldError struct {
	Path string // such as "options.memo_key"
	Err  error
}

// Error names the member and the fault.
func (e *FieldError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the fault.
func (e *FieldError) Unwrap() error { return e.Err }

// Within adds the name of a member to an error, in front of what is there.
func Within(name string, err error) error {
	if name == "" || err == nil {
		return err
	}
	if e, ok := errors.AsType[*FieldError](err); ok {
		return &FieldError{Path: name + "." + e.Path, Err: e.Err}
	}
	return &FieldError{Path: name, Err: err}
}

// MemberError is the fault of an object whose members are not those that it has to have.
type MemberError struct {
	Name  string   // of the member
	Fault string   // what is wrong with it
	Known []string // the members that there are, where it is not one of them
}

const noMember = "is no member of this object"

// Error names the member and the fault.
func (e *MemberError) Error() string { return fmt.Sprintf("%q %s", printable.Clip(e.Name), e.Fault) }

// NumberError returns why text is not the number that what describes, given the
// error of package strconv; nil when that is nil.
func NumberError(text, what string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is out of range", printable.Clip(text))
	}
	return fmt.Errorf("%q is not %s", printable.Clip(text), what)
}
