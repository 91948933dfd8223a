//go:build !unix

package archive

import (
	"math"
	"os"
)

// openNonblock is not needed here.
const openNonblock = 0

// room is not known here.
func room(*os.File) int64 { return math.MaxInt64 }

// lockFolder takes no lock: such systems cannot lock a folder.
func lockFolder(*os.File) (busy bool, err error) { return false, nil }

// syncFolder does nothing: such systems cannot sync a folder.
func syncFolder(*os.File) error { return nil }
