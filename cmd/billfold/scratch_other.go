//go:build !unix

package main

import (
	"io/fs"
	"os"
)

// lockScratch locks nothing on this system, where no folder is taken for stale: the
// system clears its folder for temporary files.
func lockScratch(*os.File) bool { return true }

func isOwn(fs.FileInfo) bool { return false }
