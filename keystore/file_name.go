package keystore

import "fmt"

// versionsKept is how many earlier versions stay beside the file, as name.1 (the newest) to name.5.
const versionsKept = 5

func lockName(path string) string           { return path + ".lock" }
func tempName(path string) string           { return path + ".tmp" }
func backName(path string) string           { return path + ".back" }
func versionName(path string, n int) string { return fmt.Sprintf("%s.%d", path, n) }

// oldPasswordName returns the n-th name, from 1, for a file that opens with an earlier password.
func oldPasswordName(path string, n int) string { return fmt.Sprintf("%s.old-password-%d", path, n) }

func triesName(path string) string { return path + ".tries" }
