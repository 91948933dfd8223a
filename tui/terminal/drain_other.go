//go:build !unix

package terminal

import (
	"context"
	"os"
)

// Drain cannot tell here what was typed before.
func Drain(context.Context, *os.File) (dropped []byte, err error) { return nil, nil }

func waits(*os.File) bool { return false }
