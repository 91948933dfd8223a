package tui

import (
	"context"
	"strings"
	"time"

	"billfold/tui/overlay/palette"
)

// settingsOf names the settings, for finding them.
func settingsOf(core Core) (out []palette.Named) {
	if core.Settings == nil {
		return nil
	}
	all, err := core.Settings.All()
	if err != nil {
		return nil
	}
	for _, s := range all {
		help, _, _ := strings.Cut(s.Help, ".")
		out = append(out, palette.Named{Name: s.Name, Help: help})
	}
	return out
}

// callsWithin is how long naming the operations may take: they are in memory.
const callsWithin = 50 * time.Millisecond

// callsOf names the operations that the console runs.
func callsOf(core Core) (out []palette.Named) {
	if core.Console == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), callsWithin)
	defer cancel()
	for _, line := range core.Console.Complete(ctx, "") {
		name := strings.TrimSpace(line)
		help, _, _ := strings.Cut(core.Console.Describe(name).Help, ".")
		out = append(out, palette.Named{Name: name, Help: help})
	}
	return out
}
