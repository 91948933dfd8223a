//go:build !unix

package keystore

import "errors"

func lockMemory([]byte) error { return errors.ErrUnsupported }

func unlockMemory([]byte) {}
