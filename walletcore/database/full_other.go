//go:build !linux && !darwin

package database

// hasNoRoom is not known here: what SQLite says is reported as it is.
func hasNoRoom(string) bool { return false }

// checkUsable is not known here without opening the file: SQLite says it.
func checkUsable(string) error { return nil }
