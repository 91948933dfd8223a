package tui

import (
	"context"
	"strings"
	"time"

	"billfold/tui/overlay/palette"
	"billfold/tui/page/settings"
)

// settingNames lists the settings for the palette.
func settingNames(core Core) (out []palette.Named) {
	if core.Settings == nil {
		return nil
	}
	all, err := core.Settings.All()
	if err != nil {
		return nil
	}
	for _, s := range all {
		help, _, _ := strings.Cut(s.Help, ".")
		title, _ := settings.NameOf(s.Name)
		out = append(out, palette.Named{Name: s.Name, Help: help, Title: title})
	}
	return out
}

// namesLimit is the time limit for listing the operations: they are in memory.
const namesLimit = 50 * time.Millisecond

// operationNames lists the operations that the console runs, for the palette.
func operationNames(core Core) (out []palette.Named) {
	if core.Console == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), namesLimit)
	defer cancel()
	for _, line := range core.Console.Complete(ctx, "") {
		name := strings.TrimSpace(line)
		help, _, _ := strings.Cut(core.Console.Describe(name).Help, ".")
		out = append(out, palette.Named{Name: name, Help: help})
	}
	return out
}
