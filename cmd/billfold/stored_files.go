package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readForStored reads the settings of a command that works on stored data of a wallet, which what
// names. It refuses a sandbox, which stores nothing, and a folder with none of the files, which
// is most likely the wrong folder.
func (s *settings) readForStored(what string, files ...string) error {
	if err := s.read(); err != nil {
		return err
	}
	if s.sandbox {
		return fmt.Errorf("--sandbox keeps no %s when the program ends; leave it out to use the wallet in %s", what, s.dataDir)
	}
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(s.dataDir, name)); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return fmt.Errorf("there is no wallet in %s; name its folder with --data-dir", s.dataDir)
}
