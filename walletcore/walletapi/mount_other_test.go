//go:build !linux

package walletapi

import (
	"errors"
	"testing"
)

func mountSmall(*testing.T, string) error { return errors.ErrUnsupported }
