//go:build !unix

package postgres

import "os"

// lock does nothing: here it cannot be told whether an earlier process has ended, so the end of its lease has to show it.
func lock(*os.File) (which string, ok bool) { return "", false }
