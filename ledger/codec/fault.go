package codec

import (
	"errors"
	"fmt"
	"strconv"

	"billfold/ledger/printable"
)

// Limits on what is read from bytes or JSON: more than the ledger ever needs,
// yet low enough to make hostile input cheap.
const (
	maxRawSize = 10 << 20 // bytes one value may be unpacked from
	maxDepth   = 100      // levels of arrays, objects and nested operations
)

// ErrJSON is the error for text that is not JSON.
var ErrJSON = errors.New("the text is not JSON")

var (
	errShort = errors.New("the bytes end too early")
	errDeep  = errors.New("nested too deep")
)

// FieldError is an error in one member of a value.
type FieldError struct {
	Path string // such as "options.memo_key"
	Err  error
}

// Error returns the path of the member and the error.
func (e *FieldError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the error without the path.
func (e *FieldError) Unwrap() error { return e.Err }

// Within puts the name of a member in front of an error's path.
func Within(name string, err error) error {
	if name == "" || err == nil {
		return err
	}
	if e, ok := errors.AsType[*FieldError](err); ok {
		return &FieldError{Path: name + "." + e.Path, Err: e.Err}
	}
	return &FieldError{Path: name, Err: err}
}

// MemberError is the error for a member that is unknown, missing or repeated.
type MemberError struct {
	Name  string   // of the member
	Fault string   // what is wrong with it
	Known []string // the members the object has, if Name is not one of them
}

const notAMember = "is not a member of this object"

// Error names the member and the fault.
func (e *MemberError) Error() string { return fmt.Sprintf("%q %s", printable.Clip(e.Name), e.Fault) }

// NumberError turns an error of package strconv into one that names text and what
// was expected, such as "a whole number". It returns nil if err is nil.
func NumberError(text, what string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is out of range", printable.Clip(text))
	}
	return fmt.Errorf("%q is not %s", printable.Clip(text), what)
}
