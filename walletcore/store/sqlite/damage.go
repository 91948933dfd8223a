package sqlite

import (
	"errors"
	"fmt"

	"billfold/walletcore/database"
)

// DamagedError means that the file of a journal, or a part of it, cannot be read. It is left as it is, and no payment is
// made that has to be written to it.
type DamagedError struct {
	Path string
	Err  error // error of the database
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the payment journal %s is damaged (%v); end the wallet and restore a copy of it: billfold journal restore FILE. "+
		"Without a copy, move it and its -wal file to another folder, keep them, "+
		"and go on with billfold journal accept --from-block N; billfold journal status names the block", e.Path, e.Err)
}

// Unwrap returns the error of the database.
func (e *DamagedError) Unwrap() error { return e.Err }

func isDamaged(err error) bool {
	_, is := errors.AsType[*DamagedError](err)
	return is
}

// explain turns an error of the file at path into a sentence, if there is one for it.
func explain(path string, err error) error {
	if database.Damaged(err) && !isDamaged(err) {
		return &DamagedError{Path: path, Err: err}
	}
	if database.Held(err) {
		return fmt.Errorf("another program keeps %s locked; wait for it or end it, and try again (%w)", path, err)
	}
	return database.Explain(path, err)
}
