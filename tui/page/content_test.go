package page_test

import (
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/page/content"
	"billfold/tui/uitest"
	core "billfold/walletcore/content"
)

// withContent is alice on a ledger where others offer content.
var withContent = &uitest.Past{Ledger: func(w *uitest.World) {
	for n, about := range []string{
		`{"title":"Harbour at night","description":"Twelve prints,\u001b[2J one of them twice","content_type_id":"1.5.5.0"}`,
		`{"title":"A song \u202egnos","description":"","content_type_id":"1.2.3.0"}`,
	} {
		w.Push(&ledger.ContentSubmitOp{Size: uint64(12 + n), Author: uitest.Merchant.ID, URI: "http://shop.example/" + string(rune('a'+n)),
			Price: []ledger.RegionalPrice{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: int64(n+1) * 125_000_000}}},
			Hash:  ledger.Hash160{byte(n + 1)}, Expiration: 2_000_000_000, Synopsis: about})
		w.Mine()
	}
}}

func TestContentLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: withContent}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press(";")
		d.Until("A song", "Harbour at night")
		d.GoldenMeanings("content/content80x24")
		d.GoldenSizes("content/content", uitest.Sizes())
		d.Resize(80, 24)
		d.Press("down enter")
		d.Until("esc back", "Twelve prints")
		d.GoldenSizes("content/content-whole", [][2]int{{80, 24}, {50, 16}})
		d.Resize(80, 24)
		d.Press("esc /")
		d.Type("night")
		d.Press("enter")
		d.Until("Harbour")
		d.Hides("A song")
		d.Press("n")
		d.GoldenSizes("content/content-publish", [][2]int{{80, 24}, {140, 40}, {50, 16}})
	})
}

// Content is bought through the review of every payment, once, and stands among what was bought.
func TestContentIsBoughtOnce(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: withContent}, func(d *uitest.Driver, w *uitest.World) {
		w.Keep(ledger.Hash160{2})
		d.Press(";")
		d.Until("A song")
		d.Press("b")
		d.Until("Buy content")
		d.Press("enter")
		d.Until("request to buy", "http://shop.example/b")
		d.Press("end")
		d.Sure("S")
		d.Until("In a block")
		d.Press("esc")
		d.Until("[On offer]")
		d.Press("o")
		d.Until("[Bought]", "A song", "ready")
		d.Press("left")
		d.Until("bought")
		d.Press("b")
		d.Until("it is bought, and stands among what was bought")
	})
}

// What becomes of an offer while its review is read is in the review before it can be signed, or said instead of signed; nothing is paid.
func TestContentThatChangesWhileItsReviewIsRead(t *testing.T) {
	const uri = "http://shop.example/b"
	rises := &ledger.ContentSubmitOp{Size: 13, Author: uitest.Merchant.ID, URI: uri, Hash: ledger.Hash160{2}, Expiration: 2_000_000_000, Synopsis: `{"title":"A song"}`,
		Price: []ledger.RegionalPrice{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: 300_000_000}}}}
	for _, trial := range []struct {
		change ledger.Body
		block  bool // which has the page look again while it is read
		shows  string
	}{
		{rises, true, "▲ Takes: 3.00000000 DCT"},
		{rises, false, "▲ Takes: 3.00000000 DCT"},
		{&ledger.ContentCancellationOp{Author: uitest.Merchant.ID, URI: uri}, false, "was taken off sale by its"},
	} {
		uitest.Play(t, 100, 30, uitest.Scene{Past: withContent}, func(d *uitest.Driver, w *uitest.World) {
			w.Keep(ledger.Hash160{2})
			d.Press(";")
			d.Until("A song")
			d.Press("b enter")
			d.Until("request to buy", "2.50000000 DCT")
			d.Press("end")
			w.Push(trial.change)
			if trial.block {
				w.Mine()
			} else {
				d.Sure("S")
			}
			d.Until(trial.shows)
			if n := w.Paid(); n != 0 {
				t.Errorf("%T: %d payments", trial.change, n)
			}
		})
	}
}

// What is missing of a publication is said before anything is checked.
func TestPublishFormSaysWhatIsMissing(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: withContent}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("; n")
		d.Until("Publish")
		for range 7 {
			d.Press("enter")
		}
		d.Press("enter")
		d.Shows("Folder: name the folder")
		d.Type("/tmp") // into the field that is wrong
		d.Press("down down down")
		d.Type("2")
		for range 5 {
			d.Press("enter")
		}
		d.Shows("Title: give it a title")
		d.Press("down down down down down")
		d.Type("bobby=10%")
		d.Press("esc")
		d.Until("[On offer]")
		d.Press("n")
		d.Shows("bobby=10%")
	})
}

// How a publication or a download ended is told once, and not of what had ended before anybody looked.
func TestEndsOfTasksAreTold(t *testing.T) {
	task := func(id string, kind core.Kind, state core.State) core.Task {
		return core.Task{ID: id, Kind: kind, State: state, Title: "Prints \x1b[2J", Reason: "no room\x07"}
	}
	var w content.Watch
	if news := w.Ended([]core.Task{task("old", core.Publishing, core.Failed)}); len(news) != 0 {
		t.Error(news)
	}
	begun := []core.Task{task("a", core.Publishing, core.Running), task("b", core.Publishing, core.Waiting), task("c", core.Downloading, core.Running),
		task("d", core.Creating, core.Running)}
	if news := w.Ended(begun); len(news) != 0 {
		t.Error(news)
	}
	ended := []core.Task{task("a", core.Publishing, core.Done), task("b", core.Publishing, core.Failed), task("c", core.Downloading, core.Done), task("d", core.Creating, core.Done)}
	want := []string{"“Prints \\x1b[2J” is submitted, and on offer once a block has it", "“Prints \\x1b[2J” was not published: no room\\x07", "“Prints \\x1b[2J” is downloaded"}
	var told []string
	for _, n := range w.Ended(ended) {
		if told = append(told, n.Line.String()); n.Bad != strings.Contains(n.Line.String(), "not") {
			t.Errorf("%q is bad: %v", n.Line.String(), n.Bad)
		}
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
	if news := w.Ended(ended); len(news) != 0 {
		t.Error(news)
	}
}
