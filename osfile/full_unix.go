//go:build unix

package osfile

import (
	"errors"
	"syscall"
)

// IsFull reports whether err means that a disk, or this user's part of it, is full.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
