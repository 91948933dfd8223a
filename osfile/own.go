package osfile

import "errors"

// What OpenOwn refuses.
var (
	ErrNotRegular = errors.New("it is a link or not a plain file")
	ErrOtherOwner = errors.New("it belongs to another user")
)
