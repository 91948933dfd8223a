//go:build !unix

package sandbox

import "os"

// lockFile does nothing where the system has no such locks; there the port,
// which only one sandbox can have, must do.
func lockFile(*os.File) error { return nil }
