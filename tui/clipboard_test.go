package tui_test

import (
	"slices"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
)

// What was encrypted leaves the clipboard after half a minute, and when the wallet locks; what is public stays.
func TestPrivateValuesLeaveTheClipboard(t *testing.T) {
	var clip []string
	scene := uitest.Scene{Options: tui.Options{Clipboard: func(text string) error { clip = append(clip, text); return nil }}}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000,
			Memo: w.Secret(uitest.KeyOf(uitest.Bob.Name), uitest.KeyOf(uitest.Alice.Name).Public(), "a secret")})
		d.Press("2")
		d.Until("a secret")
		d.Press("y")
		d.Shows("Copy", "Memo text", "private", "Object id", "7.00000000 DCT")
		d.Press("6")
		d.Shows("It leaves the clipboard in 30 s")
		d.Wait(29 * time.Second)
		if !slices.Equal(clip, []string{"a secret"}) {
			t.Fatalf("the clipboard got %q", clip)
		}
		d.Wait(2 * time.Second)
		d.Press("y 1")
		d.Wait(40 * time.Second)
		d.Press("y 6 ctrl+l")
		if len(clip) != 5 || clip[1] != "" || clip[2] == "" || clip[3] != "a secret" || clip[4] != "" {
			t.Errorf("the clipboard got %q", clip)
		}
	})
}

func TestNothingToCopy(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("- y")
		d.Shows("There is nothing to copy here")
		d.Press("1 y enter")
		d.Shows("Not copied: this output is not a terminal")
	})
}
