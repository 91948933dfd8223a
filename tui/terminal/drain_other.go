//go:build !unix

package terminal

import (
	"context"
	"os"
)

// Drain does nothing here: it cannot tell what was typed before.
func Drain(context.Context, *os.File) (dropped []byte, err error) { return nil, nil }

func hasInput(*os.File) bool { return false }
