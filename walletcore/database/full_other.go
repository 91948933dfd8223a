//go:build !linux && !darwin

package database

// hasNoRoom reports false: it is not known here, so SQLite's error is reported as it is.
func hasNoRoom(string) bool { return false }

// Room knows nothing here.
func Room(string) (free, all uint64, known bool) { return 0, 0, false }

// checkUsable reports nothing: it is not known here without opening the file, so SQLite has to report it.
func checkUsable(string) error { return nil }
