//go:build !unix

package sandbox

import "os"

// lockFile does nothing on systems without such locks. There the port, which only
// one sandbox can have, must suffice.
func lockFile(*os.File) error { return nil }
