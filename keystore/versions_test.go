//go:build unix

package keystore

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/internal/ramdisk"
)

// Whoever changes the password again and again, and saves in between, cannot push
// out the last file that the owner can open, for 30 days.
func TestChangesOfThePasswordLeaveTheOwnersFile(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	s, err := Create(path, "the owner's", Public{}, nil, cheap())
	must(t, err)
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(0)) }))
	last := ""
	for n := range maxOldPasswordFiles {
		last = fmt.Sprint("a thief's ", n)
		must(t, s.SetPassword(last))
		must(t, s.Update(func(c *Contents) error { c.Secrets.RemoveKey(testKey(0).Public()); return nil }))
	}
	want(t, s.SetPassword("one more"), ErrTooManyChanges)
	want(t, s.ChangePassword(last, "one more"), ErrTooManyChanges)
	must(t, s.CheckPassword(last))
	owners := func() bool {
		for n := 1; n <= maxOldPasswordFiles; n++ {
			former, err := OpenWith(oldPasswordName(path, n), cheap())
			if err != nil {
				t.Fatal(err)
			}
			if former.Unlock("the owner's") == nil {
				_, held := former.Key(testKey(0).Public())
				return held
			}
		}
		return false
	}
	if !owners() {
		t.Error("the owner has no file left")
	}
	// The last one's own saves push out nothing either.
	for n := range 10 {
		must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(1+n)) }))
	}
	if !owners() {
		t.Error("the owner's file was pushed out by saves")
	}
	// After 30 days they go, with the next save.
	past := time.Now().Add(-oldPasswordTime - time.Hour)
	for n := 2; n <= maxOldPasswordFiles; n++ {
		must(t, os.Chtimes(oldPasswordName(path, n), past, past))
	}
	must(t, s.SetPassword("the owner's again"))
	if n := formers(path); n != 2 {
		t.Errorf("%d are left", n)
	}
}

// A change that fails keeps one copy, however often it is tried.
func TestAFailedChangeTakesOnePlace(t *testing.T) {
	v := &faulty{fault: os.ErrPermission}
	opts := cheap()
	opts.disk = v
	path := filepath.Join(ramdisk.Folder(t), "keys")
	s, err := Create(path, password, Public{}, nil, opts)
	must(t, err)
	for at := 1; ; at++ {
		v.step, v.failAt = 0, at
		if s.SetPassword("another") == nil {
			break
		}
		must(t, s.CheckPassword(password))
	}
	v.failAt = 0
	if n := formers(path); n != 1 {
		t.Errorf("%d are left", n)
	}
}

// A change that failed 20 days ago left a copy. The change that succeeds now keeps it
// for 30 days from now.
func TestAFormerFileIsKeptFromTheChangeThatWorked(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	s, err := Create(path, password, Public{}, nil, cheap())
	must(t, err)
	must(t, keepOldPasswordFile(s.disk, path, s.file, time.Now()))
	old := time.Now().Add(-20 * 24 * time.Hour)
	must(t, os.Chtimes(oldPasswordName(path, 1), old, old))
	must(t, s.SetPassword("another"))
	kept, err := os.Stat(oldPasswordName(path, 1))
	must(t, err)
	if age := time.Since(kept.ModTime()); formers(path) != 1 || age > time.Hour {
		t.Errorf("%d are kept; the first is %v old", formers(path), age)
	}
}

// formers counts the files that are kept.
func formers(path string) (count int) {
	for n := 1; n <= maxOldPasswordFiles; n++ {
		if _, err := os.Stat(oldPasswordName(path, n)); err == nil {
			count++
		}
	}
	return count
}
