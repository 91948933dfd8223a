package tui_test

import (
	"slices"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
)

// What was encrypted leaves the clipboard after half a minute, and with the lock; what
// is public stays.
func TestPrivateValuesLeaveTheClipboard(t *testing.T) {
	var clip []string
	opt := tui.Options{Clipboard: func(text string) error { clip = append(clip, text); return nil }}
	box := uitest.NewBox(t, "alice", "bobby")
	box.PayMemo(t, "bobby", "alice", "7", "a secret")
	box.Drive(t, 100, 30, opt, func(d *uitest.Driver) {
		d.Press("2")
		d.Until("a secret")
		d.Press("y")
		d.Shows("Copy", "Memo text", "private", "Object id", "7.00000000 DCT")
		d.Press("5")
		d.Shows("It leaves the clipboard in 30 s")
		d.Wait(29 * time.Second)
		if !slices.Equal(clip, []string{"a secret"}) {
			t.Fatalf("the clipboard got %q", clip)
		}
		d.Wait(2 * time.Second)
		d.Press("y 1")
		d.Wait(40 * time.Second)
		d.Press("y 5 ctrl+l")
		if len(clip) != 5 || clip[1] != "" || clip[2] == "" || clip[3] != "a secret" || clip[4] != "" {
			t.Errorf("the clipboard got %q", clip)
		}
	})
}

func TestNothingToCopy(t *testing.T) {
	box := uitest.NewBox(t, "alice")
	box.Drive(t, 80, 24, tui.Options{}, func(d *uitest.Driver) {
		d.Press("- y")
		d.Shows("There is nothing to copy here")
		d.Press("1 y enter")
		d.Shows("Not copied: this output is not a terminal")
	})
}
