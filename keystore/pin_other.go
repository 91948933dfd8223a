//go:build !unix

package keystore

import "errors"

func pin([]byte) error { return errors.ErrUnsupported }

func unpin([]byte) {}
