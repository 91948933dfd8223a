//go:build !unix

package terminal

import (
	"context"
	"os"
)

// Drain cannot tell here what was typed before.
func Drain(context.Context, *os.File) (dropped bool, err error) { return false, nil }

func waits(*os.File) bool { return false }
